/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An epoch over batches of graphs, in fp32 and in bf16: its time, the share of it that preparing
 * batches takes, and the bare dense products of fp32, batch by batch in the same run.
 *
 *     OMP_NUM_THREADS=2 bench_graphs [epochs] PRESET=FILE ...
 *     OMP_NUM_THREADS=2 bench_graphs turns [bf16] PRESET=FILE   an epoch for each line of input
 *
 * cpu_ms is processor time over all threads, which other work on the machine disturbs less.
 */
#include "model/train.h"
#include "peers.h"
#include "timing.h"

#include <ctype.h>
#include <string.h>

static void must(wgdn_status st, const wgdn_error *err)
{
    if (!st) return;
    fprintf(stderr, "bench_graphs: %s\n", err->message);
    exit(EXIT_FAILURE);
}

/* C = op(A) B, C: rows x cols, over `sum` terms, by the bare engine. */
static void engine(float *c, const float *a, bool ta, const float *b, int64_t rows, int64_t cols,
                   int64_t sum)
{
    peer_gemm(&(wgdn_engine_product){.ta = ta,
                                     .m = rows,
                                     .n = cols,
                                     .k = sum,
                                     .alpha = 1,
                                     .a = a,
                                     .lda = ta ? rows : sum,
                                     .b = b,
                                     .ldb = cols,
                                     .c = c,
                                     .ldc = cols});
}

/* `times` layers n x in x out: forward and both gradients. */
static void layer_floor(float *const *m, int times, int64_t n, int64_t in, int64_t out)
{
    for (int k = 0; k < times; k++) {
        engine(m[2], m[0], false, m[1], n, out, in);
        engine(m[1], m[0], true, m[2], in, out, n);
        engine(m[0], m[2], false, m[1], n, in, out);
    }
}

static void step_floor(float *const *m, const wgdn_model *model, int64_t n)
{
    const wgdn_shape *s = &model->shape;
    layer_floor(m, s->encoder_layers - 1, n, s->width, s->width);
    for (int k = 0; k < s->decoder_layers; k++) {
        const int branches = k > 0 && model->options.skip != WGDN_SKIP_NONE ? 2 : 1;
        layer_floor(m, s->channels > 1 ? s->channels * branches : 1, n, s->width,
                    k == s->decoder_layers - 1 ? s->features : s->width);
    }
}

typedef struct bench {
    wgdn_model *model;
    wgdn_batches batches;
    wgdn_workspace *work;
    wgdn_optimizer optimizer;
    int64_t steps;
    float *grad, *scratch[3]; /* the floor's */
    int64_t epoch;
    double peak; /* bytes before there was room for the floor */
} bench;

/* Its loss is the mean over steps; prepare: seconds that gathering took. */
static turn one_epoch(bench *b, double *prepare)
{
    turn t = {.peak = b->peak};
    wgdn_batches *batches = &b->batches;
    wgdn_model *m = b->model;
    wgdn_error err;
    *prepare = 0;
    for (int64_t k = 0; k < batches->steps; k++) {
        const double start = seconds(), cpu = cpu_seconds();
        double loss;
        wgdn_batches_take(batches, b->epoch * batches->steps + k);
        const double ready = seconds();
        wgdn_workspace_fit(b->work, batches->input->rows);
        const wgdn_pass pass =
            wgdn_pass_of(m, b->work, batches->graph, batches->input, (uint32_t)b->steps);
        must(wgdn_step(&loss, b->grad, &pass, &err), &err);
        b->optimizer.form->step(&b->optimizer, m->param, b->grad, m->options.learning_rate,
                                ++b->steps);
        const double end = seconds(), cpu_end = cpu_seconds();
        *prepare += ready - start;
        t.epoch += end - start;
        t.cpu += cpu_end - cpu;
        t.loss += loss / (double)batches->steps;
        if (!b->scratch[0]) continue;
        step_floor(b->scratch, m, batches->input->rows.count);
        t.floor += seconds() - end;
        t.floor_cpu += cpu_seconds() - cpu_end;
    }
    b->epoch++;
    return t;
}

/* Everything, and one epoch to warm up. */
static void open_bench(bench *b, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_error err;
    double prepare;
    *b = (bench){.peak = 0};
    must(wgdn_model_make(&b->model, o, wgdn_feed_width(d, o), &err), &err);
    must(wgdn_batches_open(&b->batches, d, b->model, false, &err), &err);
    must(wgdn_workspace_new(&b->work, b->model, b->batches.input, true, &err), &err);
    must(wgdn_optimizer_new(&b->optimizer, &wgdn_adam, b->model->layout.size, &err), &err);
    b->grad = wgdn_alloc_zero((size_t)b->model->layout.size, sizeof *b->grad);
    const int64_t wide = o->dim > b->model->shape.features ? o->dim : b->model->shape.features;
    const int64_t rows = b->batches.input->rows.count, tall = rows > wide ? rows : wide;
    (void)one_epoch(b, &prepare);
    b->peak = peak_bytes();
    for (int k = 0; k < 3; k++)
        b->scratch[k] = wgdn_alloc_zero((size_t)tall, (size_t)wide * sizeof(float));
}

static void close_bench(bench *b)
{
    for (int k = 0; k < 3; k++)
        wgdn_release(b->scratch[k]);
    wgdn_release(b->grad);
    wgdn_optimizer_free(&b->optimizer);
    wgdn_workspace_free(b->work);
    wgdn_batches_free(&b->batches);
    wgdn_model_free(b->model);
}

static void measure(const char *name, const wgdn_dataset *d, const wgdn_train_options *o,
                    int epochs)
{
    const char *precision = o->precision == WGDN_PRECISION_BF16 ? "bf16" : "fp32";
    double t[4][ROUNDS_MAX];
    bench b;
    open_bench(&b, d, o);
    for (int e = 0; e < epochs; e++) {
        double prepare;
        const turn s = one_epoch(&b, &prepare);
        t[0][e] = s.epoch;
        t[1][e] = s.cpu;
        t[2][e] = prepare / s.epoch;
        t[3][e] = s.floor;
    }
    const double epoch = median(t[0], epochs), floor = median(t[3], epochs);
    printf("{\"case\": \"epoch %s, %s\", \"ms\": %.0f, \"cpu_ms\": %.0f, \"steps\": %lld, "
           "\"prepare_percent\": %.2f, \"floor_dense_ms\": %.0f, \"ratio\": %.2f}\n",
           name, precision, epoch * 1e3, median(t[1], epochs) * 1e3, (long long)b.batches.steps,
           100 * median(t[2], epochs), floor * 1e3, epoch / floor);
    fflush(stdout);
    close_bench(&b);
}

static turn one_turn(void *context)
{
    double prepare;
    return one_epoch(context, &prepare);
}

static void turns_of(const wgdn_dataset *d, const wgdn_train_options *o)
{
    bench b;
    open_bench(&b, d, o);
    take_turns(one_turn, &b);
    close_bench(&b);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_graphs [epochs] PRESET=FILE ...\n"
                    "       bench_graphs turns [bf16] PRESET=FILE\n");
    exit(2);
}

/* Options and data of PRESET=FILE; what it is called, into name. */
static wgdn_dataset *of_word(char name[32], wgdn_train_options *o, const char *word)
{
    const char *equals = strchr(word, '=');
    wgdn_dataset *d = NULL;
    wgdn_error err;
    snprintf(name, 32, "%.*s", (int)(equals ? equals - word : 0), word);
    if (!equals || !wgdn_preset_text(name)) usage();
    wgdn_train_options_init(o);
    must(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, o, wgdn_preset_text(name), name, &err), &err);
    must(wgdn_dataset_read(&d, equals + 1, NULL, &err), &err);
    return d;
}

int main(int argc, char **argv)
{
    const bool turns = argc > 2 && strcmp(argv[1], "turns") == 0;
    const bool bf16 = turns && strcmp(argv[2], "bf16") == 0;
    int epochs = 3, first = turns ? 2 + bf16 : 1;
    if (!turns && argc > 1 && isdigit((unsigned char)argv[1][0])) epochs = atoi(argv[first++]);
    if (first >= argc || epochs < 1 || epochs > ROUNDS_MAX) usage();
    peer_begin();
    for (int i = first; i < argc; i++) {
        char name[32];
        wgdn_train_options o;
        wgdn_dataset *d = of_word(name, &o, argv[i]);
        if (bf16) o.precision = WGDN_PRECISION_BF16;
        if (turns) turns_of(d, &o);
        for (int k = 0; !turns && k < 2; k++) {
            o.precision = k ? WGDN_PRECISION_BF16 : WGDN_PRECISION_FP32;
            measure(name, d, &o, epochs);
        }
        wgdn_dataset_free(d);
    }
    return 0;
}
