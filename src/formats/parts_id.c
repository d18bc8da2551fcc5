/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the column of a table that holds the ids of nodes: by its heading, and by its values. */
#include "parts_notes.h"

#include <string.h>

enum {
    COLUMNS = 256, /* looked at; an id stands near the start of a row */
    ROWS = 1000,   /* with a known id, after which the choice is made */
};

int64_t wgdn_known_find(const wgdn_known *k, wgdn_text id)
{
    return k->ids ? wgdn_ids_find(k->ids, id) : wgdn_dataset_seek(k->d, id);
}

bool wgdn_is_any(wgdn_text t, const char *const *word, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wgdn_text_is(t, word[i])) return true;
    return false;
}

bool wgdn_is_id_heading(wgdn_text t)
{
    static const char *const word[] = {
        "id",        "ids",    "node",    "nodes",     "node_id", "nodeid", "node id",   "vertex",
        "vertex_id", "name",   "user",    "graph",     "graphs",  "uid",    "graph_id",  "user_id",
        "userid",    "iban",   "account", "konto",     "kunde",   "key",    "kundennr",  "customer",
        "client",    "compte", "cuenta",  "kunden_id", "knoten",  "uuid",   "identifier"};
    static const char *const end[] = {"_id", " id", "_nr", "_no", "-id"};
    if (wgdn_is_any(t, word, sizeof word / sizeof *word)) return true;
    if (t.size > 2 && memcmp(t.at + t.size - 2, "Id", 2) == 0) return true;
    for (size_t i = 0; i < sizeof end / sizeof *end && t.size > 3; i++)
        if (wgdn_text_is(wgdn_text_of(t.at + t.size - 3, 3), end[i])) return true;
    return false;
}

/* What people write over the ids of nodes, and over nothing else. */
static bool is_exact_heading(wgdn_text t)
{
    static const char *const word[] = {"id",     "node",    "node_id",   "nodeid",
                                       "vertex", "node id", "vertex_id", "knoten"};
    return wgdn_is_any(t, word, sizeof word / sizeof *word);
}

/* Row 1, and how many of the rows below have a known id in each column. */
typedef struct id_look {
    const wgdn_known *known;
    int64_t columns;
    int64_t rows; /* with a known id somewhere */
    int64_t hits[COLUMNS];
    bool exact[COLUMNS], likely[COLUMNS]; /* by the heading */
    bool unnamed;                         /* the first column has an empty heading */
} id_look;

static void see_first(id_look *k, const wgdn_lines *l, wgdn_header header)
{
    k->columns = wgdn_min(l->fields, COLUMNS);
    for (int64_t j = 0; j < k->columns; j++) {
        if (header == WGDN_HEADER_NO || wgdn_known_find(k->known, l->field[j]) >= 0) continue;
        k->exact[j] = is_exact_heading(l->field[j]);
        k->likely[j] = wgdn_is_id_heading(l->field[j]);
    }
    k->unnamed = l->field[0].size == 0;
}

static void see_row(id_look *k, const wgdn_lines *l)
{
    bool any = false;
    for (int64_t j = 0; j < wgdn_min(l->fields, k->columns); j++) {
        const bool hit = l->field[j].size > 0 && wgdn_known_find(k->known, l->field[j]) >= 0;
        k->hits[j] += hit;
        any = any || hit;
    }
    k->rows += any;
}

/*
 * A heading that means ids decides where the values agree. Else the first column holds the ids if
 * about as many of its values are known as of any other column's; else the column of which most
 * are. A dataframe's index, which has no heading, gives way to a column that looks like ids.
 */
static int64_t choose(const id_look *k)
{
    int64_t best = 0;
    for (int64_t j = 1; j < k->columns; j++)
        if (k->hits[j] > k->hits[best]) best = j;
    for (int64_t j = 0; j < k->columns; j++)
        if (k->exact[j] && 2 * k->hits[j] >= k->hits[best]) return j;
    for (int64_t j = 1; k->unnamed && j < k->columns; j++)
        if (k->likely[j] && k->hits[j] > 0 && k->hits[j] >= k->hits[0]) return j;
    if (k->hits[best] == 0)
        for (int64_t j = 0; j < k->columns; j++)
            if (k->likely[j]) return j;
    return 2 * k->hits[0] >= k->hits[best] ? 0 : best;
}

wgdn_status wgdn_id_look(wgdn_input *in, const wgdn_known *known, wgdn_error *err)
{
    wgdn_lines l;
    bool more = false;
    id_look k = {.known = known};
    if (in->id || in->id_at) return WGDN_OK;
    wgdn_lines_open(&l, in);
    wgdn_status st = wgdn_lines_next(&l, &more, err);
    if (!st && more) see_first(&k, &l, in->header);
    while (!st && more && k.rows < ROWS) {
        st = wgdn_lines_next(&l, &more, err);
        if (!st && more) see_row(&k, &l);
    }
    wgdn_lines_close(&l);
    if (st || k.columns == 0) return st;
    const int64_t j = choose(&k);
    in->id_at = j + 1;
    in->id_named = j > 0 && (k.likely[j] || k.exact[j]);
    return WGDN_OK;
}
