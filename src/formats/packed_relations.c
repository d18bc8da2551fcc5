/* SPDX-License-Identifier: Apache-2.0 */
/* Directions and types of edges in a packed dataset. */
#include "packed.h"

/* Every value a share of its row. */
static wgdn_status check_values(const wgdn_csr *a, const wgdn_packed *p)
{
    for (int64_t k = 0; k < wgdn_csr_entries(a); k++)
        if (!(a->value[k] >= 0 && a->value[k] <= 1))
            return wgdn_packed_refuse(p, "relations.value", "numbers from 0 to 1");
    return WGDN_OK;
}

wgdn_status wgdn_packed_relations(wgdn_dataset *d, const wgdn_packed *p)
{
    wgdn_relations *r = &d->relations;
    const wgdn_tensor *o = wgdn_archive_find(p->archive, "relations.offset");
    if (!o) return WGDN_OK;
    const int64_t rows = wgdn_tensor_count(o) - 1, count = rows / d->nodes;
    if (rows < 1 || rows % d->nodes || count > 2 * WGDN_TYPES_MAX)
        return wgdn_packed_refuse(p, "relations.offset", "rows of all nodes, up to 128 times");
    const wgdn_tensor *c = wgdn_packed_need(p, "relations.column", -1);
    const wgdn_tensor *v = c ? wgdn_packed_need(p, "relations.value", wgdn_tensor_count(c)) : NULL;
    if (!v) return WGDN_EFORMAT;
    r->rows = (wgdn_csr){.rows = rows, .cols = d->nodes};
    wgdn_status st = wgdn_array_int64(&r->rows.offset, NULL, o, p->name, p->err);
    if (!st) st = wgdn_array_int32(&r->rows.column, NULL, c, p->name, p->err);
    if (!st) st = wgdn_array_floats(&r->rows.value, NULL, v, p->name, p->err);
    if (!st) st = wgdn_rows_check(&r->rows, wgdn_tensor_count(c), "relations", p->name, p->err);
    if (!st) st = check_values(&r->rows, p);
    if (!st) st = wgdn_packed_names(&r->names, count, p, "relations");
    if (!st && r->names.count != count)
        st = wgdn_packed_refuse(p, "relations.start", "a name for each relation");
    if (!st) r->count = count;
    return st;
}
