/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes: any bytes to 0 .. count - 1, in order of first appearance. */
#ifndef WGDN_DATA_IDS_H
#define WGDN_DATA_IDS_H

#include "io/archive.h"
#include "io/text.h"

typedef struct wgdn_id_slot wgdn_id_slot;

/*
 * Two ways to hold them. While every id is a small non-negative integer in its canonical spelling, a
 * table indexed by the integer is enough (`direct`). The first other id moves all of them to text
 * and a hash table; nobody outside notices. "7" and "007" are different ids either way.
 */
typedef struct wgdn_ids {
    int64_t count;
    int64_t max;    /* count never grows beyond it */
    bool direct;    /* the two arrays below are in use, not the text */
    bool numeric;   /* every id is digits without needless zeros */
    bool borrowed;  /* start and text are somebody else's */
    bool fixed;     /* no new ids: unknown ones are refused */
    int32_t *index; /* integer -> index + 1, 0 for none; reach of them */
    int64_t reach;
    int64_t *value; /* index -> integer */
    int64_t value_room;
    int64_t *start; /* index -> where its text starts; the end of the last one behind it */
    int64_t start_room;
    unsigned char *text;
    int64_t text_room;
    wgdn_id_slot *slot; /* slots of them, a power of two */
    int64_t slots;
} wgdn_ids;

enum { WGDN_ID_MAX = 65535 };

static inline void wgdn_ids_open(wgdn_ids *ids, int64_t max)
{
    *ids = (wgdn_ids){.max = max < INT32_MAX ? max : INT32_MAX, .direct = true, .numeric = true};
}

static inline void wgdn_ids_close(wgdn_ids *ids)
{
    wgdn_release(ids->slot);
    if (!ids->borrowed) {
        wgdn_release(ids->text);
        wgdn_release(ids->start);
    }
    wgdn_release(ids->value);
    wgdn_release(ids->index);
    *ids = (wgdn_ids){0};
}

/* The numbers first, first + 1, ... in order, and no others. */
WGDN_MUST_CHECK wgdn_status wgdn_ids_open_fixed(wgdn_ids *ids, int64_t count, int64_t first,
                                                wgdn_error *err);

/*
 * The indices of several ids, new ones being added; -1 for one that cannot be, which is unknown
 * where no more are allowed, or too long. Working in batches hides the memory's latency.
 */
WGDN_MUST_CHECK wgdn_status wgdn_ids_add(wgdn_ids *ids, const wgdn_text *id, int64_t count,
                                         int32_t *out, wgdn_error *err);
int64_t wgdn_ids_find(const wgdn_ids *ids, wgdn_text id); /* -1 if it is not there */
/*
 * Texts that are there already, in the order of the nodes; they must outlive it. Without an index
 * wgdn_ids_find() looks at them one after another, or by halves where they are numeric.
 */
static inline void wgdn_ids_borrow(wgdn_ids *ids, int64_t count, const int64_t *start,
                                   const unsigned char *text)
{
    *ids = (wgdn_ids){.count = count, .max = count, .fixed = true, .borrowed = true};
    ids->start = (int64_t *)(uintptr_t)start;
    ids->text = (unsigned char *)(uintptr_t)text;
}
WGDN_MUST_CHECK wgdn_status wgdn_ids_index(wgdn_ids *ids, wgdn_error *err);
/* The text of one; buffer serves where the text is not stored. */
static inline wgdn_text wgdn_ids_text(const wgdn_ids *ids, int64_t i, char buffer[WGDN_INDEX_TEXT])
{
    if (ids->direct) return wgdn_text_of(buffer, wgdn_print_index(buffer, ids->value[i]));
    return wgdn_text_of(ids->text + ids->start[i], (size_t)(ids->start[i + 1] - ids->start[i]));
}

/*
 * The order nodes are numbered in: integers by value, other ids as they first appeared. Gives
 * rank[old index] = new index and sorts the table; *rank is NULL when nothing changes.
 */
WGDN_MUST_CHECK wgdn_status wgdn_ids_sort(wgdn_ids *ids, int32_t **rank, wgdn_error *err);
/* The integers below reach that are present, by value, into a table that is empty. */
WGDN_MUST_CHECK wgdn_status wgdn_ids_from_present(wgdn_ids *ids, const unsigned char *present,
                                                  int64_t reach, wgdn_error *err);
/* Is a table that reaches this integer worth it for so many ids? */
static inline bool wgdn_ids_near(int64_t value, int64_t count)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    enum { FREE = 1 << 12 }; /* a fuzzer meets both sides, and no megabytes to clear */
#else
    enum { FREE = 1 << 22 };
#endif
    return value < FREE || value / 32 < count;
}

/* Digits without needless zeros. */
static inline bool wgdn_ids_canonical(wgdn_text id)
{
    if (id.size == 0 || (id.at[0] == '0' && id.size > 1)) return false;
    for (size_t i = 0; i < id.size; i++)
        if (id.at[i] < '0' || id.at[i] > '9') return false;
    return true;
}

/* Is the id of every i the number i? Then nobody needs the table. */
static inline bool wgdn_ids_plain(const wgdn_ids *ids)
{
    for (int64_t i = 0; i < ids->count; i++) {
        int64_t value;
        char buffer[WGDN_INDEX_TEXT];
        if (ids->direct ? ids->value[i] != i
                        : !wgdn_text_index(wgdn_ids_text(ids, i, buffer), &value) || value != i)
            return false;
    }
    return true;
}

/* ---- texts in a row, and classes ---- */

/* Several texts, one behind another. */
typedef struct wgdn_names {
    int64_t count;
    int64_t *start; /* count + 1 */
    unsigned char *text;
} wgdn_names;

static inline wgdn_text wgdn_names_get(const wgdn_names *n, int64_t i)
{
    return wgdn_text_of(n->text + n->start[i], (size_t)(n->start[i + 1] - n->start[i]));
}

static inline void wgdn_names_free(wgdn_names *n)
{
    wgdn_release(n->text);
    wgdn_release(n->start);
    *n = (wgdn_names){0};
}

WGDN_MUST_CHECK wgdn_status wgdn_names_from(wgdn_names *n, const wgdn_text *text, int64_t count,
                                            wgdn_error *err);
/*
 * The names that a file holds as tensors STEM.start and STEM.text; count -1: any number. what, for
 * messages: "the list of ids of a fitted model". Nothing is left after a failure.
 */
WGDN_MUST_CHECK wgdn_status wgdn_names_read(wgdn_names *n, const wgdn_archive *a, const char *stem,
                                            int64_t count, const char *path, const char *what,
                                            wgdn_error *err);

/*
 * Labels were numbered by first appearance in ids; number them by value if all are numbers, else by
 * their bytes, and give the classes' names in that order. Negative labels stay as they are.
 */
WGDN_MUST_CHECK wgdn_status wgdn_classes_sort(wgdn_names *names, int32_t *label, int64_t count,
                                              const wgdn_ids *ids, wgdn_error *err);

#endif
