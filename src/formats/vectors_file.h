/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of vectors: files that this library, NumPy or word2vec may have written. */
#ifndef WGDN_FORMATS_VECTORS_FILE_H
#define WGDN_FORMATS_VECTORS_FILE_H

#include "formats.h"

extern const wgdn_format wgdn_tsv_vectors, wgdn_csv_vectors, wgdn_word2vec_vectors,
    wgdn_json_lines_vectors;
extern const wgdn_format wgdn_npy_vectors, wgdn_npz_vectors, wgdn_safetensors_vectors;

/* ---- reading what is in memory ---- */

/* Takes over *a, also on failure. */
WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_archive(wgdn_embedding **out, wgdn_archive *a,
                                                        const char *path, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_embedding_from_text(wgdn_embedding **out, const wgdn_input *in,
                                                     wgdn_error *err);

#endif
