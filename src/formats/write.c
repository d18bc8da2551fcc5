/* SPDX-License-Identifier: Apache-2.0 */
/* From a dataset to a path. */
#include "formats.h"

wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path, const char *format,
                               wgdn_error *err)
{
    const wgdn_format *f;
    wgdn_plain plain;
    wgdn_status st = wgdn_format_to_write(&f, wgdn_dataset_formats, format, path, err);
    if (st) return st;
    if (f->keeps_order) return f->write(d, path, err);
    st = wgdn_plain_open(&plain, d, err);
    if (!st) st = f->write(plain.d, path, err);
    wgdn_plain_close(&plain);
    return st;
}
