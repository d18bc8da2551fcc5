/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists by NetworkX, with a dictionary behind each pair. */
#ifndef WGDN_FORMATS_NETWORKX_H
#define WGDN_FORMATS_NETWORKX_H

#include "formats.h"

extern const wgdn_format wgdn_networkx_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_networkx_parse(wgdn_draft *w, const wgdn_input *in,
                                                wgdn_error *err);

#endif
