/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One epoch beside its floor: the bare engine's dense products and the bare sparse products that
 * the epoch cannot do without, measured in the same run.
 *
 *     OMP_NUM_THREADS=2 bench_train [epochs] NAME=FILE ...     NAME is a preset
 *     OMP_NUM_THREADS=2 bench_train [epochs] arxiv-sized
 */
#include "graphs.h"
#include "peers.h"
#include "timing.h"
#include "train/train.h"

#include <ctype.h>
#include <string.h>
#include <sys/resource.h>

enum { EPOCHS_MOST = ROUNDS_MOST, REPEATS = 3 };

static void must(wgdn_status st, const wgdn_error *err)
{
    if (!st) return;
    fprintf(stderr, "bench_train: %s\n", err->message);
    exit(EXIT_FAILURE);
}

/* ---- the floor ---- */

typedef struct floor_sum {
    double dense, sparse; /* seconds */
    float *a, *b, *c;     /* large enough for any operand */
} floor_sum;

/* `times` products of one shape; tn: a sum over n rows, k x m. */
static void add_dense(floor_sum *f, double times, bool tn, int64_t n, int64_t k, int64_t m)
{
    double t[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        const double start = seconds();
        if (tn)
            peer_gemm(true, false, k, m, n, f->a, k, f->b, m, f->c, m);
        else
            peer_gemm(false, false, n, m, k, f->a, k, f->b, m, f->c, m);
        t[r] = seconds() - start;
    }
    f->dense += times * median(t, REPEATS);
}

static void add_sparse(floor_sum *f, double times, const wgdn_csr *s, int64_t d)
{
    double t[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        const double start = seconds();
        wgdn_spmm(f->c, s, f->a, d);
        t[r] = seconds() - start;
    }
    f->sparse += times * median(t, REPEATS);
}

/* Products of n x in by in x out, forward and both gradients. */
static void add_layer(floor_sum *f, double times, int64_t n, int64_t in, int64_t out)
{
    add_dense(f, times, false, n, in, out);
    add_dense(f, times, true, n, in, out);
    add_dense(f, times, false, n, out, in);
}

static void measure_floor(floor_sum *f, const wgdn_model *m, const wgdn_graph *g,
                          const wgdn_input *in, bool gram)
{
    const wgdn_shape *s = &m->shape;
    const int64_t n = in->n, h = s->width, x = s->features;
    double filters = 0; /* products with L, width h */
    if (in->sparse) {
        wgdn_csr t = in->transposed;
        t.value = NULL;
        add_sparse(f, 1, in->sparse, h);
        add_sparse(f, 1, &t, h);
        filters += 2 * s->encoder_order;
    } else {
        add_dense(f, 1, false, n, x, h);
        add_dense(f, 1, true, n, x, h);
    }
    if (s->encoder_layers > 1) add_layer(f, s->encoder_layers - 1, n, h, h);
    filters += 2.0 * s->encoder_order * (s->encoder_layers - 1);
    for (int k = 0; k < s->decoder_layers; k++) {
        const int branches = k > 0 && m->options.skip != WGDN_SKIP_NONE ? 2 : 1;
        const double products = s->channels > 1 ? s->channels * branches : 1;
        const bool last = k == s->decoder_layers - 1;
        filters += 2.0 * s->decoder_order * branches;
        if (!last || !gram) add_layer(f, products, n, h, last ? x : h);
    }
    if (gram) {
        add_dense(f, 1, true, n, h, h);
        add_dense(f, 1, false, n, h, h);
        add_dense(f, 1, true, x, h, h);
        add_dense(f, 1, false, x, h, h);
        add_sparse(f, 3, in->sparse, h); /* sampled, E W, E^T B: the same entries gathered */
    }
    add_sparse(f, filters, &g->adjacency, h);
}

/* ---- an epoch ---- */

static int64_t widest(const wgdn_model *m, const wgdn_input *in)
{
    const int64_t h = m->shape.width, x = m->shape.features, n = in->n > x ? in->n : x;
    return n * (in->sparse || h > x ? h : x);
}

static void run(const char *name, const wgdn_dataset *d, const wgdn_train_options *o, int epochs)
{
    wgdn_error err;
    wgdn_model *m = NULL;
    wgdn_feed feed;
    wgdn_workspace *w = NULL;
    wgdn_adam adam;
    const wgdn_graph *g = wgdn_dataset_get_graph(d);
    double t[EPOCHS_MOST], loss = 0;
    struct rusage usage;
    must(wgdn_model_make(&m, o, wgdn_feed_width(d, o), &err), &err);
    must(wgdn_feed_open(&feed, d, m, &err), &err);
    must(wgdn_workspace_new(&w, m, feed.input.n, &feed.input, true, &err), &err);
    must(wgdn_adam_new(&adam, m->layout.size, &err), &err);
    float *grad = wgdn_alloc_zero((size_t)m->layout.size, sizeof *grad);
    for (int e = -1; e < epochs; e++) {
        const double start = seconds();
        must(wgdn_step(&loss, grad, m, w, g, &feed.input, (uint32_t)(e + 1), NULL, &err), &err);
        wgdn_adam_step(&adam, m->param, grad, o->rate);
        if (e >= 0) t[e] = seconds() - start;
    }
    getrusage(RUSAGE_SELF, &usage);
    const bool gram = wgdn_workspace_uses_gram(w);
    wgdn_workspace_free(w);
    const size_t room = (size_t)widest(m, &feed.input);
    floor_sum f = {.a = wgdn_alloc_zero(room, 4),
                   .b = wgdn_alloc_zero(room, 4),
                   .c = wgdn_alloc_zero(room, 4)};
    if (!f.a || !f.b || !f.c || !grad) abort();
    measure_floor(&f, m, g, &feed.input, gram);
    const double epoch = median(t, epochs), least = f.dense + f.sparse;
    printf("{\"case\": \"epoch %s\", \"ms\": %.1f, \"floor_ms\": %.1f, \"floor_dense_ms\": %.1f, "
           "\"floor_sparse_ms\": %.1f, \"ratio\": %.2f, \"peak_mb\": %.0f, \"without_r\": %s}\n",
           name, epoch * 1e3, least * 1e3, f.dense * 1e3, f.sparse * 1e3, epoch / least,
           (double)usage.ru_maxrss * 1024e-6, gram ? "true" : "false");
    fflush(stdout);
    wgdn_release(f.c);
    wgdn_release(f.b);
    wgdn_release(f.a);
    wgdn_release(grad);
    wgdn_adam_free(&adam);
    wgdn_feed_free(&feed);
    wgdn_model_free(m);
}

static void preset(wgdn_train_options *o, const char *name)
{
    wgdn_error err;
    wgdn_train_options_init(o);
    if (!wgdn_preset_text(name)) {
        fprintf(stderr, "bench_train: there is no preset '%s'\n", name);
        exit(2);
    }
    must(wgdn_train_options_parse(o, wgdn_preset_text(name), name, &err), &err);
}

/* 169343 nodes, 2315598 entries, 128 dense features: the size of ogbn-arxiv. */
static wgdn_dataset *arxiv_sized(void)
{
    enum { N = 169343, EDGES = 1157799, F = 128 };
    wgdn_csr a = bench_matrix(N, EDGES, true);
    int64_t *src = wgdn_alloc(EDGES, sizeof *src), *dst = wgdn_alloc(EDGES, sizeof *dst);
    float *x = wgdn_alloc((size_t)N * F, sizeof *x);
    wgdn_dataset *d = NULL;
    wgdn_error err;
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = a.offset[i]; k < a.offset[i + 1]; k++) {
            src[k] = i;
            dst[k] = a.column[k];
        }
    wgdn_random_normals(x, F, (wgdn_stream){.seed = 1}, 0, N, 0, F);
    const wgdn_dataset_arrays arrays = {.struct_size = sizeof arrays,
                                        .nodes = N,
                                        .edges = EDGES,
                                        .source = src,
                                        .target = dst,
                                        .width = F,
                                        .dense = x};
    must(wgdn_dataset_from_arrays(&d, &arrays, &err), &err);
    wgdn_release(x);
    wgdn_release(dst);
    wgdn_release(src);
    wgdn_csr_free(&a);
    return d;
}

static void run_word(const char *word, int epochs)
{
    char name[32];
    wgdn_train_options o;
    wgdn_dataset *d = NULL;
    wgdn_error err;
    const char *equals = strchr(word, '=');
    if (strcmp(word, "arxiv-sized") == 0) {
        preset(&o, "arxiv");
        d = arxiv_sized();
    } else if (equals && equals - word < (int)sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        preset(&o, name);
        must(wgdn_dataset_read(&d, equals + 1, NULL, &err), &err);
    } else {
        fprintf(stderr, "usage: bench_train [epochs] PRESET=FILE ... | arxiv-sized\n");
        exit(2);
    }
    run(equals ? name : word, d, &o, epochs);
    wgdn_dataset_free(d);
}

int main(int argc, char **argv)
{
    int epochs = 7, first = 1;
    if (argc > 1 && isdigit((unsigned char)argv[1][0])) epochs = atoi(argv[first++]);
    if (epochs < 1 || epochs > EPOCHS_MOST) epochs = 7;
    peer_begin();
    for (int i = first; i < argc; i++)
        run_word(argv[i], epochs);
    return 0;
}
