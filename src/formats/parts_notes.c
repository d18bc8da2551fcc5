/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of labels and splits: is row 1 a header, which node is a row of, and which are skipped. */
#include "parts_notes.h"

#include <stdio.h>

static const char *place_of(const wgdn_dataset *d)
{
    return d->of_graphs ? "graph of the set" : "node of the graph";
}

/* The row behind the current one is of a node, and as long. */
static bool node_follows(const wgdn_notes *n, const wgdn_lines *l)
{
    wgdn_lines ahead = {.name = l->name, .at = l->at, .end = l->end, .next = l->next};
    bool more = false;
    ahead.separator = l->separator;
    const bool is = !wgdn_lines_next(&ahead, &more, NULL) && more && ahead.fields == l->fields &&
                    wgdn_dataset_seek(n->d, ahead.field[n->id]) >= 0;
    wgdn_lines_close(&ahead);
    return is;
}

/* Sets whether row 1 holds column names: they are no node's, and over ids, or unlike them. */
static void judge_first(wgdn_notes *n, const wgdn_lines *l, wgdn_header header)
{
    static const char *const word[] = {"label", "labels", "class", "target", "split", "splits"};
    const wgdn_dataset *d = n->d;
    const wgdn_text id = l->field[n->id];
    int64_t value;
    n->named = header == WGDN_HEADER_YES;
    if (header != WGDN_HEADER_AUTO || wgdn_dataset_seek(d, id) >= 0) return;
    n->named = wgdn_is_id_heading(id);
    for (int64_t j = 0; j < l->fields && !n->named; j++)
        n->named = j != n->id && wgdn_is_any(l->field[j], word, sizeof word / sizeof *word);
    if (n->named) return;
    n->guessed =
        ((!d->named || d->ids.numeric) && !wgdn_text_integer(id, &value)) || node_follows(n, l);
    n->named = n->guessed;
}

wgdn_status wgdn_notes_open(wgdn_notes *n, wgdn_lines *l, const wgdn_input *in, wgdn_error *err)
{
    bool more, named = false;
    wgdn_status st = wgdn_lines_next(l, &more, err);
    if (st) return st;
    if (!more || l->fields < 2)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: %sexpected an id and %s per line",
                         wgdn_show_name(in->name).text, more ? "" : "no rows: ", n->wanted);
    st = wgdn_table_find_id(&n->id, &named, l, in, err);
    if (st) return st;
    judge_first(n, l, in->header);
    if (named && !n->named) {
        n->named = true;
        n->guessed = false;
    }
    return WGDN_OK;
}

void wgdn_note_unknown(wgdn_notes *n, wgdn_text id)
{
    if (n->unknown < 2) n->first[n->unknown] = wgdn_show(id);
    n->unknown++;
    n->rows++;
}

wgdn_status wgdn_note_node(int64_t *node, wgdn_notes *n, const wgdn_lines *l, wgdn_error *err)
{
    const wgdn_text id = l->field[n->id];
    *node = wgdn_dataset_seek(n->d, id);
    if (*node >= 0) {
        n->rows++;
    } else if (wgdn_field_missing(id)) {
        n->nameless++;
    } else if (n->strict) {
        return wgdn_lines_fail(l, n->id, err, "%s is not a %s", wgdn_show(id).text, place_of(n->d));
    } else {
        wgdn_note_unknown(n, id);
    }
    return WGDN_OK;
}

/* "17", "42": what ids of nodes look like. */
static const char *show_nodes(char *text, size_t size, const wgdn_dataset *d)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_shown a = wgdn_show(wgdn_dataset_name(d, 0, buffer));
    snprintf(text, size, "%s", a.text);
    if (d->nodes > 1)
        snprintf(text, size, "%s, %s", a.text,
                 wgdn_show(wgdn_dataset_name(d, d->nodes / 2, buffer)).text);
    return text;
}

wgdn_status wgdn_notes_report(wgdn_notes *n, wgdn_dataset *d, const char *name, wgdn_error *err)
{
    char nodes[400];
    const wgdn_shown file = wgdn_show_name(name);
    const char *where = d->of_graphs ? "set" : "graph";
    if (n->rows == n->unknown && n->rows > 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: none of the %lld %s ids is in the %s; first: %s; ids of the %s look "
                         "like %s; --id names another column of ids",
                         file.text, (long long)n->rows, n->what, where, n->first[0].text, where,
                         show_nodes(nodes, sizeof nodes, d));
    wgdn_status st = WGDN_OK;
    if (n->unknown)
        st = wgdn_remarks_add(&d->remarks, "ids-unknown", n->unknown, err,
                              "%s: %lld of %lld %s ids %s not in the %s: skipped; first: %s",
                              file.text, (long long)n->unknown, (long long)n->rows, n->what,
                              n->unknown == 1 ? "is" : "are", where, n->first[0].text);
    if (!st && n->nameless)
        st = wgdn_remarks_add(&d->remarks, "ids-missing", n->nameless, err,
                              "%s: %lld row%s skipped", file.text, (long long)n->nameless,
                              n->nameless == 1 ? " without an id was" : "s without an id were");
    return st;
}
