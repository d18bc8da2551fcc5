/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market coordinate files: a square matrix is a graph, numbered from 1. */
#ifndef WGDN_FORMATS_MATRIX_MARKET_H
#define WGDN_FORMATS_MATRIX_MARKET_H

#include "formats.h"

extern const wgdn_format wgdn_mtx_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_mtx_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

#endif
