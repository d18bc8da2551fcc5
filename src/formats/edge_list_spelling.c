/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds ids in the first rows of an edge list that spreadsheets and exports spoil: one id in two
 * spellings, and numbers that were rounded. edge_list_layout.c reports them; no id is changed.
 */
#include "edge_list.h"

#include <string.h>

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(wgdn_text t, size_t from)
{
    size_t at = from;
    while (at < t.size && is_digit(t.at[at]))
        at++;
    return at - from;
}

static wgdn_text cut(wgdn_text t, size_t front, size_t back)
{
    return wgdn_text_of(t.at + front, t.size - front - back);
}

/* Without single quotes, hard spaces, leading zeros and a fraction of zeros. */
static wgdn_text plain(wgdn_text t)
{
    static const char space[] = "\xc2\xa0"; /* UTF-8 */
    while (t.size > 2 && memcmp(t.at, space, 2) == 0)
        t = cut(t, 2, 0);
    while (t.size > 2 && memcmp(t.at + t.size - 2, space, 2) == 0)
        t = cut(t, 0, 2);
    if (t.size > 2 && t.at[0] == '\'' && t.at[t.size - 1] == '\'') t = cut(t, 1, 1);
    /* The number 7 of 007 and of 7.0. */
    const size_t digits = count_digits(t, 0);
    size_t zeros = 0, end = digits + 1;
    if (digits == 0) return t;
    while (digits < t.size && t.at[digits] == '.' && end < t.size && t.at[end] == '0')
        end++;
    if (digits < t.size && (end < t.size || end == digits + 1)) return t;
    while (zeros + 1 < digits && t.at[zeros] == '0')
        zeros++;
    return cut(t, zeros, t.size - digits);
}

/* 1.23E+15 */
static bool is_rounded(wgdn_text t)
{
    size_t at = 1;
    if (count_digits(t, 0) != 1) return false;
    if (at < t.size && (t.at[at] == '.' || t.at[at] == ',')) at += 1 + count_digits(t, at + 1);
    return at + 3 < t.size && (t.at[at] == 'E' || t.at[at] == 'e') && t.at[at + 1] == '+' &&
           count_digits(t, at + 2) == t.size - at - 2;
}

void wgdn_edge_spelling_find(wgdn_edge_spelling *out, const wgdn_ids *const end[2])
{
    char buffer[WGDN_INDEX_TEXT];
    *out = (wgdn_edge_spelling){.twice = {""}};
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < end[k]->count; i++) {
            const wgdn_text id = wgdn_ids_text(end[k], i, buffer), other = plain(id);
            if (!out->rounded[0] && is_rounded(id))
                wgdn_text_put(out->rounded, sizeof out->rounded, id);
            if (out->twice[0][0] || other.size == id.size ||
                (wgdn_ids_find(end[0], other) < 0 && wgdn_ids_find(end[1], other) < 0))
                continue;
            wgdn_text_put(out->twice[0], sizeof out->twice[0], id);
            wgdn_text_put(out->twice[1], sizeof out->twice[1], other);
        }
}
