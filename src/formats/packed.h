/* SPDX-License-Identifier: Apache-2.0 */
/* The packed dataset: a safetensors file that keeps everything.
 * docs/formats.md names its tensors. */
#ifndef WGDN_FORMATS_PACKED_H
#define WGDN_FORMATS_PACKED_H

#include "formats.h"
#include "io/archive.h"

extern const wgdn_format wgdn_packed_format;

/* Reading, once d->archive is open. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_parse(wgdn_dataset *d, const char *name,
                                              const wgdn_dataset_options *o, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_packed_share(wgdn_dataset *d, const char *path,
                                              const wgdn_dataset_options *o, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_packed_write(const wgdn_dataset *d, const char *path,
                                              wgdn_error *err);

/* ---- what reading has in common: packed.c ---- */

/* The file that is being read. */
typedef struct wgdn_packed {
    const wgdn_archive *archive;
    const char *name;
    wgdn_error *err;
} wgdn_packed;

/* What was found is not what was expected. */
static inline wgdn_status wgdn_packed_refuse(const wgdn_packed *p, const char *what,
                                             const char *expected)
{
    return wgdn_fail(p->err, WGDN_EFORMAT, "%s: %s: expected %s", wgdn_show_name(p->name).text,
                     what, expected);
}
/* By its metadata: a dataset, of a version that is read here. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_recognise(const wgdn_packed *p);
/* A tensor of this name and number of elements; -1 leaves the number open. NULL: err says why. */
const wgdn_tensor *wgdn_packed_need(const wgdn_packed *p, const char *what, int64_t count);
/* The number of this name, or the default. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_number(int64_t *out, const wgdn_packed *p, const char *what,
                                               int64_t otherwise);

/* Entries whose weights were left out, each edge twice: a remark, and counted. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_ignored(wgdn_dataset *d, int64_t entries, wgdn_error *err);

/* ---- what ranks have to agree on: packed_ranks.c, packed_ranks.c ---- */

/*
 * All ranks together, with the status of opening the file, from which d->archive and d->dist are:
 * library, CPU, options and file are the same, and the checksums hold. Of each tensor that has a
 * part for every row, a rank looks at the part that it will use; rank 0 looks at all others.
 */
WGDN_MUST_CHECK wgdn_status wgdn_packed_agree(const wgdn_dataset *d, wgdn_status st,
                                              const char *name, const wgdn_dataset_options *o,
                                              wgdn_error *err);
/* The rows of the whole file, as far as they may be trusted. */
typedef struct wgdn_packed_rows {
    const int64_t *offset;
    const int32_t *column;
    const float *value; /* or NULL */
    int64_t entries;
} wgdn_packed_rows;
/* All ranks together: a is this rank's rows of a symmetric graph without loops, columns as in the
 * file. `file` serves to name the nodes where it is not. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_symmetry(const wgdn_csr *a, wgdn_span rows,
                                                 const wgdn_packed_rows *file, const char *name,
                                                 wgdn_error *err);

/* ---- directions and types: packed.c ---- */

WGDN_MUST_CHECK wgdn_status wgdn_packed_relations(wgdn_dataset *d, const wgdn_packed *p);
/* stem.start and stem.text as so many names; none where they are not there. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_names(wgdn_names *out, int64_t count, const wgdn_packed *p,
                                              const char *stem);

/* ---- the order of the rows, then what needs it: names, labels, splits, counts ---- */

/* How tables became its features, where that is known. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_encoding(wgdn_dataset *d, const char *name,
                                                 wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_packed_notes(wgdn_dataset *d, const char *name, wgdn_error *err);

#endif
