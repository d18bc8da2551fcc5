/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include "codec/lines.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static bool is_any(wgdn_text t, const char *const *word, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wgdn_text_is(t, word[i])) return true;
    return false;
}

bool wgdn_field_missing(wgdn_text t)
{
    static const char *const word[] = {"", "na", "n/a", "nan", "null", "none", "?"};
    return t.size <= 4 && is_any(t, word, sizeof word / sizeof *word);
}

wgdn_field wgdn_field_of(wgdn_text t, char decimal, wgdn_day_order order, double *value)
{
    static const char *const no[] = {"false", "no"}, *const yes[] = {"true", "yes"};
    const wgdn_lines l = {.decimal = decimal};
    *value = 0;
    if (t.size && t.at[0] >= '0' && t.at[0] <= '9' && wgdn_lines_number(&l, t, value))
        return WGDN_FIELD_NUMBER; /* the most frequent ones first */
    if (wgdn_field_missing(t)) return WGDN_FIELD_MISSING;
    if (wgdn_lines_number(&l, t, value)) /* nan in another spelling is missing, too */
        return *value == *value ? WGDN_FIELD_NUMBER : WGDN_FIELD_MISSING;
    if (wgdn_text_day(t, order, value)) return WGDN_FIELD_DAY;
    *value = 0;
    if (t.size <= 5 && is_any(t, no, 2)) return WGDN_FIELD_BOOLEAN;
    *value = 1;
    return t.size <= 5 && is_any(t, yes, 2) ? WGDN_FIELD_BOOLEAN : WGDN_FIELD_WORD;
}

/* ---- rows ---- */

static int64_t find_category(const wgdn_names *n, wgdn_text t)
{
    for (int64_t i = 0; i < n->count; i++)
        if (wgdn_text_compare(wgdn_names_get(n, i), t) == 0) return i;
    return -1;
}

static void put(wgdn_cell *out, int *count, int64_t column, double value)
{
    if ((float)value == 0) return;
    out[(*count)++] = (wgdn_cell){(int32_t)column, (float)value};
}

static double scaled(const wgdn_column *c, double x)
{
    return c->unit > 0 ? (x - c->shift) / c->unit : 0;
}

static wgdn_cell_news category_cells(wgdn_cell *out, int *count, const wgdn_column *c,
                                     wgdn_text field)
{
    int64_t place;
    if (c->kind == WGDN_FEATURE_HASHED)
        place = (int64_t)(XXH3_64bits(field.at, field.size) % (uint64_t)c->buckets);
    else
        place = find_category(&c->category, field);
    if (place < 0) return WGDN_CELL_UNKNOWN;
    put(out, count, c->first + place, 1);
    return WGDN_CELL_FINE;
}

wgdn_cell_news wgdn_column_cells(wgdn_cell out[WGDN_CELLS], int *count, const wgdn_column *c,
                                 wgdn_text field, char decimal)
{
    static const wgdn_field wanted[] = {WGDN_FIELD_NUMBER, WGDN_FIELD_DAY, WGDN_FIELD_BOOLEAN};
    const bool words = c->kind >= WGDN_FEATURE_CATEGORY;
    double x;
    const wgdn_field is = wgdn_field_of(field, decimal, c->order, &x);
    *count = 0;
    if (is == WGDN_FIELD_MISSING) {
        if (!words) put(out, count, c->first, scaled(c, c->mean));
        if (c->flagged) put(out, count, c->first + c->width - 1, 1);
        return WGDN_CELL_MISSING;
    }
    if (words) return category_cells(out, count, c, field);
    const bool digit = c->kind == WGDN_FEATURE_BOOLEAN && is == WGDN_FIELD_NUMBER;
    if (!(digit && (x == 0 || x == 1)) && is != wanted[c->kind]) return WGDN_CELL_WRONG;
    x = scaled(c, x);
    if (!((float)x - (float)x == 0)) return WGDN_CELL_WRONG; /* beyond what a float holds */
    put(out, count, c->first, x);
    return WGDN_CELL_FINE;
}

void wgdn_block_lay_out(wgdn_block *b)
{
    int64_t at = 0;
    for (int64_t i = 0; i < b->columns; i++) {
        wgdn_column *c = &b->column[i];
        const int64_t own = c->kind == WGDN_FEATURE_CATEGORY ? c->category.count
                            : c->kind == WGDN_FEATURE_HASHED ? c->buckets
                                                             : 1;
        c->first = at;
        c->width = own + c->flagged;
        at += c->width;
    }
    b->width = at;
}

/* ---- memory ---- */

wgdn_status wgdn_encoding_add(wgdn_encoding *e, wgdn_block **out, wgdn_error *err)
{
    if (!wgdn_grow(&e->block, &e->room, e->blocks + 1, sizeof *e->block))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld blocks", (long long)e->blocks);
    *out = &e->block[e->blocks++];
    **out = (wgdn_block){0};
    return WGDN_OK;
}

wgdn_status wgdn_block_add(wgdn_block *b, wgdn_column **out, wgdn_error *err)
{
    if (!wgdn_grow(&b->column, &b->room, b->columns + 1, sizeof *b->column))
        return wgdn_fail(err, WGDN_ENOMEM, "features: %lld columns", (long long)b->columns);
    *out = &b->column[b->columns++];
    **out = (wgdn_column){.unit = 1};
    return WGDN_OK;
}

void wgdn_block_free(wgdn_block *b)
{
    for (int64_t i = 0; i < b->columns; i++) {
        wgdn_names_free(&b->column[i].category);
        wgdn_names_free(&b->column[i].name);
    }
    wgdn_release(b->column);
    *b = (wgdn_block){0};
}

void wgdn_encoding_free(wgdn_encoding *e)
{
    for (int64_t i = 0; i < e->blocks; i++)
        wgdn_block_free(&e->block[i]);
    wgdn_release(e->block);
    *e = (wgdn_encoding){0};
}

/* ---- do two of them mean the same? ---- */

static bool same_names(const wgdn_names *a, const wgdn_names *b)
{
    if (a->count != b->count) return false;
    for (int64_t i = 0; i < a->count; i++)
        if (wgdn_text_compare(wgdn_names_get(a, i), wgdn_names_get(b, i)) != 0) return false;
    return true;
}

static bool same_column(const wgdn_column *a, const wgdn_column *b)
{
    return a->kind == b->kind && a->order == b->order && a->flagged == b->flagged &&
           a->shift == b->shift && a->unit == b->unit && a->buckets == b->buckets &&
           same_names(&a->name, &b->name) && same_names(&a->category, &b->category);
}

bool wgdn_encoding_same(const wgdn_encoding *a, const wgdn_encoding *b)
{
    if (a->blocks != b->blocks) return false;
    for (int64_t i = 0; i < a->blocks; i++) {
        const wgdn_block *x = &a->block[i], *y = &b->block[i];
        if (x->kind != y->kind || x->width != y->width || x->scale != y->scale ||
            x->columns != y->columns)
            return false;
        for (int64_t k = 0; k < x->columns; k++)
            if (!same_column(&x->column[k], &y->column[k])) return false;
    }
    return true;
}

wgdn_status wgdn_encodings_agree(const char *model, const char *data, wgdn_error *err)
{
    wgdn_encoding a = {0}, b = {0};
    if (!model || !data || strcmp(model, data) == 0) return WGDN_OK;
    wgdn_status st = wgdn_encoding_parse(&a, model, err);
    if (!st) st = wgdn_encoding_parse(&b, data, err);
    if (!st && !wgdn_encoding_same(&a, &b))
        st = wgdn_fail(err, WGDN_EINVAL,
                       "features: the model knows other columns, categories or scales: give it the "
                       "table itself (--features), and it is encoded as the model's was");
    wgdn_encoding_free(&b);
    wgdn_encoding_free(&a);
    return st;
}

wgdn_status wgdn_encoding_want(const char *text, wgdn_error *err)
{
    enum { NAMED = 8 };
    wgdn_encoding e = {0};
    char names[400] = "";
    size_t used = 0;
    int64_t count = 0;
    const wgdn_status st = wgdn_encoding_parse(&e, text, err);
    for (int64_t i = 0; i < e.blocks && !st; i++)
        for (int64_t k = 0; k < e.block[i].columns && e.block[i].headed; k++) {
            const wgdn_shown name = wgdn_show(wgdn_names_get(&e.block[i].column[k].name, 0));
            if (count++ < NAMED && used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         count > 1 ? ", " : "", name.text);
        }
    wgdn_encoding_free(&e);
    if (st) return st;
    return wgdn_fail(err, WGDN_EINVAL, "the model needs --features%s%s%s",
                     count ? " with the columns " : ", as it was made with a table", names,
                     count > NAMED ? ", ..." : "");
}
