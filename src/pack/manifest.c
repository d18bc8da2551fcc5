/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest.h"

#include "tape.h"

#include <string.h>
#include <xxhash.h>

static const char file_name[] = "manifest", new_name[] = "manifest.new";

/* In the file: this, the pieces, and the hash of both. */
typedef struct head {
    char magic[16];
    uint64_t digest;
    int64_t state[WGDN_MANIFEST_STATE], pieces;
} head;

static const char magic[16] = "wgdn manifest 1";

wgdn_status wgdn_manifest_add(wgdn_manifest *m, const wgdn_piece *p, wgdn_error *err)
{
    if (!wgdn_grow(&m->piece, &m->room, m->pieces + 1, sizeof *m->piece))
        return wgdn_fail(err, WGDN_ENOMEM, "scratch: a list of %lld runs", (long long)m->pieces);
    m->piece[m->pieces++] = *p;
    return WGDN_OK;
}

static uint64_t hash_of(const head *h, const wgdn_piece *piece)
{
    const uint64_t of_head = XXH3_64bits(h, sizeof *h);
    return XXH3_64bits_withSeed(piece, (size_t)h->pieces * sizeof *piece, of_head);
}

wgdn_status wgdn_manifest_save(const wgdn_manifest *m, const wgdn_scratch *s, wgdn_error *err)
{
    enum { ROOM = 1 << 12 };
    head h = {.digest = m->digest, .pieces = m->pieces};
    wgdn_tape to = {.fd = -1};
    uint64_t unused;
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.state, m->state, sizeof h.state);
    const uint64_t hash = hash_of(&h, m->piece);
    wgdn_status st = wgdn_tape_create(&to, s, new_name, ROOM, err);
    if (!st) st = wgdn_tape_put(&to, &h, sizeof h, err);
    if (!st) st = wgdn_tape_put(&to, m->piece, (size_t)m->pieces * sizeof *m->piece, err);
    if (!st) st = wgdn_tape_put(&to, &hash, sizeof hash, err);
    if (!st) st = wgdn_tape_finish(&to, &unused, err);
    wgdn_tape_close(&to);
    return st ? st : wgdn_scratch_rename(s, new_name, file_name, err);
}

/* Names stay within the folder, sizes add up: a manifest is checked like any other input. */
static bool check_pieces(const wgdn_piece *piece, int64_t count)
{
    int64_t left = INT64_MAX;
    for (int64_t i = 0; i < count; i++) {
        const wgdn_piece *p = &piece[i];
        if (!memchr(p->name, '\0', sizeof p->name) || strchr(p->name, '/') || p->bytes < 0 ||
            p->bytes > left)
            return false;
        left -= p->bytes;
    }
    return true;
}

static bool parse(wgdn_manifest *m, const wgdn_bytes *b)
{
    head h;
    uint64_t hash;
    if (b->size < sizeof h + sizeof hash) return false;
    memcpy(&h, b->data, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.digest != m->digest || h.pieces < 0 ||
        h.pieces > (int64_t)(b->size / sizeof(wgdn_piece)))
        return false;
    const size_t bytes = (size_t)h.pieces * sizeof(wgdn_piece);
    if (b->size != sizeof h + bytes + sizeof hash) return false;
    if (!wgdn_grow(&m->piece, &m->room, h.pieces, sizeof *m->piece)) return false;
    if (bytes) memcpy(m->piece, b->data + sizeof h, bytes);
    memcpy(&hash, b->data + sizeof h + bytes, sizeof hash);
    if (hash != hash_of(&h, m->piece) || !check_pieces(m->piece, h.pieces)) return false;
    memcpy(m->state, h.state, sizeof m->state);
    m->pieces = h.pieces;
    return true;
}

bool wgdn_manifest_load(wgdn_manifest *m, const wgdn_scratch *s)
{
    wgdn_bytes b = {0};
    const bool good = !wgdn_scratch_map(&b, s, file_name, NULL) && parse(m, &b);
    wgdn_bytes_free(&b);
    return good;
}

void wgdn_manifest_free(wgdn_manifest *m)
{
    wgdn_release(m->piece);
    *m = (wgdn_manifest){0};
}
