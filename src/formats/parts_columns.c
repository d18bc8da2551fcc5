/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables as people have them: numbers, categories, dates, booleans, gaps. The text is read several
 * times: what kinds of values a column has, then which words, then the rows.
 */
#include "parts_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

wgdn_status wgdn_reading_no_memory(const wgdn_reading *r, wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld columns", wgdn_show_name(r->in->name).text,
                     (long long)r->columns);
}

/* The id before the other fields of a row. */
static void id_first(const wgdn_lines *l, int64_t id)
{
    if (id >= l->fields) return;
    const wgdn_text own = l->field[id];
    memmove(l->field + 1, l->field, (size_t)id * sizeof *l->field);
    l->field[0] = own;
}

wgdn_status wgdn_reading_walk(wgdn_reading *r, bool skip, wgdn_row_taker *take, wgdn_error *err)
{
    wgdn_lines l;
    bool more = true;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = skip ? wgdn_lines_next(&l, &more, err) : WGDN_OK;
    while (!st && more) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        if (l.fields < 2)
            st = wgdn_lines_fail(&l, 0, err, "%s alone: expected an id and its features",
                                 wgdn_show(l.field[0]).text);
        else if (r->columns && l.fields - 1 != r->columns)
            st = wgdn_lines_fail(&l, l.fields - 1, err,
                                 "%lld features, where the rows before have %lld",
                                 (long long)l.fields - 1, (long long)r->columns);
        if (!st) r->columns = l.fields - 1;
        if (!st) id_first(&l, r->id);
        if (!st) st = take(r, &l, err);
    }
    wgdn_lines_close(&l);
    return st;
}

wgdn_shown wgdn_reading_name(const wgdn_reading *r, int64_t j)
{
    wgdn_shown s;
    if (r->headed) return wgdn_show(wgdn_names_get(&r->head, j + r->head.count - r->columns));
    snprintf(s.text, sizeof s.text, "%lld", (long long)j + 1);
    return s;
}

wgdn_status wgdn_reading_reserve(wgdn_reading *r, int64_t columns, wgdn_error *err)
{
    r->place = wgdn_alloc((size_t)columns, sizeof *r->place);
    r->missing = wgdn_alloc_zero((size_t)columns, sizeof *r->missing);
    r->unknown = wgdn_alloc_zero((size_t)columns, sizeof *r->unknown);
    r->cell = wgdn_alloc(WGDN_CELLS * (size_t)columns, sizeof *r->cell);
    return r->place && r->missing && r->unknown && r->cell ? WGDN_OK
                                                           : wgdn_reading_no_memory(r, err);
}

static wgdn_status read_head(wgdn_reading *r, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    wgdn_lines_open(&l, r->in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && !more)
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: no rows: expected an id and its features per line",
                       wgdn_show_name(r->in->name).text);
    if (!st) st = wgdn_table_find_id(&r->id, &r->id_named, &l, r->in, err);
    if (!st) id_first(&l, r->id);
    if (!st) st = wgdn_names_from(&r->head, l.field, l.fields, err);
    r->decimal = l.decimal;
    wgdn_lines_close(&l);
    return st;
}

/* ---- the rows ---- */

/* x / |x|; a row of zeros stays one. */
static void scale_row(wgdn_cell *cell, int64_t count)
{
    double squares = 0;
    for (int64_t k = 0; k < count; k++)
        squares += (double)cell[k].value * (double)cell[k].value;
    for (int64_t k = 0; k < count; k++)
        cell[k].value = (float)((double)cell[k].value / sqrt(squares));
}

static wgdn_status encode_row(wgdn_reading *r, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_block *b = r->block;
    int64_t cells = 0;
    if (wgdn_table_skips(r->t, r->ids, l->field[0])) return WGDN_OK;
    wgdn_status st = wgdn_table_row(r->t, r->ids, l->field[0], l->line, err);
    for (int64_t k = 0; k < b->columns && !st; k++) {
        const wgdn_text field = l->field[r->place[k] + 1];
        int count;
        const wgdn_cell_news news =
            wgdn_column_cells(r->cell + cells, &count, &b->column[k], field, r->decimal);
        if (news == WGDN_CELL_MISSING) r->missing[k]++;
        if (news == WGDN_CELL_UNKNOWN) r->unknown[k]++;
        if (news == WGDN_CELL_WRONG) {
            static const char *const wanted[] = {"number", "date", "boolean"};
            return wgdn_lines_fail(
                l, r->place[k] + 1, err, "%s is not a %s, as column %s is one of %ss",
                wgdn_show(field).text, wanted[b->column[k].kind],
                wgdn_reading_name(r, r->place[k]).text, wanted[b->column[k].kind]);
        }
        cells += count;
    }
    if (b->scale == WGDN_SCALE_ROW) scale_row(r->cell, cells);
    for (int64_t i = 0; i < cells && !st; i++)
        st = wgdn_table_entry(r->t, r->cell[i].column, r->cell[i].value, err);
    return st;
}

static wgdn_status read_columns(wgdn_reading *r, wgdn_error *err)
{
    wgdn_status st = read_head(r, err);
    if (!st && r->plan->given) {
        st = wgdn_reading_match(r, err);
    } else if (!st) {
        st = wgdn_reading_decide(r, err);
    }
    if (!st) st = wgdn_reading_walk(r, r->headed, encode_row, err);
    if (!st) r->t->width = r->block->width;
    if (!st) st = wgdn_reading_remark(r, err);
    return st;
}

/* ---- numbers alone, as they are ---- */

static wgdn_status read_numbers(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_status st = wgdn_table_read(t, ids, in, err);
    if (st) return st;
    plan->made->kind = WGDN_BLOCK_NUMBERS;
    plan->made->width = t->width;
    if (plan->given && plan->given->width != t->width)
        return wgdn_fail(err, WGDN_EINVAL, "%s: %lld columns, where the model was made with %lld",
                         wgdn_show_name(in->name).text, (long long)t->width,
                         (long long)plan->given->width);
    return wgdn_remarks_add(plan->remarks, "feature-table", t->width, err,
                            "%s: data from line %lld on; %lld column%s of numbers, which stay as "
                            "they are",
                            wgdn_show_name(in->name).text,
                            (long long)(t->rows ? t->line[t->node[0]] : 1), (long long)t->width,
                            t->width == 1 ? "" : "s");
}

/* Without headings and without a wish, numbers are read at once; true when that was all. */
static bool try_numbers(wgdn_status *st, wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                        const wgdn_table_plan *plan, wgdn_error *err)
{
    const bool wish = plan->ignore || plan->scale == WGDN_SCALE_STANDARD ||
                      plan->scale == WGDN_SCALE_ROW || plan->given;
    wgdn_error why = {WGDN_OK, ""};
    if (wish || !wgdn_table_starts_bare(in)) return false;
    *st = read_numbers(t, ids, in, plan, &why);
    if (*st == WGDN_EFORMAT) { /* not numbers, after all */
        wgdn_table_free(t);
        t->name = in->name;
        *st = WGDN_OK;
        return false;
    }
    if (*st) *st = wgdn_fail(err, *st, "%s", why.message);
    return true;
}

wgdn_status wgdn_table_read_columns(wgdn_table *t, wgdn_ids *ids, const wgdn_input *in,
                                    const wgdn_table_plan *plan, wgdn_error *err)
{
    wgdn_reading r = {.t = t, .ids = ids, .in = in, .plan = plan};
    wgdn_status st = WGDN_OK;
    t->name = in->name;
    if (plan->numbers || (plan->given && plan->given->kind == WGDN_BLOCK_NUMBERS))
        return read_numbers(t, ids, in, plan, err);
    if (plan->given && plan->given->kind == WGDN_BLOCK_ARRAY)
        return wgdn_fail(err, WGDN_EINVAL, "%s: the model was made with an array here, not a table",
                         wgdn_show_name(in->name).text);
    if (try_numbers(&st, t, ids, in, plan, err)) return st;
    r.block = plan->given ? plan->given : plan->made;
    st = read_columns(&r, err);
    wgdn_release(r.cell);
    wgdn_release(r.unknown);
    wgdn_release(r.missing);
    wgdn_release(r.place);
    wgdn_reading_forget(&r);
    wgdn_names_free(&r.head);
    return st;
}
