/* SPDX-License-Identifier: Apache-2.0 */
/* Integers that are there, as the texts of the nodes' ids. */
#include "edge_pack.h"

enum { BUFFER = 1 << 16 };

/* 0, 1, 2, ... without a gap need no texts. */
static bool plain(const wgdn_bits *b)
{
    for (int64_t i = 0; i < b->count; i++)
        if (!wgdn_bits_get(b, i)) return false;
    return true;
}

static wgdn_status put_ids(wgdn_tape *start, wgdn_tape *text, const wgdn_bits *b, wgdn_error *err)
{
    int64_t end = 0;
    wgdn_status st = wgdn_tape_put(start, &end, sizeof end, err);
    for (int64_t w = 0; w <= b->reach / 64 && !st; w++)
        for (uint64_t left = b->word[w]; left && !st; left &= left - 1) {
            char digits[WGDN_INDEX_TEXT];
            const size_t size = wgdn_print_index(digits, 64 * w + __builtin_ctzll(left));
            end += (int64_t)size;
            st = wgdn_tape_put(text, digits, size, err);
            if (!st) st = wgdn_tape_put(start, &end, sizeof end, err);
        }
    return st;
}

wgdn_status wgdn_pack_integers(wgdn_pack *p, wgdn_error *err)
{
    wgdn_tape start = {.fd = -1}, text = {.fd = -1};
    p->state.named = !plain(&p->bits);
    if (!p->state.named) return WGDN_OK;
    wgdn_status st = wgdn_tape_create(&start, p->scratch, "ids.start", BUFFER, err);
    if (!st) st = wgdn_tape_create(&text, p->scratch, "ids.text", BUFFER, err);
    if (!st) st = put_ids(&start, &text, &p->bits, err);
    if (!st) st = wgdn_pack_finish(p, &start, "ids.start", err);
    if (!st) st = wgdn_pack_finish(p, &text, "ids.text", err);
    wgdn_tape_close(&start);
    wgdn_tape_close(&text);
    return st;
}
