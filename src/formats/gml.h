/* SPDX-License-Identifier: Apache-2.0 */
/* GML: keys and values in brackets, as NetworkX, igraph and Gephi write it. */
#ifndef WGDN_GML_H
#define WGDN_GML_H

#include "formats.h"

extern const wgdn_format wgdn_gml_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_gml_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

#endif
