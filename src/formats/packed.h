/* SPDX-License-Identifier: Apache-2.0 */
/* The packed dataset: a safetensors file that keeps everything.
 * docs/reference/formats.md names its tensors. */
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
WGDN_MUST_CHECK wgdn_status wgdn_packed_recognize(const wgdn_packed *p);

/* Entries whose weights were left out, each edge twice: a remark, and counted. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_ignored(wgdn_dataset *d, int64_t entries, wgdn_error *err);

/* How tables became its features, where that is known. */
WGDN_MUST_CHECK wgdn_status wgdn_packed_encoding(wgdn_dataset *d, const char *name,
                                                 wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_packed_notes(wgdn_dataset *d, const char *name, wgdn_error *err);

#endif
