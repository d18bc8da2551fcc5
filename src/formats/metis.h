/* SPDX-License-Identifier: Apache-2.0 */
/* METIS: the neighbours of each node on a line, numbered from 1. */
#ifndef WGDN_FORMATS_METIS_H
#define WGDN_FORMATS_METIS_H

#include "formats.h"

extern const wgdn_format wgdn_metis_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_metis_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

#endif
