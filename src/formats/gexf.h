/* SPDX-License-Identifier: Apache-2.0 */
/* GEXF: one graph as XML, as Gephi and NetworkX write it; read with expat. */
#ifndef WGDN_FORMATS_GEXF_H
#define WGDN_FORMATS_GEXF_H

#include "formats.h"

extern const wgdn_format wgdn_gexf_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_gexf_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

#endif
