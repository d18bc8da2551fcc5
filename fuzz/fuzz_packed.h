/* SPDX-License-Identifier: Apache-2.0 */
/* A packed dataset that is small enough to be used thousands of times a second. */
#ifndef WGDN_FUZZ_PACKED_H
#define WGDN_FUZZ_PACKED_H

#include "fuzz_sizes.h"
#include "fuzz_use.h"

/* What becomes of a dataset; way: which of several uses. */
typedef wgdn_status fuzz_user(const wgdn_dataset *d, unsigned way, wgdn_error *err);

static inline void fuzz_packed(fuzz_user *use, const uint8_t *data, size_t size)
{
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_bytes b = {.data = data, .size = size, .name = "input"};
    const int64_t live = fuzz_use_begin();
    wgdn_dataset_options_init(&o);
    o.max_nodes = FUZZ_NODES_MAX;
    o.max_entries = 8 * FUZZ_NODES_MAX;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    FUZZ_EXPECT(d);
    d->graphs = 1;
    wgdn_status st = wgdn_archive_parse(&d->archive, &b, FUZZ_LIMIT, &err);
    if (!st) st = wgdn_packed_parse(d, "input", &o, &err);
    if (!st) st = use(d, fuzz_way(data, size), &err);
    FUZZ_EXPECT(fuzz_refuses(st, &err));
    wgdn_dataset_free(d);
    FUZZ_EXPECT(wgdn_alloc_live() == live);
}

#endif
