/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle.h"

void wgdn_bundle_add(wgdn_bundle *b, const char *name, wgdn_dtype dtype, int64_t rows,
                     int64_t columns, const void *data)
{
    if (b->st) return;
    b->tensor[b->tensors++] = (wgdn_tensor){.name = name,
                                            .dtype = dtype,
                                            .rank = columns < 0 ? 1 : 2,
                                            .shape = {rows, columns < 0 ? 0 : columns},
                                            .width = wgdn_dtype_width(dtype),
                                            .data = data};
}

void *wgdn_bundle_block(wgdn_bundle *b, size_t count, size_t size)
{
    void *p = b->st ? NULL : wgdn_alloc_zero(count, size);
    if (!p && !b->st) b->st = wgdn_fail(b->err, WGDN_ENOMEM, "dataset: writing it");
    b->block[b->blocks++] = p;
    return p;
}

void wgdn_bundle_number(wgdn_bundle *b, const char *name, int64_t value)
{
    int64_t *p = wgdn_bundle_block(b, 1, sizeof *p);
    if (p) *p = value;
    wgdn_bundle_add(b, name, WGDN_I64, 1, -1, p);
}

void wgdn_bundle_free(wgdn_bundle *b)
{
    while (b->blocks > 0)
        wgdn_release(b->block[--b->blocks]);
}
