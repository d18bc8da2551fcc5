/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and links as JSON, as NetworkX's node_link_data and D3 have them. */
#ifndef WGDN_FORMATS_NODE_LINK_H
#define WGDN_FORMATS_NODE_LINK_H

#include "formats.h"

extern const wgdn_format wgdn_node_link_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_node_link_parse(wgdn_draft *w, const wgdn_input *in,
                                                 wgdn_error *err);

#endif
