/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table found again by an encoding that was decided before. */
#include "parts_columns.h"

static wgdn_status refuse_missing(const wgdn_reading *r, int64_t k, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: no column %s, which the model was made with: its headings must be there, "
                     "in any order",
                     wgdn_show_name(r->in->name).text,
                     wgdn_show(wgdn_names_get(&r->block->column[k].name, 0)).text);
}

static wgdn_status refuse_twice(const wgdn_reading *r, int64_t j, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EFORMAT, "%s: more than one column is headed %s: rename it",
                     wgdn_show_name(r->in->name).text, wgdn_reading_name(r, j).text);
}

wgdn_status wgdn_reading_unique(const wgdn_reading *r, wgdn_error *err)
{
    wgdn_ids ids;
    wgdn_status st = WGDN_OK;
    int32_t *index = wgdn_alloc((size_t)r->columns, sizeof *index);
    int64_t *count = wgdn_alloc_zero((size_t)r->columns, sizeof *count);
    wgdn_ids_open(&ids, r->columns);
    if (!index || !count) {
        st = wgdn_reading_no_memory(r, err);
        goto done;
    }
    for (int64_t j = 0; j < r->columns && !st; j++) {
        const wgdn_text name = wgdn_names_get(&r->head, j + r->head.count - r->columns);
        st = wgdn_ids_add(&ids, &name, 1, &index[j], err);
        if (!st && index[j] >= 0) count[index[j]]++;
    }
    for (int64_t k = 0; k < r->block->columns && !st; k++) {
        const int64_t j = r->place[k];
        if (index[j] < 0 || count[index[j]] > 1) st = refuse_twice(r, j, err);
    }

done:
    wgdn_ids_close(&ids);
    wgdn_release(count);
    wgdn_release(index);
    return st;
}

static wgdn_status find_places(wgdn_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    for (int64_t k = 0; k < r->block->columns; k++) {
        const wgdn_text name = wgdn_names_get(&r->block->column[k].name, 0);
        int64_t j = k; /* most often they are where they were */
        if (j >= r->columns || wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) != 0)
            for (j = 0; j < r->columns; j++)
                if (wgdn_text_compare(wgdn_names_get(&r->head, j + extra), name) == 0) break;
        if (j == r->columns) return refuse_missing(r, k, err);
        r->place[k] = j;
    }
    return WGDN_OK;
}

/* Without headings: columns go by their places, and row 1 is one where it does not fit them. */
static wgdn_status take_places(wgdn_reading *r, wgdn_error *err)
{
    const int64_t extra = r->head.count - r->columns;
    if (r->columns != r->block->of)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %lld columns, where the model was made with %lld",
                         wgdn_show_name(r->in->name).text, (long long)r->columns,
                         (long long)r->block->of);
    r->headed = r->in->header == WGDN_HEADER_YES;
    for (int64_t k = 0; k < r->block->columns; k++) {
        wgdn_cell cell[WGDN_CELLS];
        int count;
        (void)wgdn_text_index(wgdn_names_get(&r->block->column[k].name, 0), &r->place[k]);
        r->place[k]--;
        if (r->in->header == WGDN_HEADER_AUTO && (extra == 0 || extra == 1) &&
            wgdn_column_cells(cell, &count, &r->block->column[k],
                              wgdn_names_get(&r->head, r->place[k] + extra),
                              r->decimal) == WGDN_CELL_WRONG)
            r->headed = extra == 0 || wgdn_ids_find(r->ids, wgdn_names_get(&r->head, 0)) < 0;
    }
    return WGDN_OK;
}

static wgdn_status count_columns(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    (void)r, (void)l, (void)err;
    return WGDN_OK;
}

wgdn_status wgdn_reading_match(wgdn_reading *r, wgdn_error *err)
{
    r->headed = r->block->headed;
    wgdn_status st =
        wgdn_reading_walk(r, r->headed || r->in->header == WGDN_HEADER_YES, count_columns, err);
    if (!st && r->columns == 0) r->columns = r->head.count - 1;
    if (!st) st = wgdn_reading_reserve(r, r->block->columns, err);
    if (st) return st;
    const int64_t extra = r->head.count - r->columns;
    if (r->headed && extra != 0 && extra != 1) return refuse_missing(r, 0, err);
    if (!r->headed) return take_places(r, err);
    st = find_places(r, err);
    return st ? st : wgdn_reading_unique(r, err);
}
