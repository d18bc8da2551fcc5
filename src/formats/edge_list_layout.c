/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of an edge list hold what: as asked for, by heading, by place. */
#include "edge_list.h"

#include <string.h>

/* A heading in small letters, without what people put between words; cut, as only short ones are
 * known. */
typedef struct word {
    char text[32];
    size_t size;
} word;

static word word_of(wgdn_text t)
{
    word w = {.size = 0};
    for (size_t i = 0; i < t.size; i++) {
        const unsigned char c = t.at[i];
        if (c == 0 || strchr(" _-.:~", c)) continue;
        if (w.size + 1 == sizeof w.text) return (word){.size = 0};
        w.text[w.size++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return w;
}

static bool is_one_of(wgdn_text t, const char *const *all, size_t count)
{
    const word w = word_of(t);
    for (size_t i = 0; i < count; i++)
        if (strcmp(w.text, all[i]) == 0) return true;
    return false;
}

#define IS_ONE_OF(t, all) is_one_of(t, all, sizeof(all) / sizeof *(all))

static const char *const weights[] = {"weight", "weights", "edgeweight", "w"};
static const char *const graphs[] = {"graph", "graphid"};
static const char *const ids[] = {"id"};
/* What is next to edges and no end of one. */
static const char *const others[] = {
    "weight", "weights", "edgeweight", "timestamp", "time",  "date", "datetime", "ts",
    "year",   "index",   "id",         "edgeid",    "type",  "kind", "relation", "label",
    "amount", "value",   "rating",     "score",     "count", "w",    "graph",    "graphid",
};

/* ---- headings of a source and a target ---- */

/* Alone, with any text besides, either; with one of the nouns below. */
typedef enum form { WHOLE = 1, WITH_REST = 2, ANY = 3, WITH_NOUN = 4 } form;

static bool is_noun(const char *text)
{
    static const char *const all[] = {"node",    "nodeid", "id",      "vertex", "name",   "person",
                                      "user",    "userid", "account", "entity", "author", "gene",
                                      "protein", "object", "actor",   "drug",   "city"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(text, all[i]) == 0) return true;
    return false;
}

/* With the same text behind or before both: from_account and to_account, node1 and node2. */
static const struct {
    const char *source, *target;
    form form;
    bool two_kinds;
} pairs[] = {
    {"source", "target", ANY, false},
    {"src", "dst", ANY, false},
    {"src", "dest", ANY, false},
    {"from", "to", ANY, false},
    {"sender", "receiver", ANY, false},
    {"start", "end", ANY, false},
    {"origin", "destination", ANY, false},
    {"orig", "dest", ANY, false},
    {"head", "tail", ANY, false},
    {"follower", "followee", ANY, false},
    {"payer", "payee", ANY, false},
    {"caller", "callee", ANY, false},
    {"citing", "cited", ANY, false},
    {"parent", "child", ANY, false},
    {"u", "v", WHOLE, false},
    {"1", "2", WITH_NOUN, false},
    {"a", "b", WITH_NOUN, false},
    {"0", "1", WITH_NOUN, false},
    {"user", "item", ANY, true},
    {"user", "movie", ANY, true},
    {"user", "product", ANY, true},
    {"user", "book", ANY, true},
    {"user", "artist", ANY, true},
    {"user", "business", ANY, true},
    {"customer", "product", ANY, true},
    {"customer", "item", ANY, true},
    {"author", "paper", ANY, true},
};

/* What is left of a without p at its start, or at its end; NULL if p is not there. */
static const char *rest_of(char *to, const word *w, const char *p, bool at_end)
{
    const size_t size = strlen(p);
    if (size > w->size || memcmp(w->text + (at_end ? w->size - size : 0), p, size) != 0)
        return NULL;
    memcpy(to, w->text + (at_end ? 0 : size), w->size - size);
    to[w->size - size] = '\0';
    return to;
}

static bool begins_or_ends(const word *w, const char *p)
{
    char rest[32];
    return rest_of(rest, w, p, false) || rest_of(rest, w, p, true);
}

/* Do they go with pair k? Times come in pairs too. plain: nothing but "id" besides. */
static bool is_pair(const word *source, const word *target, size_t k, bool plain)
{
    char a[32], b[32];
    for (int at_end = 0; at_end < 2; at_end++) {
        const char *x = rest_of(a, source, pairs[k].source, at_end);
        const char *y = rest_of(b, target, pairs[k].target, at_end);
        if (!x || !y || strcmp(x, y) != 0 || strstr(x, "time") || strstr(x, "date")) continue;
        const bool fits =
            pairs[k].form == WITH_NOUN ? is_noun(x) : pairs[k].form & (*x ? WITH_REST : WHOLE);
        if (!fits) continue;
        if (!plain || *x == '\0' || strcmp(x, "id") == 0) return true;
    }
    return false;
}

typedef struct ends {
    int64_t source, target;
    bool two_kinds;
} ends;

static bool find_pair(ends *out, const wgdn_edge_layout *y)
{
    enum { MOST = 64 }; /* columns */
    word w[MOST];
    const int64_t columns = y->columns < MOST ? y->columns : MOST;
    for (int64_t j = 0; j < columns; j++)
        w[j] = word_of(y->name[j]);
    for (int plain = 1; plain >= 0; plain--)
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            for (int64_t i = 0; i < columns; i++) {
                if (!begins_or_ends(&w[i], pairs[k].source)) continue;
                for (int64_t j = 0; j < columns; j++)
                    if (i != j && is_pair(&w[i], &w[j], k, plain)) {
                        *out = (ends){i, j, pairs[k].two_kinds};
                        return true;
                    }
            }
    return false;
}

bool wgdn_edge_layout_known(const wgdn_edge_layout *y)
{
    ends e;
    return find_pair(&e, y);
}

/* ---- what the options ask for ---- */

typedef struct wish {
    const char *option, *text;
    int64_t *place;
} wish;

enum { WISHES = 5 };

static void list_wishes(wish *w, wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    w[0] = (wish){"source", o->source, &y->source};
    w[1] = (wish){"target", o->target, &y->target};
    w[2] = (wish){"weight", o->weight, &y->weight};
    w[3] = (wish){"graph", o->graph, &y->graph};
    w[4] = (wish){"type", o->type, &y->type};
}

static int64_t headed(const wgdn_edge_layout *y, const char *text)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (wgdn_text_is(y->name[j], text)) return j;
    return -1;
}

bool wgdn_edge_layout_asked(const wgdn_edge_layout *y, const wgdn_dataset_options *o)
{
    wgdn_edge_layout copy = *y;
    wish w[WISHES];
    int64_t number;
    list_wishes(w, &copy, o);
    for (int i = 0; i < WISHES; i++)
        if (w[i].text && headed(y, w[i].text) >= 0 &&
            !wgdn_text_index(wgdn_text_of(w[i].text, strlen(w[i].text)), &number))
            return true;
    return false;
}

static wgdn_status grant(const wgdn_edge_layout *y, const wish *w, const char *file,
                         wgdn_error *err)
{
    int64_t number;
    *w->place = y->header == WGDN_HEADER_YES ? headed(y, w->text) : -1;
    if (*w->place >= 0) return WGDN_OK;
    if (!wgdn_text_index(wgdn_text_of(w->text, strlen(w->text)), &number))
        return wgdn_fail(
            err, WGDN_EFORMAT, "%s: --%s %.40s: no column has that heading%s",
            wgdn_show_name(file).text, w->option, w->text,
            y->header == WGDN_HEADER_YES ? "" : ", as row 1 is data; number the columns from 1");
    if (number < 1 || number > y->columns)
        return wgdn_fail(err, WGDN_EFORMAT, "%s: --%s %.40s: there are columns 1 .. %lld",
                         wgdn_show_name(file).text, w->option, w->text, (long long)y->columns);
    *w->place = number - 1;
    return WGDN_OK;
}

static wgdn_status grant_all(wgdn_edge_layout *y, const char *file, const wgdn_dataset_options *o,
                             wgdn_error *err)
{
    wish w[WISHES];
    list_wishes(w, y, o);
    for (int i = 0; i < WISHES; i++) {
        const wgdn_status st = w[i].text ? grant(y, &w[i], file, err) : WGDN_OK;
        if (st) return st;
        for (int k = 0; k < i && *w[i].place >= 0; k++)
            if (*w[k].place == *w[i].place)
                return wgdn_fail(err, WGDN_EFORMAT, "%s: --%s and --%s are the same column, %lld",
                                 wgdn_show_name(file).text, w[k].option, w[i].option,
                                 (long long)*w[i].place + 1);
    }
    return WGDN_OK;
}

/* ---- the rest ---- */

static bool is_free(const wgdn_edge_layout *y, int64_t j)
{
    return j >= 0 && j != y->source && j != y->target && j != y->weight && j != y->graph &&
           j != y->type;
}

/* pandas writes an index of rows under no name. */
static bool is_index(wgdn_text t)
{
    return t.size == 0 || (t.size > 8 && wgdn_text_is(wgdn_text_of(t.at, 8), "unnamed:"));
}

static bool may_be_end(const wgdn_edge_layout *y, int64_t j)
{
    if (!is_free(y, j)) return false;
    return y->header != WGDN_HEADER_YES ||
           (!is_index(y->name[j]) && !IS_ONE_OF(y->name[j], others));
}

/* One of two places if it is free, else the first column that may be an end, else the first free. */
static int64_t choose_end(const wgdn_edge_layout *y, int64_t first, int64_t second)
{
    if (is_free(y, first)) return first;
    if (is_free(y, second)) return second;
    for (int64_t j = 0; j < y->columns; j++)
        if (may_be_end(y, j)) return j;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) return j;
    return -1;
}

static int64_t first_of(const wgdn_edge_layout *y, const char *const *all, size_t count)
{
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j) && is_one_of(y->name[j], all, count)) return j;
    return -1;
}

/* Without headings: the one column beside the ends, where it has numbers. */
static wgdn_status unnamed_weight(wgdn_edge_layout *y, const char *file, bool asked,
                                  wgdn_error *err)
{
    int64_t left = -1, count = 0;
    for (int64_t j = 0; j < y->columns; j++)
        if (is_free(y, j)) {
            left = j;
            count++;
        }
    if (count != 1) return WGDN_OK;
    if (y->kind[left] == WGDN_COLUMN_NUMBERS) y->weight = left;
    if (y->kind[left] != WGDN_COLUMN_WORDS || asked) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: column %lld is no weight, as %s is not a number: say what the columns "
                     "are, --source 1 --target 3 for triples, or --header yes if row 1 has names",
                     wgdn_show_name(file).text, (long long)left + 1, wgdn_show(y->name[left]).text);
}

wgdn_status wgdn_edge_layout_assign(wgdn_edge_layout *y, const char *file,
                                    const wgdn_dataset_options *o, wgdn_error *err)
{
    const bool names = y->header == WGDN_HEADER_YES;
    ends e = {-1, -1, false};
    y->source = y->target = y->weight = y->graph = y->type = -1;
    if (y->columns < 2) return WGDN_OK; /* whoever reads the rows says it better */
    wgdn_status st = grant_all(y, file, o, err);
    if (st) return st;
    if (names && y->graph < 0 && y->columns > 2)
        y->graph = first_of(y, graphs, sizeof graphs / sizeof *graphs);
    if (names && y->weight < 0) y->weight = first_of(y, weights, sizeof weights / sizeof *weights);
    if (names) (void)find_pair(&e, y);
    if (y->source < 0) y->source = choose_end(y, e.source, e.target);
    if (y->target < 0) y->target = choose_end(y, e.target, e.source);
    y->two_kinds = e.two_kinds;
    y->of_nodes = names && e.source < 0 && !o->source && !o->target &&
                  first_of(y, ids, sizeof ids / sizeof *ids) >= 0;
    y->bipartite = o->bipartite == 1;
    if (y->source < 0 || y->target < 0)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: %lld columns, of which none is left for %s; expected two ids",
                         wgdn_show_name(file).text, (long long)y->columns,
                         y->source < 0 ? "the source" : "the target");
    if (!names && y->weight < 0) st = unnamed_weight(y, file, o->source && o->target, err);
    return st;
}
