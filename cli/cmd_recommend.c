/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn recommend`: it fits a recommender to the data and writes the best new neighbors of
 * nodes, or explains how their score was chosen. The library does the work.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "cmd_recommend.h"
#include "files.h"
#include "terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct recommendation {
    const cli *c;
    wgdn_dataset *d, *visitors;
    wgdn_recommender *r;
    wgdn_recommender_info info;
    wgdn_recommend_query q;
    int64_t *user, *among;
    const char *format;
} recommendation;

static void close_recommendation(recommendation *w)
{
    free(w->among);
    free(w->user);
    wgdn_recommender_free(w->r);
    wgdn_dataset_free(w->visitors);
    wgdn_dataset_free(w->d);
}

/* ---- the explanation ---- */

/* A table of qualities whose names have `width` characters: its head, and a row. */
static void print_head(FILE *to, int width, bool bipartite)
{
    fprintf(to, "  %-*s %9s %8s %8s %8s\n", width, "", bipartite ? "Recall@20" : "Recall@10",
            bipartite ? "NDCG@20" : "NDCG@10", "MRR", bipartite ? "Hits@20" : "Hits@10");
}

static void print_quality(FILE *to, int width, const char *name, const wgdn_list_quality *q)
{
    fprintf(to, "  %-*s %9.4f %8.4f %8.4f %8.4f\n", width, name, q->recall, q->ndcg, q->mrr,
            q->hits);
}

static void print_info(FILE *to, const wgdn_recommender_info *i)
{
    enum { WIDTH = 14 };
    if (i->bipartite)
        fprintf(to, "%lld users, %lld items, %lld interactions\n", (long long)i->users,
                (long long)i->items, (long long)i->interactions);
    else
        fprintf(to, "%lld nodes, %lld edges\n", (long long)i->users, (long long)i->interactions);
    fprintf(to, "score: %s\n", i->formula);
    if (i->held_users == 0) {
        fputs("too little data to choose the score: nothing could be held out\n", to);
        return;
    }
    fprintf(to, "chosen on %lld held-out %s of %lld %s:\n", (long long)i->held_interactions,
            i->bipartite ? "interactions" : "edges", (long long)i->held_users,
            i->bipartite ? "users" : "nodes");
    print_head(to, WIDTH, i->bipartite);
    print_quality(to, WIDTH, "this score", &i->held);
    print_quality(to, WIDTH, "popularity", &i->popular);
    print_quality(to, WIDTH, "Adamic-Adar", &i->paths);
}

/* The members of an object that is open; closes it. */
static void put_quality(json *j, const wgdn_list_quality *q)
{
    json_put_real(j, "recall", q->recall);
    json_put_real(j, "ndcg", q->ndcg);
    json_put_real(j, "mrr", q->mrr);
    json_put_real(j, "hits", q->hits);
    json_put_close(j, '}');
}

static void put_info(FILE *to, const wgdn_recommender_info *i)
{
    json j = json_begin(to);
    json_put_integer(&j, "users", i->users);
    json_put_integer(&j, "items", i->items);
    json_put_integer(&j, "interactions", i->interactions);
    json_put_bool(&j, "bipartite", i->bipartite);
    json_put_text(&j, "formula", i->formula);
    json_put_integer(&j, "held_users", i->held_users);
    json_put_integer(&j, "held_interactions", i->held_interactions);
    if (i->held_users > 0) {
        json_put_open(&j, "held", '{');
        put_quality(&j, &i->held);
        json_put_open(&j, "popularity", '{');
        put_quality(&j, &i->popular);
        json_put_open(&j, "adamic_adar", '{');
        put_quality(&j, &i->paths);
    }
    json_end(&j);
}

/* ---- ids ---- */

/* An id as the data has it, or with its kind: "ben" or "user:ben". */
static int64_t find_id(const wgdn_recommender *r, wgdn_side side, const char *id)
{
    const int64_t at = wgdn_recommender_find(r, side, id, strlen(id));
    const char *colon = strchr(id, ':');
    return at >= 0 || !colon ? at : wgdn_recommender_find(r, side, colon + 1, strlen(colon + 1));
}

/* Numbers of ids; those that are unknown are counted and reported, or refused. */
static int find_ids(int64_t **out, int64_t *count, const recommendation *w, wgdn_side side,
                    const char *const *id, int64_t ids)
{
    const char *what = !w->info.bipartite ? "node" : side == WGDN_SIDE_ITEMS ? "item" : "user";
    const char *first = NULL;
    int64_t *at = calloc((size_t)ids + 1, sizeof *at), known = 0;
    if (!at) return id_list_no_memory();
    for (int64_t i = 0; i < ids; i++) {
        at[known] = find_id(w->r, side, id[i]);
        if (at[known] < 0 && !first) first = id[i];
        known += at[known] >= 0;
    }
    *out = at;
    *count = known;
    if (first && (known == 0 || option_on(&w->c->values, OPT_STRICT))) {
        const wgdn_side other = side == WGDN_SIDE_ITEMS ? WGDN_SIDE_USERS : WGDN_SIDE_ITEMS;
        if (w->info.bipartite && find_id(w->r, other, first) >= 0)
            complain("%s: '%s' is %s; expected %s", w->c->operand[0], first,
                     other == WGDN_SIDE_ITEMS ? "an item" : "a user",
                     side == WGDN_SIDE_ITEMS ? "an item" : "a user");
        else
            complain("%s has no %s '%s'; 'wgdn recommend %s' lists for all that it has",
                     w->c->operand[0], what, first, w->c->operand[0]);
        return BAD_INPUT;
    }
    if (first)
        remark(w->c, "%s: %lld of %lld ids %s unknown: skipped; first: '%s'", w->c->operand[0],
               (long long)(ids - known), (long long)ids, ids - known == 1 ? "is" : "are", first);
    return DONE;
}

/* The ids in a file, one on a line. */
static int find_listed(int64_t **out, int64_t *count, const recommendation *w, wgdn_side side,
                       const char *path)
{
    id_list l = {.count = 0};
    int code = id_list_read(&l, path);
    if (code == DONE) code = find_ids(out, count, w, side, l.id, l.count);
    id_list_free(&l);
    return code;
}

static int find_users(recommendation *w)
{
    const cli *c = w->c;
    const char *path = c->values.text[OPT_IDS];
    if (path) return find_listed(&w->user, &w->q.count, w, WGDN_SIDE_USERS, path);
    w->q.count = w->info.users;
    if (c->operands == 1 || w->visitors) return DONE;
    return find_ids(&w->user, &w->q.count, w, WGDN_SIDE_USERS, c->operand + 1, c->operands - 1);
}

/* A further file, in the columns that the data had. */
static int read_alike(wgdn_dataset **out, cli *c, const char *reading, const char *path)
{
    free(c->reading);
    c->reading = reading ? strdup(reading) : NULL;
    return dataset_read(out, c, path);
}

/* ---- the command ---- */

static int write_lists(const char *path, void *user)
{
    const recommendation *w = user;
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(wgdn_recommender_write(w->r, &w->q, w->visitors, path, w->format, &err),
                           &err);
}

/* Of standard output by --json, of a file by its name, which is refused before anything is fitted. */
static int choose_format(recommendation *w)
{
    const char *path = option_text(&w->c->values, OPT_OUTPUT);
    if (strcmp(path, "-") != 0) return table_settle(&w->format, w->c, path);
    w->format = option_on(&w->c->values, OPT_JSON) ? "jsonl" : "tsv";
    return DONE;
}

static void describe(recommendation *w)
{
    wgdn_recommender_info_init(&w->info);
    wgdn_recommender_describe(&w->info, w->r);
}

static int fit(recommendation *w)
{
    wgdn_recommend_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_recommend_options_init(&o);
    options_apply(&w->c->values, WGDN_OPTIONS_KIND_RECOMMEND, &o);
    o.threads = option_threads(&w->c->values);
    const wgdn_status st = wgdn_recommender_fit(&w->r, w->d, &o, &err);
    if (st) return complain_status(st, &err);
    describe(w);
    if (!w->info.bipartite && !w->c->values.text[OPT_BIPARTITE])
        remark(w->c, "%s has one kind of nodes; --bipartite reads two columns as users and items",
               w->c->operand[0]);
    return DONE;
}

static int list(recommendation *w)
{
    const cli *c = w->c;
    const char *among = c->values.text[OPT_AMONG];
    w->q.k = atoi(option_text(&c->values, OPT_LIST_COUNT));
    w->q.include_seen = option_on(&c->values, OPT_INCLUDE_SEEN);
    w->q.threads = option_threads(&c->values);
    int code = find_users(w);
    if (code == DONE && among)
        code = find_listed(&w->among, &w->q.among_count, w, WGDN_SIDE_ITEMS, among);
    w->q.user = w->user;
    w->q.among = w->among;
    const char *path = option_text(&c->values, OPT_OUTPUT);
    if (code == DONE) code = deliver_file(path, write_lists, w);
    if (code != DONE || strcmp(path, "-") == 0) return code;
    if (w->visitors)
        remark(c, "wrote lists of new users to %s", path);
    else
        remark(c, "wrote lists of %lld %s%s to %s", (long long)w->q.count,
               w->info.bipartite ? "user" : "node", w->q.count == 1 ? "" : "s", path);
    return DONE;
}

static int write_vectors(recommendation *w, const char *path)
{
    const int dim = atoi(option_text(&w->c->values, OPT_LIST_DIM));
    wgdn_embedding *e = NULL;
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    double kept = 1;
    wgdn_compute_options_init(&o);
    o.threads = option_threads(&w->c->values);
    wgdn_status st = wgdn_recommender_embed(&e, &kept, w->r, dim, &o, &err);
    if (!st) st = wgdn_embedding_write(e, path, NULL, &err);
    if (!st)
        remark(w->c, "%s: dot products of %lld columns keep %.1f %% of the best 20 items", path,
               (long long)wgdn_embedding_dim(e), 100 * kept);
    wgdn_embedding_free(e);
    return complain_status(st, &err);
}

/* Fits to the data, or loads what an earlier run saved. */
static int open_recommender(recommendation *w, cli *c)
{
    const char *path = c->operand[0];
    wgdn_error err = {WGDN_OK, ""};
    int code = path_check(path);
    if (code != DONE) return code;
    if (wgdn_file_kind_of(path) != WGDN_FILE_KIND_RECOMMENDER) {
        code = dataset_read(&w->d, c, path);
        return code == DONE ? fit(w) : code;
    }
    const wgdn_status st = wgdn_recommender_load(&w->r, path, &err);
    if (!st) describe(w);
    return complain_status(st, &err);
}

static int recommend(cli *c)
{
    recommendation w = {.c = c};
    const char *visitors = c->values.text[OPT_NEW], *saved = c->values.text[OPT_SAVE_LISTS];
    const char *vectors = c->values.text[OPT_LIST_VECTORS];
    const bool explain = option_on(&c->values, OPT_EXPLAIN_LISTS);
    const bool only = !explain && !saved && !vectors;
    const bool wanted = only || strcmp(option_text(&c->values, OPT_OUTPUT), "-") != 0;
    wgdn_error err = {WGDN_OK, ""};
    char folder[1024];
    wgdn_recommend_query_init(&w.q);
    if (atoi(option_text(&c->values, OPT_LIST_COUNT)) < 1) {
        complain("--count %s: expected at least 1", option_text(&c->values, OPT_LIST_COUNT));
        return USAGE;
    }
    if ((c->operands > 1) + (visitors != NULL) + (c->values.text[OPT_IDS] != NULL) > 1) {
        complain("'wgdn recommend' needs ID..., --ids FILE or --new FILE, one of them");
        return USAGE;
    }
    c->sides = true;
    dataset_scratch(c, option_text(&c->values, OPT_OUTPUT), folder, sizeof folder);
    int code = choose_format(&w);
    if (code == DONE) code = open_recommender(&w, c);
    if (code == DONE && visitors) code = read_alike(&w.visitors, c, w.info.reading, visitors);
    if (code == DONE && saved)
        code = complain_status(wgdn_recommender_save(w.r, saved, &err), &err);
    if (code == DONE && vectors) code = write_vectors(&w, vectors);
    if (code == DONE && explain)
        (option_on(&c->values, OPT_JSON) ? put_info : print_info)(stdout, &w.info);
    if (code == DONE && wanted) code = list(&w);
    close_recommendation(&w);
    return code;
}

/* ---- evaluation ---- */

static void print_report(FILE *to, const wgdn_recommend_report *r)
{
    enum { WIDTH = 20 };
    const bool two = r->info.bipartite;
    fprintf(to, "%lld test %s of %lld %s, score: %s\n", (long long)r->interactions,
            two ? "interactions" : "edges", (long long)r->users, two ? "users" : "nodes",
            r->info.formula);
    print_head(to, WIDTH, two);
    for (int i = 0; i < r->rows; i++)
        print_quality(to, WIDTH, r->row[i].name, &r->row[i].quality);
}

static void put_report(FILE *to, const wgdn_recommend_report *r)
{
    json j = json_begin(to);
    json_put_integer(&j, "users", r->users);
    json_put_integer(&j, "interactions", r->interactions);
    json_put_integer(&j, "unknown", r->unknown);
    json_put_bool(&j, "bipartite", r->info.bipartite);
    json_put_integer(&j, "depth", r->info.bipartite ? 20 : 10);
    json_put_text(&j, "formula", r->info.formula);
    json_put_open(&j, "rows", '[');
    for (int i = 0; i < r->rows; i++) {
        json_put_open(&j, NULL, '{');
        json_put_text(&j, "name", r->row[i].name);
        put_quality(&j, &r->row[i].quality);
    }
    json_put_close(&j, ']');
    json_end(&j);
}

int eval_lists(cli *c, double fraction, uint64_t seed)
{
    const char *path = c->values.text[OPT_TEST];
    wgdn_dataset *d = NULL, *test = NULL;
    wgdn_recommend_options o;
    wgdn_recommend_report r;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_recommend_options_init(&o);
    wgdn_recommend_report_init(&r);
    o.seed = seed;
    o.threads = option_threads(&c->values);
    c->sides = true;
    int code = path_check(c->operand[0]);
    if (code == DONE && path) code = path_check(path);
    if (code == DONE) code = dataset_read(&d, c, c->operand[0]);
    if (code == DONE && path) code = read_alike(&test, c, dataset_info(d).reading, path);
    if (code == DONE)
        code = complain_status(wgdn_recommend_evaluate(&r, d, test, &o, fraction,
                                                       option_on(&c->values, OPT_BASELINES), &err),
                               &err);
    if (code == DONE && r.unknown > 0)
        remark(c, "%lld test interactions have a user or an item that is not in the data",
               (long long)r.unknown);
    if (code == DONE) (option_on(&c->values, OPT_JSON) ? put_report : print_report)(c->out, &r);
    wgdn_dataset_free(test);
    wgdn_dataset_free(d);
    return code;
}

const command cmd_recommend = {
    .name = "recommend",
    .operands = "DATA|MODEL [ID...]",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .operand = {{.files = DATA_FILES "|model"}},
    .summary = "list the most likely new neighbors of nodes",
    .text =
        "List what to offer whom: for each ID, or for all users, the items with the highest scores "
        "that they do not have, best first, one on a line: user, item, score. In a table with two "
        "kinds of nodes the first column holds the users and the second one the items; --bipartite "
        "reads any two columns this way. In other graphs users and items are the nodes, and the "
        "lists are the most likely missing edges.\n\n"
        "The score is a filter of the graph, or ridge regression over items where there are few. "
        "Which one it is, and its settings, are chosen on interactions that are held out; "
        "--explain prints the choice and its quality beside that of popularity and Adamic-Adar. "
        "With --memory, the filter has fewer columns where they do not fit. "
        "'wgdn similar' finds similar nodes instead, and 'wgdn eval --task recommend' measures "
        "recommendations on a test set. --save keeps the recommender for later, --vectors writes "
        "vectors for an index of dot products. With -o, the suffix of the file name "
        "sets the format: .csv, .tsv, .jsonl or .npz.",
    .example = "wgdn recommend purchases.csv -o lists.csv\n"
               "wgdn recommend purchases.csv anna ben -k 5\n"
               "wgdn recommend purchases.csv --explain\n"
               "wgdn recommend purchases.csv --save shop.model\n"
               "wgdn recommend shop.model --new visitors.csv --among in_stock.txt\n"
               "wgdn recommend shop.model --vectors vectors.npz --dim 256",
    .topics = TOPICS("Limits", "Recommendation"),
    .options = TAKES(READS_DATA, OPT_MEMORY, OPT_SCRATCH, OPT_IDS, OPT_OUTPUT, OPT_JSON),
    .first = FIRST("count", "ids", "new", "among", "include-seen", "explain", "bipartite", "weight",
                   "save", "vectors", "output", "json"),
    .joins = false,
    .run = recommend,
};
