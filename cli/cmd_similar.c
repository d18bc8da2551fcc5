/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn similar`, which prints the nearest neighbors of given ids as TSV, CSV or JSON
 * lines. wgdn_embedding_search() finds them.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "files.h"
#include "terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum manner { AS_TSV, AS_CSV, AS_JSON } manner;

typedef struct request {
    wgdn_embedding *e;
    id_list ids;        /* the queries, unless all rows are */
    int64_t *place;     /* rows of those that have a vector */
    bool all;           /* every row is a query */
    int64_t queries, k; /* k: neighbors of each, besides the id itself */
    int64_t *row;       /* of each query of a block */
    int64_t *index;     /* block x (k + 1) */
    float *score;
    char *text; /* room for one id */
    manner as;
} request;

enum { BLOCK = 1024 }; /* queries at a time */

/* An id, until the next call. */
static const char *id_of(const request *r, int64_t row, size_t *size)
{
    *size = vectors_id(r->text, r->e, row);
    return r->text;
}

/* Keeps the ids that have a vector, and their rows; the others are counted and reported. */
static int find_ids(request *r, const cli *c)
{
    const bool strict = option_on(&c->values, OPT_STRICT);
    int64_t known = 0;
    const char *first = NULL;
    size_t size;
    r->queries = r->all ? wgdn_embedding_rows(r->e) : 0;
    r->place = calloc((size_t)r->ids.count + 1, sizeof *r->place);
    if (!r->place) return id_list_no_memory();
    for (int64_t q = 0; q < r->ids.count; q++) {
        const char *id = r->ids.id[q];
        r->place[known] = wgdn_embedding_find(r->e, id, strlen(id));
        if (r->place[known] < 0 && !first) first = id;
        known += r->place[known] >= 0;
    }
    if (first && (strict || known == 0)) {
        const char *like = id_of(r, 0, &size);
        if (r->ids.count > 1 && known == 0)
            complain("%s: none of the %lld ids has a vector; first: '%s'; ids of the vectors look "
                     "like '%s'",
                     c->operand[0], (long long)r->ids.count, first, like);
        else
            complain("%s has no embedding of '%s'", c->operand[0], first);
        return BAD_INPUT;
    }
    if (first)
        remark(c, "%s: %lld of %lld ids %s no vector: skipped; first: '%s'", c->operand[0],
               (long long)(r->ids.count - known), (long long)r->ids.count,
               r->ids.count - known == 1 ? "has" : "have", first);
    r->queries += known;
    return DONE;
}

static int take_memory(request *r)
{
    const int64_t block = r->queries < BLOCK ? r->queries : BLOCK, all = block * (r->k + 1);
    r->row = calloc((size_t)block, sizeof *r->row);
    r->index = calloc((size_t)all, sizeof *r->index);
    r->score = calloc((size_t)all, sizeof *r->score);
    if (r->row && r->index && r->score) return DONE;
    complain("out of memory for %lld neighbors", (long long)all);
    return DOES_NOT_FIT;
}

static int search(request *r, const cli *c, int64_t count)
{
    const wgdn_similarity metric =
        option_choice(&c->values, OPT_METRIC) == 0 ? WGDN_SIMILARITY_COSINE : WGDN_SIMILARITY_DOT;
    return vectors_search(r->index, r->score, r->e, r->row, count, r->k + 1, metric,
                          option_threads(&c->values));
}

/* The place of neighbor i of a query, the query itself excluded. */
static int64_t place(const request *r, int64_t q, int64_t i)
{
    const int64_t *index = r->index + q * (r->k + 1);
    for (int64_t at = 0; at <= i; at++)
        if (index[at] == r->row[q]) return q * (r->k + 1) + i + 1;
    return q * (r->k + 1) + i;
}

/* A CSV field with quotes where it needs them. */
static void print_field(FILE *to, const char *text, size_t size)
{
    const bool plain = strcspn(text, ",\"\r\n") == size && text[0] != ' ';
    if (plain) {
        fwrite(text, 1, size, to);
        return;
    }
    fputc('"', to);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') fputc('"', to);
        fputc(text[i], to);
    }
    fputc('"', to);
}

static void print_id(FILE *to, const request *r, int64_t row)
{
    size_t size;
    const char *id = id_of(r, row, &size);
    if (r->as == AS_CSV)
        print_field(to, id, size);
    else
        show_name(to, id, size);
}

static void print_text(FILE *to, const request *r, int64_t count)
{
    const char between = r->as == AS_CSV ? ',' : '\t';
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < r->k; i++) {
            const int64_t at = place(r, q, i);
            print_id(to, r, r->row[q]);
            fputc(between, to);
            print_id(to, r, r->index[at]);
            fprintf(to, "%c%.6g\n", between, (double)r->score[at]);
        }
}

static void print_json(FILE *to, const request *r, int64_t count)
{
    for (int64_t q = 0; q < count; q++) {
        json j = json_begin(to);
        size_t size;
        const char *id = id_of(r, r->row[q], &size);
        json_put_bytes(&j, "id", id, size);
        json_put_open(&j, "neighbors", '[');
        for (int64_t i = 0; i < r->k; i++) {
            const int64_t at = place(r, q, i);
            id = id_of(r, r->index[at], &size);
            json_put_open(&j, NULL, '{');
            json_put_bytes(&j, "id", id, size);
            json_put_real(&j, "score", (double)r->score[at]);
            json_put_close(&j, '}');
        }
        json_put_close(&j, ']');
        json_end(&j);
    }
}

/* Ids come from operands, from a file, or from all rows: exactly one of the three. */
static int choose_queries(request *r, const cli *c)
{
    const char *path = c->values.text[OPT_IDS];
    const bool operands = c->operands > 1;
    r->all = option_on(&c->values, OPT_ALL);
    if (operands + (path != NULL) + r->all != 1) {
        complain("'wgdn similar' needs ID..., --ids FILE or --all, one of them");
        return USAGE;
    }
    if (operands && c->operands == 2 && strcmp(c->operand[1], "-") == 0) path = "-";
    if (path && strcmp(path, "-") == 0 && strcmp(input_name(c->operand[0]), "-") == 0) {
        complain("standard input can be the vectors or the ids, not both");
        return USAGE;
    }
    if (r->all) return DONE;
    return path ? id_list_read(&r->ids, path)
                : id_list_take(&r->ids, c->operand + 1, c->operands - 1);
}

/* By --json, or by the ending of the output's name. */
static manner choose_manner(const cli *c)
{
    const char *path = option_text(&c->values, OPT_OUTPUT), *dot = strrchr(path, '.');
    if (option_on(&c->values, OPT_JSON) || (dot && strcasecmp(dot, ".jsonl") == 0)) return AS_JSON;
    return dot && strcasecmp(dot, ".csv") == 0 ? AS_CSV : AS_TSV;
}

/* Block after block: memory does not grow with the number of queries. */
static int answer(request *r, const cli *c)
{
    progress bar;
    int code = r->queries > 0 ? take_memory(r) : DONE;
    r->as = choose_manner(c);
    if (code == DONE && r->as == AS_CSV) fputs("id,neighbor,similarity\n", c->out);
    progress_start(&bar, "searching", "ids", option_on(&c->values, OPT_QUIET));
    for (int64_t from = 0; code == DONE && from < r->queries; from += BLOCK) {
        const int64_t count = r->queries - from < BLOCK ? r->queries - from : BLOCK;
        for (int64_t q = 0; q < count; q++)
            r->row[q] = r->all ? from + q : r->place[from + q];
        code = search(r, c, count);
        if (code == DONE) (r->as == AS_JSON ? print_json : print_text)(c->out, r, count);
        progress_show(&bar, from + count, r->queries);
    }
    progress_end(&bar);
    return code;
}

static int similar(cli *c)
{
    request r = {.e = NULL};
    const int wanted = atoi(option_text(&c->values, OPT_COUNT));
    if (wanted < 1) {
        complain("--count %d: expected at least 1", wanted);
        return USAGE;
    }
    int code = choose_queries(&r, c);
    if (code == DONE) code = path_check(c->operand[0]);
    if (code == DONE) code = vectors_wanted(&r.e, c->operand[0]);
    if (code == DONE) {
        const int64_t others = wgdn_embedding_rows(r.e) - 1;
        r.k = wanted < others ? wanted : others;
        r.text = calloc(1, ID_ROOM);
        code = r.text ? find_ids(&r, c) : id_list_no_memory();
        if (code == DONE) code = answer(&r, c);
    }
    free(r.text);
    free(r.score);
    free(r.index);
    free(r.row);
    free(r.place);
    id_list_free(&r.ids);
    wgdn_embedding_free(r.e);
    return code;
}

const command cmd_similar = {
    .name = "similar",
    .operands = "VECTORS [ID...]",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .operand = {{.files = VECTOR_FILES}},
    .summary = "find the nearest neighbors of ids",
    .text =
        "Print, for each ID, the ids with the most similar embeddings, best first, one on a "
        "line: ID, neighbor, similarity. The search is exact. Ids come from the command line, "
        "from "
        "a file with one on a line (--ids FILE), from standard input (-), or are all there are "
        "(--all). VECTORS - is standard input, too. Ids without a vector are skipped, counted and "
        "reported; --strict refuses them. With -o the ending of the file's name "
        "chooses the form: .csv has a row of column names, .jsonl has JSON lines, any other "
        "is separated by tabs.",
    .example = "wgdn similar vectors.tsv anna ben -k 5\n"
               "wgdn similar vectors.npz --ids accounts.txt --json\n"
               "wgdn similar vectors.npz --all -k 5 -o neighbors.tsv",
    .topics = TOPICS("Search"),
    .options = TAKES(OPT_OUTPUT, OPT_STRICT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .run = similar,
};
