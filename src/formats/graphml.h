/* SPDX-License-Identifier: Apache-2.0 */
/* GraphML: one graph as XML, with values of nodes and edges; read with expat. */
#ifndef WGDN_FORMATS_GRAPHML_H
#define WGDN_FORMATS_GRAPHML_H

#include "formats.h"

extern const wgdn_format wgdn_graphml_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_graphml_parse(wgdn_draft *w, const wgdn_input *in,
                                               wgdn_error *err);

#endif
