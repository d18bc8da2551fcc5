/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which two columns of an edge list are the ends of its edges, by headings and by what stands below
 * them. A date, an amount or a column of values that are all different is no end unless its heading
 * says so. Where two readings are plausible, none is taken: the caller asks.
 */
#include "edge_list.h"
#include "edge_list_words.h"

#include <string.h>

enum {
    MOST = 64,
    ENOUGH = 20
}; /* columns that are looked at; rows that show whether values recur */

typedef struct view {
    const wgdn_edge_layout *y;
    wgdn_heading h[MOST];
    int64_t columns;
    wgdn_edge_ends *out;
} view;

static const wgdn_column_look *look_of(const view *v, int64_t j)
{
    return &v->y->look[j];
}

/* By its values. */
static bool may_hold_ends(const view *v, int64_t j)
{
    const wgdn_column_look *c = look_of(v, j);
    return !c->dates && !c->amounts;
}

static bool is_unique(const view *v, int64_t j)
{
    const wgdn_column_look *c = look_of(v, j);
    return c->filled >= ENOUGH && c->distinct == c->filled;
}

static bool is_usable(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    return may_hold_ends(v, j) && !h->when && !h->measure && !h->weight && !h->graph;
}

static void name_candidate(view *v, int64_t j)
{
    wgdn_edge_ends *const e = v->out;
    for (int i = 0; i < e->candidates; i++)
        if (e->candidate[i] == j) return;
    if (e->candidates < WGDN_END_CANDIDATES) e->candidate[e->candidates++] = j;
}

static bool choose(view *v, int64_t source, int64_t target)
{
    v->out->source = source;
    v->out->target = target;
    return true;
}

/* ---- from and to ---- */

static int weaker(int a, int b)
{
    return a < b ? a : b;
}

/* How well two columns go together as source and target; 0: not at all. */
static int role_score(const view *v, int64_t i, int64_t j)
{
    const wgdn_heading *s = &v->h[i], *t = &v->h[j];
    int strength = 0;
    if (wgdn_heading_pair(s, t)) return 200;
    if (s->source && t->target) strength = 3;
    if ((s->source && t->either) || (s->either && t->target)) strength = 2;
    if (s->either && t->either && i < j && strcmp(s->word, t->word) != 0) strength = 1;
    if (!strength) return 0;
    const bool same = strcmp(s->rest, t->rest) == 0 && s->index == t->index;
    return 100 * same + 10 * strength + weaker(s->named, t->named);
}

static bool by_roles(view *v)
{
    int best = 0, ties = 0;
    for (int64_t i = 0; i < v->columns; i++)
        for (int64_t j = 0; j < v->columns; j++) {
            if (i == j || !is_usable(v, i) || !is_usable(v, j)) continue;
            const int score = role_score(v, i, j);
            if (score == 0 || score < best) continue;
            ties = score == best ? ties + 1 : 0;
            if (score > best) {
                best = score;
                v->out->candidates = 0;
                choose(v, i, j);
            }
            name_candidate(v, i);
            name_candidate(v, j);
        }
    v->out->doubt = ties > 0;
    return best > 0;
}

/* ---- author1 and author2 ---- */

static bool follows(char a, char b)
{
    return (a == '0' && b == '1') || (a == '1' && b == '2') || (a == 'a' && b == 'b') ||
           (a == 'i' && b == 'j') || (a == 'x' && b == 'y');
}

static bool is_numbered_as(const view *v, int64_t i, int64_t j)
{
    return v->h[i].index && v->h[j].index && *v->h[i].rest &&
           strcmp(v->h[i].rest, v->h[j].rest) == 0;
}

static bool by_index(view *v)
{
    for (int64_t i = 0; i < v->columns; i++)
        for (int64_t j = 0; j < v->columns; j++) {
            if (i == j || !is_usable(v, i) || !is_usable(v, j) || !is_numbered_as(v, i, j) ||
                !follows(v->h[i].index, v->h[j].index))
                continue;
            choose(v, i, j);
            for (int64_t k = 0; k < v->columns; k++)
                if (is_usable(v, k) && is_numbered_as(v, i, k)) name_candidate(v, k);
            v->out->doubt = v->out->candidates > 2;
            return true;
        }
    return false;
}

/* ---- customers and products ---- */

static bool is_kind(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    return is_usable(v, j) && h->kind && !h->record && !h->attribute && !h->source && !h->target;
}

/* The best column of each kind: its number rather than its name. */
static int64_t list_kinds(const view *v, int64_t list[MOST])
{
    int64_t count = 0;
    for (int64_t j = 0; j < v->columns; j++) {
        int64_t k = 0;
        if (!is_kind(v, j)) continue;
        while (k < count && v->h[list[k]].kind != v->h[j].kind)
            k++;
        if (k == count)
            list[count++] = j;
        else if (v->h[j].named > v->h[list[k]].named)
            list[k] = j;
    }
    return count;
}

static int64_t only_one_of(const view *v, const int64_t *list, int64_t count, wgdn_kind_group group)
{
    int64_t found = -1;
    for (int64_t k = 0; k < count; k++) {
        if (v->h[list[k]].group != group) continue;
        if (found >= 0) return -1;
        found = list[k];
    }
    return found;
}

static bool by_kinds(view *v)
{
    int64_t list[MOST];
    const int64_t count = list_kinds(v, list);
    if (count < 2) return false;
    if (count == 2) return choose(v, list[0], list[1]);
    const int64_t who = only_one_of(v, list, count, WGDN_PEOPLE);
    const int64_t what = only_one_of(v, list, count, WGDN_GOODS);
    if (who >= 0 && what >= 0) return who < what ? choose(v, who, what) : choose(v, what, who);
    for (int64_t k = 0; k < count; k++)
        name_candidate(v, list[k]);
    v->out->doubt = true;
    return choose(v, list[0], list[1]);
}

/* An order and its products; a user and tags: nothing else may be in the row that could be an end. */
static bool by_kind_and_rest(view *v)
{
    int64_t list[MOST], other = -1;
    if (list_kinds(v, list) != 1) return false;
    for (int64_t j = 0; j < v->columns; j++) {
        if (j == list[0] || !is_usable(v, j) || is_unique(v, j)) continue;
        if (v->h[j].kind == v->h[list[0]].kind) continue; /* its name beside its number */
        if (!v->h[j].record && !v->h[j].attribute) return false;
        if (other >= 0) return false;
        other = j;
    }
    if (other < 0) return false;
    return other < list[0] ? choose(v, other, list[0]) : choose(v, list[0], other);
}

/* ---- an account and its counterparty ---- */

static bool by_one_role(view *v)
{
    int64_t role = -1, partner = -1;
    int best = 0;
    bool tie = false;
    for (int64_t j = 0; j < v->columns; j++) {
        if (!is_usable(v, j) || !(v->h[j].source || v->h[j].target)) continue;
        if (role >= 0) return false;
        role = j;
    }
    if (role < 0) return false;
    for (int64_t j = 0; j < v->columns; j++) {
        const wgdn_heading *h = &v->h[j];
        if (j == role || !is_usable(v, j) || h->record || h->attribute) continue;
        const int score = h->kind || (h->numbered && !h->id) ? 3
                          : h->id                            ? 2
                          : is_unique(v, j)                  ? 0
                                                             : 1;
        tie = score == best ? true : score > best ? false : tie;
        if (score > best) partner = j;
        best = score > best ? score : best;
    }
    if (partner < 0 || tie) return false;
    return v->h[role].source ? choose(v, role, partner) : choose(v, partner, role);
}

/* ---- by values ---- */

static int64_t shared(const view *v, int64_t i, int64_t j)
{
    return v->y->shared && i < WGDN_LOOK_COLUMNS && j < WGDN_LOOK_COLUMNS
               ? v->y->shared[i * WGDN_LOOK_COLUMNS + j]
               : 0;
}

/* A fifth of the different values of one column is in the other, too. */
static bool overlap(const view *v, int64_t i, int64_t j)
{
    const int64_t a = look_of(v, i)->distinct, b = look_of(v, j)->distinct;
    return 5 * shared(v, i, j) >= (a < b ? a : b) && shared(v, i, j) > 1;
}

static bool overlaps_any(const view *v, int64_t i)
{
    for (int64_t j = 0; j < v->columns; j++)
        if (j != i && is_usable(v, j) && overlap(v, i, j)) return true;
    return false;
}

/* pandas writes an index of rows under no name. */
static bool is_index(wgdn_text t)
{
    return t.size == 0 || (t.size > 8 && wgdn_text_is(wgdn_text_of(t.at, 8), "unnamed:"));
}

static bool may_be_end(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    if (!is_usable(v, j) || look_of(v, j)->filled == 0 || h->record || h->attribute || h->id ||
        is_index(v->y->name[j]))
        return false;
    return !look_of(v, j)->times && (!is_unique(v, j) || overlaps_any(v, j));
}

/* Values that recur much more often than those of another column are a category of the row. */
static int64_t drop_categories(const view *v, int64_t *list, int64_t count)
{
    int64_t most = 0, kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (look_of(v, list[k])->distinct > most) most = look_of(v, list[k])->distinct;
    for (int64_t k = 0; k < count; k++) {
        const wgdn_column_look *c = look_of(v, list[k]);
        if (c->filled < ENOUGH || 10 * c->distinct >= c->filled || 5 * c->distinct >= most)
            list[kept++] = list[k];
    }
    return kept;
}

static bool by_overlap(view *v, const int64_t *list, int64_t count)
{
    int64_t pairs = 0, source = -1, target = -1;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a + 1; b < count; b++) {
            if (!overlap(v, list[a], list[b])) continue;
            if (pairs++ > 0) return false;
            source = list[a];
            target = list[b];
        }
    return pairs == 1 && choose(v, source, target);
}

static bool by_text(view *v, const int64_t *list, int64_t count)
{
    int64_t found[2], texts = 0;
    for (int64_t k = 0; k < count; k++) {
        if (look_of(v, list[k])->integers) continue;
        if (texts == 2) return false;
        found[texts++] = list[k];
    }
    return texts == 2 && choose(v, found[0], found[1]);
}

static bool by_values(view *v)
{
    int64_t list[MOST], count = 0;
    for (int64_t j = 0; j < v->columns; j++)
        if (may_be_end(v, j)) list[count++] = j;
    if (count > 2) count = drop_categories(v, list, count);
    if (count == 2) return choose(v, list[0], list[1]);
    if (count > 2 && (by_overlap(v, list, count) || by_text(v, list, count))) return true;
    v->out->doubt = v->y->rows >= WGDN_LOOK_FEW || count < 2;
    for (int64_t k = 0; k < count; k++)
        name_candidate(v, list[k]);
    return count >= 2 && choose(v, list[0], list[1]);
}

/* ---- all of it ---- */

static void open_view(view *v, const wgdn_edge_layout *y, wgdn_edge_ends *out)
{
    v->y = y;
    v->out = out;
    v->columns = y->columns < MOST ? y->columns : MOST;
    for (int64_t j = 0; j < v->columns; j++)
        v->h[j] = wgdn_heading_of(y->name[j]);
    *out = (wgdn_edge_ends){.source = -1, .target = -1};
}

void wgdn_edge_ends_named(wgdn_edge_ends *out, const wgdn_edge_layout *y)
{
    view v;
    open_view(&v, y, out);
    if (by_roles(&v) || by_index(&v) || by_kinds(&v) || by_one_role(&v) || by_kind_and_rest(&v))
        return;
    if (y->columns == 2)
        (void)choose(&v, 0, 1);
    else
        (void)by_values(&v);
}

/* Words that are headings whatever stands below; else the whole list tells. */
bool wgdn_edge_ends_known(const wgdn_edge_layout *y)
{
    wgdn_edge_ends e;
    view v;
    open_view(&v, y, &e);
    for (int64_t j = 0; j < v.columns; j++)
        if (look_of(&v, j)->names_itself) return false; /* row 1 has a date: it is data */
    if (by_roles(&v)) return true;
    if (by_index(&v))
        return v.h[e.source].kind || v.h[e.source].numbered || y->columns > 2 ||
               strcmp(v.h[e.source].rest, "object") == 0 || strcmp(v.h[e.source].rest, "city") == 0;
    if (!by_kinds(&v)) return false;
    return y->columns > 2 || v.h[e.source].numbered || v.h[e.target].numbered ||
           look_of(&v, e.source)->digits || look_of(&v, e.target)->digits;
}

bool wgdn_edge_ends_two_kinds(const wgdn_edge_layout *y, int64_t source, int64_t target)
{
    const wgdn_heading s = wgdn_heading_of(y->name[source]), t = wgdn_heading_of(y->name[target]);
    wgdn_edge_ends e;
    view v;
    if (s.source || s.target || t.source || t.target || (s.either && t.either)) return false;
    const bool some = (s.kind || s.record || s.attribute) && (t.kind || t.record || t.attribute);
    if (!some || (!s.kind && !t.kind) || (s.kind == t.kind && s.record == t.record)) return false;
    open_view(&v, y, &e);
    /* Names that are in both columns are the same things: numbers may be so by chance. */
    if (source >= v.columns || target >= v.columns) return true;
    return look_of(&v, source)->integers || look_of(&v, target)->integers ||
           !overlap(&v, source, target);
}

bool wgdn_edge_ends_meet(const wgdn_edge_layout *y, int64_t source, int64_t target)
{
    return y->shared && source < WGDN_LOOK_COLUMNS && target < WGDN_LOOK_COLUMNS &&
           y->shared[source * WGDN_LOOK_COLUMNS + target] > 0;
}

int64_t wgdn_edge_ends_column(const wgdn_edge_layout *y, bool weight)
{
    for (int64_t j = 0; j < y->columns; j++) {
        const wgdn_heading h = wgdn_heading_of(y->name[j]);
        if (weight ? h.weight : h.graph) return j;
    }
    return -1;
}

void wgdn_edge_ends_placed(wgdn_edge_ends *out, const wgdn_edge_layout *y)
{
    int64_t list[MOST], count = 0, filled = 0; /* no column is filled where there is one row */
    *out = (wgdn_edge_ends){.source = -1, .target = -1};
    for (int64_t j = 0; j < y->columns; j++)
        filled += y->look[j].filled;
    for (int64_t j = 0; j < y->columns && count < MOST; j++) {
        const wgdn_column_look *c = &y->look[j];
        if (!c->dates && !c->amounts && (c->filled > 0 || !filled || y->columns == 2))
            list[count++] = j;
    }
    if (count > 2 && y->look[list[0]].times && !y->look[list[1]].times && !y->look[list[2]].times) {
        memmove(list, list + 1, (size_t)(count - 1) * sizeof *list);
        count--;
    }
    if (count < 2) return;
    out->source = list[0];
    out->target = list[1];
    if (count < 3 || y->columns < 4) return;
    /* A column of different numbers before two of the same sort may count the rows. */
    const wgdn_column_look *a = &y->look[list[0]], *b = &y->look[list[1]], *c = &y->look[list[2]];
    const bool sure = a->filled >= ENOUGH && a->distinct == a->filled && !c->amounts && !c->times;
    out->doubt = sure && b->distinct < b->filled && c->distinct < c->filled &&
                 b->integers == c->integers && 20 * b->distinct >= b->filled &&
                 20 * c->distinct >= c->filled;
    for (int i = 0; out->doubt && i < 3; i++)
        out->candidate[out->candidates++] = list[i];
}
