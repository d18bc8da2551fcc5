/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn compare OLD NEW: what changed between two embeddings of the same nodes. */
#include "compare.h"
#include "json.h"
#include "show.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

enum { ID_ROOM = 65536, MOVED = 5 };

static void print_text(cli *c, const comparison *p)
{
    const side *was = &p->before, *is = &p->after;
    fprintf(c->out, "nodes            %lld in both, %lld in %s alone, %lld in %s alone\n",
            (long long)p->both, (long long)(was->rows - p->both), c->operand[0],
            (long long)(is->rows - p->both), c->operand[1]);
    fprintf(c->out, "columns          %lld, %lld\n", (long long)was->dim, (long long)is->dim);
    if (p->same_space)
        fprintf(c->out, "cosine           %.4f on average, median %.4f, least %.4f\n", p->mean,
                p->median, p->least);
    fprintf(c->out, "similarities     %.4f correlated, over pairs of nodes\n", p->correlation);
    fprintf(c->out, "neighbors kept   %.1f of %lld nearest, mean over %lld nodes\n",
            p->kept * (double)p->k, (long long)p->k, (long long)p->looked_at);
    fprintf(c->out, "effective dim    %.1f before, %.1f after\n", was->rank, is->rank);
    fprintf(c->out, "mean cosine      %.3f before, %.3f after, of two random nodes\n",
            was->likeness, is->likeness);
}

static void print_moved(cli *c, const comparison *p, char *text)
{
    const int64_t count = p->looked_at < MOVED ? p->looked_at : MOVED;
    fputs("\nmoved most       nearest neighbors kept\n", c->out);
    for (int64_t i = 0; i < count; i++) {
        const int64_t size = wgdn_embedding_id(text, ID_ROOM, p->after.e, p->moved[i].row);
        fprintf(c->out, "  %6.0f of %lld  ", p->moved[i].kept * (double)p->k, (long long)p->k);
        show_name(c->out, text, (size_t)(size < ID_ROOM ? size : ID_ROOM - 1));
        fputc('\n', c->out);
    }
}

static void put_side(json *j, const char *key, const side *s, int64_t both)
{
    json_put_open(j, key, '{');
    json_put_integer(j, "nodes", s->rows);
    json_put_integer(j, "alone", s->rows - both);
    json_put_integer(j, "dim", s->dim);
    json_put_real(j, "effective_rank", s->rank);
    json_put_real(j, "mean_cosine", s->likeness);
    json_put_close(j, '}');
}

static void print_json(cli *c, const comparison *p, char *text)
{
    json j = {.to = c->out};
    json_put_open(&j, NULL, '{');
    json_put_integer(&j, "both", p->both);
    put_side(&j, "old", &p->before, p->both);
    put_side(&j, "new", &p->after, p->both);
    if (p->same_space) {
        json_put_open(&j, "cosine", '{');
        json_put_real(&j, "mean", p->mean);
        json_put_real(&j, "median", p->median);
        json_put_real(&j, "least", p->least);
        json_put_close(&j, '}');
    }
    json_put_real(&j, "similarity_correlation", p->correlation);
    json_put_real(&j, "neighbours_kept", p->kept);
    json_put_integer(&j, "neighbours", p->k);
    json_put_integer(&j, "looked_at", p->looked_at);
    json_put_open(&j, "moved_most", '[');
    for (int64_t i = 0; i < MOVED && i < p->looked_at; i++) {
        const int64_t size = wgdn_embedding_id(text, ID_ROOM, p->after.e, p->moved[i].row);
        json_put_open(&j, NULL, '{');
        json_put_bytes(&j, "id", text, (size_t)(size < ID_ROOM ? size : ID_ROOM - 1));
        json_put_real(&j, "neighbours_kept", p->moved[i].kept);
        json_put_close(&j, '}');
    }
    json_put_close(&j, ']');
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static int compare(cli *c)
{
    comparison p = {.k = atoi(option_text(&c->values, OPT_COUNT)),
                    .all = option_on(&c->values, OPT_ALL),
                    .threads = option_threads(&c->values)};
    char *text = malloc(ID_ROOM);
    int code = DONE;
    if (p.k < 1) {
        complain("--count %lld: expected at least 1", (long long)p.k);
        code = USAGE;
    } else if (!text) {
        complain("out of memory for an id");
        code = DOES_NOT_FIT;
    }
    if (code == DONE) code = vectors_wanted(&p.before.e, c->operand[0]);
    if (code == DONE) code = vectors_wanted(&p.after.e, c->operand[1]);
    if (code == DONE) code = comparison_make(&p);
    if (code == DONE && option_on(&c->values, OPT_JSON)) {
        print_json(c, &p, text);
    } else if (code == DONE) {
        print_text(c, &p);
        print_moved(c, &p, text);
    }
    comparison_free(&p);
    free(text);
    return code;
}

const command cmd_compare = {
    .name = "compare",
    .operands = "OLD NEW",
    .min_operands = 2,
    .max_operands = 2,
    .operand = {{.files = VECTOR_FILES}, {.files = VECTOR_FILES}},
    .summary = "tell what changed between two embeddings of the same nodes",
    .text = "Compare the vectors of nodes that both files have, by id: cosine of old and new where "
            "both have as many columns, how the similarities of pairs of nodes correlate, how many "
            "of the nearest neighbours of a node are the same, and which nodes kept fewest. The "
            "latter do not change when all vectors are turned together. Of each file: how many "
            "dimensions are effective, and the mean cosine of two random nodes, which is near 1 "
            "where all vectors point the same way. Neighbours are those of 2000 nodes, spread over "
            "the file; --all looks at every one.",
    .example = "wgdn compare yesterday.tsv today.tsv\n"
               "wgdn compare yesterday.npz today.npz --count 20 --all --json",
    .options = TAKES(OPT_COUNT, OPT_ALL, OPT_OUTPUT, OPT_JSON, OPT_THREADS, OPT_QUIET),
    .run = compare,
};
