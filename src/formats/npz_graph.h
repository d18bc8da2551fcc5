/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets as named arrays: the gnn-benchmark layout, scipy's matrix, and plain arrays. */
#ifndef WGDN_FORMATS_NPZ_GRAPH_H
#define WGDN_FORMATS_NPZ_GRAPH_H

#include "formats.h"

extern const wgdn_format wgdn_npz_format;
extern const wgdn_format wgdn_npy_format;

/* From the dataset's archive, which is open; it is closed unless features are borrowed from it. */
WGDN_MUST_CHECK wgdn_status wgdn_npz_read(wgdn_draft *w, const char *path, wgdn_error *err);
/* Features in an archive: a lone matrix, scipy's parts of compressed rows, or attr_* parts. */
WGDN_MUST_CHECK wgdn_status wgdn_npz_features(wgdn_features *f, wgdn_archive *a, const char *name,
                                              wgdn_error *err);

#endif
