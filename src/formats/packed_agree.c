/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that read one file, or copies of it, find out whether it is the same and whole. The header
 * has a checksum of each tensor. It is taken in pieces, from rank to rank, of the rows that each
 * will use: so what all ranks use together is what was written, and nobody reads more than that.
 */
#include "packed.h"

#include "codec/checksum.h"

#include <stdio.h>
#include <string.h>

enum { SMALL = 4096 }; /* bytes of a tensor that every rank checks by itself */

static const char *checksum_of(const wgdn_archive *a, const wgdn_tensor *t)
{
    for (int64_t i = 0; i < a->checksums; i++)
        if (strcmp(a->checksum[i].key, t->name) == 0) return a->checksum[i].value;
    return NULL;
}

static size_t bytes_of(const wgdn_tensor *t)
{
    return (size_t)wgdn_tensor_count(t) * t->width;
}

static bool is_right(const wgdn_archive *a, const wgdn_tensor *t)
{
    char text[WGDN_HASH_TEXT];
    const char *expected = checksum_of(a, t);
    wgdn_checksum_of(text, t->data, bytes_of(t), NULL, false);
    return !expected || strcmp(text, expected) == 0;
}

/* ---- the part of a tensor that belongs to the rows here ---- */

typedef struct range {
    int64_t begin, end;
} range;

static int64_t within(int64_t at, int64_t most)
{
    return at < 0 ? 0 : wgdn_min(at, most);
}

/* Entries of rows whose offsets are the tensor of this name; offsets are not yet trusted. */
static bool entry_range(range *out, const wgdn_dataset *d, const char *offsets, int64_t count)
{
    const wgdn_tensor *t = wgdn_archive_find(&d->archive, offsets);
    const wgdn_span rows = wgdn_dist_span(&d->dist);
    if (!t || t->dtype != WGDN_I64 || wgdn_tensor_count(t) != rows.total + 1) return false;
    const int64_t *at = t->data;
    *out = (range){within(at[rows.first], count), within(at[rows.first + rows.count], count)};
    return true;
}

/* Elements of t that are of the rows here; false where it has no part for every row. */
static bool row_range(range *out, const wgdn_dataset *d, const wgdn_tensor *t)
{
    const wgdn_span rows = wgdn_dist_span(&d->dist);
    const int64_t count = wgdn_tensor_count(t);
    const bool last = d->dist.ranks->rank == d->dist.ranks->count - 1;
    *out = (range){rows.first, rows.first + rows.count};
    if (strcmp(t->name, "graph.column") == 0 || strcmp(t->name, "graph.value") == 0) {
        if (!entry_range(out, d, "graph.offset", count)) return false;
    } else if (strcmp(t->name, "features.column") == 0 || strcmp(t->name, "features.value") == 0) {
        if (!entry_range(out, d, "features.offset", count)) return false;
    } else if (strcmp(t->name, "features.dense") == 0 && t->rank == 2) {
        out->begin *= t->shape[1];
        out->end *= t->shape[1];
    } else if (strcmp(t->name, "order") != 0 && strcmp(t->name, "graph.offset") != 0 &&
               strcmp(t->name, "features.offset") != 0) {
        return false;
    }
    if (d->dist.ranks->rank == 0) out->begin = 0;
    if (last) out->end = count;
    out->begin = within(out->begin, count);
    out->end = within(out->end, count);
    if (out->end < out->begin) out->end = out->begin;
    return true;
}

/* ---- checksums ---- */

/* From the rank before, or to the one behind. */
static void hand_on(wgdn_ranks *r, wgdn_checksum *out, wgdn_checksum *in)
{
    size_t *bytes = (size_t *)(void *)r->join;
    memset(bytes, 0, 2 * (size_t)r->count * sizeof *bytes);
    if (out) bytes[r->rank + 1] = sizeof *out;
    if (in) bytes[r->count + r->rank - 1] = sizeof *in;
    r->call->swap(r, out, bytes, in, bytes + r->count);
}

/* Whether the parts of all ranks have the checksum; the last rank knows. */
static bool chain(const wgdn_dataset *d, const wgdn_tensor *t, range part)
{
    wgdn_ranks *r = d->dist.ranks;
    char text[WGDN_HASH_TEXT];
    wgdn_checksum c;
    wgdn_checksum_begin(&c);
    if (r->rank > 0) hand_on(r, NULL, &c);
    wgdn_checksum_resume(&c);
    wgdn_checksum_add(&c, (const char *)t->data + (size_t)part.begin * t->width,
                      (size_t)(part.end - part.begin) * t->width);
    if (r->rank < r->count - 1) {
        hand_on(r, &c, NULL);
        return true;
    }
    wgdn_checksum_text(text, &c);
    return strcmp(text, checksum_of(&d->archive, t)) == 0;
}

/* The number of a tensor whose checksum is wrong, from 1 on, as far as this rank sees; 0: none. */
static int64_t find_wrong(const wgdn_dataset *d)
{
    const wgdn_archive *a = &d->archive;
    int64_t wrong = 0;
    for (int64_t i = 0; i < a->tensors; i++) {
        const wgdn_tensor *t = &a->tensor[i];
        range part;
        bool right = true;
        const bool large = bytes_of(t) > SMALL;
        if (large && row_range(&part, d, t))
            right = chain(d, t, part);
        else if (!large || d->dist.ranks->rank == 0)
            right = is_right(a, t);
        if (!right) wrong = i + 1;
    }
    return wrong;
}

/* Each looks at the whole of a tensor that is wrong somewhere, to say whose file it is. */
static wgdn_status blame(const wgdn_dataset *d, int64_t wrong, const char *name, wgdn_error *err)
{
    const wgdn_archive *a = &d->archive;
    const wgdn_tensor *t = &a->tensor[wrong - 1];
    wgdn_status st = WGDN_OK;
    if (!is_right(a, t))
        st = wgdn_fail(err, WGDN_EFORMAT,
                       "%s: '%s': the checksum of its data is wrong: the file is damaged",
                       wgdn_show_name(name).text, t->name);
    st = wgdn_ranks_agree(d->dist.ranks, st, err);
    if (st) return st;
    st = wgdn_fail(err, WGDN_EFORMAT, "%s: '%s': its data changed while ranks were reading it",
                   wgdn_show_name(name).text, t->name);
    return wgdn_ranks_agree(d->dist.ranks, st, err);
}

/* ---- all of it ---- */

static void file_facts(wgdn_facts *f, const wgdn_dataset *d)
{
    const wgdn_archive *a = &d->archive;
    if (!d->dist.start) return; /* it could not be opened */
    wgdn_facts_add(f, "another data file: its nodes", "%lld", (long long)d->nodes);
    wgdn_facts_add(f, "another data file: its digest", "%016llx", (unsigned long long)a->digest);
    for (int64_t i = 0; i < a->tensors && !a->checksums; i++) {
        char text[WGDN_HASH_TEXT], what[96];
        wgdn_checksum_of(text, a->tensor[i].data, bytes_of(&a->tensor[i]), NULL, false);
        snprintf(what, sizeof what, "digest of '%.64s'", a->tensor[i].name);
        wgdn_facts_add(f, what, "%s", text);
    }
    wgdn_facts_digest(f, "other shares of the data file: their digest", d->dist.start,
                      ((size_t)d->dist.ranks->count + 1) * sizeof *d->dist.start);
}

wgdn_status wgdn_packed_agree(const wgdn_dataset *d, wgdn_status st, const char *name,
                              const wgdn_dataset_options *o, wgdn_error *err)
{
    wgdn_facts f = {.used = 0};
    wgdn_facts_add(&f, "version of wgdn", "%s%s", wgdn_version(),
                   wgdn_fault_is(o->ranks, "version", 0) ? "-other" : "");
    wgdn_facts_add(&f, "version of xxHash", "%u", wgdn_checksum_version());
    wgdn_facts_add(&f, "CPU level (WGDN_CPU)", "%s", wgdn_cpu_name(wgdn_cpu_level()));
    wgdn_facts_options(&f, WGDN_OPTIONS_DATASET, o);
    if (!st) file_facts(&f, d);
    st = wgdn_ranks_compare(o->ranks, st, &f, err);
    if (st || !d->archive.checksums) return st;
    int64_t wrong = find_wrong(d);
    st = wgdn_ranks_meet(o->ranks, WGDN_OK, &wrong, err);
    return st || !wrong ? st : blame(d, wrong, name, err);
}
