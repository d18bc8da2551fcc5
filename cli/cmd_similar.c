/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn similar VECTORS ID... */
#include "dataset.h"
#include "json.h"
#include "show.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    wgdn_embedding *e;
    int64_t queries, k; /* k: neighbours of each, besides the id itself */
    int64_t *row;       /* of each query */
    float *x;           /* queries x width */
    int64_t *index;     /* queries x (k + 1) */
    float *score;
    char *text; /* room for one id */
} request;

enum { ID_ROOM = 65536 }; /* the longest there may be */

static void close_request(request *r)
{
    free(r->text);
    free(r->score);
    free(r->index);
    free(r->x);
    free(r->row);
    wgdn_embedding_free(r->e);
}

/* The rows of the ids, and a copy of their vectors. */
static int find_ids(request *r, const cli *c)
{
    const int64_t width = wgdn_embedding_dim(r->e);
    const float *x = wgdn_embedding_get_values(r->e);
    for (int64_t q = 0; q < r->queries; q++) {
        const char *id = c->operand[q + 1];
        r->row[q] = wgdn_embedding_find(r->e, id, strlen(id));
        if (r->row[q] < 0) {
            complain("%s has no embedding of '%s'", c->operand[0], id);
            return BAD_INPUT;
        }
        memcpy(r->x + q * width, x + r->row[q] * width, (size_t)width * sizeof *x);
    }
    return DONE;
}

static int take_memory(request *r)
{
    const int64_t all = r->queries * (r->k + 1), width = wgdn_embedding_dim(r->e);
    r->row = calloc((size_t)r->queries, sizeof *r->row);
    r->x = calloc((size_t)(r->queries * width), sizeof *r->x);
    r->index = calloc((size_t)all, sizeof *r->index);
    r->score = calloc((size_t)all, sizeof *r->score);
    r->text = calloc(1, ID_ROOM);
    if (r->row && r->x && r->index && r->score && r->text) return DONE;
    complain("out of memory for %lld neighbours", (long long)all);
    return DOES_NOT_FIT;
}

static int search(request *r, const cli *c)
{
    const wgdn_similarity metric =
        option_choice(&c->values, OPT_METRIC) == 0 ? WGDN_SIMILARITY_COSINE : WGDN_SIMILARITY_DOT;
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_compute_options_init(&o);
    o.threads = option_threads(&c->values);
    const wgdn_status st = wgdn_vectors_search(r->index, r->score, wgdn_embedding_get_values(r->e),
                                               wgdn_embedding_rows(r->e), wgdn_embedding_dim(r->e),
                                               r->x, r->queries, r->k + 1, metric, &o, &err);
    return st ? complain_status(st, &err) : DONE;
}

/* An id, until the next call. */
static const char *id_of(const request *r, int64_t row, size_t *size)
{
    const int64_t length = wgdn_embedding_id(r->e, row, r->text, ID_ROOM);
    *size = length < ID_ROOM ? (size_t)length : ID_ROOM - 1;
    return r->text;
}

/* The place of neighbour i of a query once the id itself is left out. */
static int64_t place(const request *r, int64_t q, int64_t i)
{
    const int64_t *index = r->index + q * (r->k + 1);
    for (int64_t at = 0; at <= i; at++)
        if (index[at] == r->row[q]) return q * (r->k + 1) + i + 1;
    return q * (r->k + 1) + i;
}

static void print_text(FILE *to, const request *r, const cli *c)
{
    for (int64_t q = 0; q < r->queries; q++)
        for (int64_t i = 0; i < r->k; i++) {
            const int64_t at = place(r, q, i);
            size_t size;
            const char *id = id_of(r, r->index[at], &size);
            show_name(to, c->operand[q + 1], strlen(c->operand[q + 1]));
            fputc('\t', to);
            show_name(to, id, size);
            fprintf(to, "\t%.6g\n", (double)r->score[at]);
        }
}

static void print_json(FILE *to, const request *r, const cli *c)
{
    for (int64_t q = 0; q < r->queries; q++) {
        json j = {.to = to};
        json_put_open(&j, NULL, '{');
        json_put_text(&j, "id", c->operand[q + 1]);
        json_put_open(&j, "neighbours", '[');
        for (int64_t i = 0; i < r->k; i++) {
            const int64_t at = place(r, q, i);
            size_t size;
            const char *id = id_of(r, r->index[at], &size);
            json_put_open(&j, NULL, '{');
            json_put_bytes(&j, "id", id, size);
            json_put_real(&j, "score", (double)r->score[at]);
            json_put_close(&j, '}');
        }
        json_put_close(&j, ']');
        json_put_close(&j, '}');
        fputc('\n', to);
    }
}

static int similar(cli *c)
{
    request r = {.queries = c->operands - 1};
    wgdn_error err = {WGDN_OK, ""};
    const int wanted = atoi(option_text(&c->values, OPT_COUNT));
    int code = path_check(c->operand[0]);
    if (wanted < 1) {
        complain("--count %d: expected at least 1", wanted);
        return USAGE;
    }
    if (code != DONE) return code;
    const wgdn_status st = wgdn_embedding_read(&r.e, c->operand[0], &err);
    if (st) return complain_status(st, &err);
    const int64_t others = wgdn_embedding_rows(r.e) - 1;
    r.k = wanted < others ? wanted : others;
    code = take_memory(&r);
    if (code == DONE) code = find_ids(&r, c);
    if (code == DONE) code = search(&r, c);
    if (code == DONE && option_on(&c->values, OPT_JSON))
        print_json(c->out, &r, c);
    else if (code == DONE)
        print_text(c->out, &r, c);
    close_request(&r);
    return code;
}

const command cmd_similar = {
    .name = "similar",
    .operands = "VECTORS ID...",
    .min_operands = 2,
    .max_operands = INT_MAX,
    .operand = {{.files = VECTOR_FILES}},
    .summary = "find the nearest neighbours of ids",
    .text = "Print, for each ID, the ids with the most similar embeddings, best first, one on a "
            "line: ID, neighbour, similarity. The search is exact.",
    .example = "wgdn similar vectors.tsv anna ben -k 5",
    .topics = TOPICS("Search"),
    .options = TAKES(OPT_OUTPUT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .run = similar,
};
