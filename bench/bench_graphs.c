/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An epoch over batches of graphs, in fp32 and in bf16: its time, the share of it that preparing
 * batches takes, and the bare dense products of fp32, batch by batch in the same run.
 *
 *     OMP_NUM_THREADS=2 bench_graphs [epochs] PRESET=FILE ...
 *
 * cpu_ms is processor time over all threads, which other work on the machine disturbs less.
 */
#include "peers.h"
#include "timing.h"
#include "train/train.h"

#include <ctype.h>
#include <string.h>

static void must(wgdn_status st, const wgdn_error *err)
{
    if (!st) return;
    fprintf(stderr, "bench_graphs: %s\n", err->message);
    exit(EXIT_FAILURE);
}

/* `times` layers n x in x out: forward and both gradients, by the bare engine. */
static void layer_floor(float *const *m, int times, int64_t n, int64_t in, int64_t out)
{
    for (int k = 0; k < times; k++) {
        peer_gemm(false, false, n, out, in, m[0], in, m[1], out, m[2], out);
        peer_gemm(true, false, in, out, n, m[0], in, m[2], out, m[1], out);
        peer_gemm(false, false, n, in, out, m[2], out, m[1], in, m[0], in);
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

typedef struct clock_sum {
    double epoch, cpu, prepare, floor;
} clock_sum;

static clock_sum one_epoch(wgdn_model *m, wgdn_batches *b, wgdn_workspace *w, wgdn_adam *adam,
                           float *grad, float *const *scratch, int64_t epoch)
{
    clock_sum t = {0};
    wgdn_error err;
    for (int64_t k = 0; k < b->steps; k++) {
        const double start = seconds(), cpu = cpu_seconds();
        double loss;
        wgdn_batches_take(b, epoch * b->steps + k);
        const double ready = seconds();
        wgdn_workspace_fit(w, b->input->rows);
        must(wgdn_step(&loss, grad, m, w, b->graph, b->input, (uint32_t)adam->steps, NULL, &err),
             &err);
        wgdn_adam_step(adam, m->param, grad, m->options.rate);
        const double end = seconds();
        t.prepare += ready - start;
        t.epoch += end - start;
        t.cpu += cpu_seconds() - cpu;
        step_floor(scratch, m, b->input->rows.count);
        t.floor += seconds() - end;
    }
    return t;
}

static void run(const char *name, const wgdn_dataset *d, const wgdn_train_options *o, int epochs)
{
    const char *precision = o->precision == WGDN_PRECISION_BF16 ? "bf16" : "fp32";
    wgdn_error err;
    wgdn_model *m = NULL;
    wgdn_batches b;
    wgdn_workspace *w = NULL;
    wgdn_adam adam;
    double t[4][ROUNDS_MOST];
    float *scratch[3];
    must(wgdn_model_make(&m, o, wgdn_feed_width(d, o), &err), &err);
    must(wgdn_batches_open(&b, d, m, &err), &err);
    must(wgdn_workspace_new(&w, m, b.input, true, &err), &err);
    must(wgdn_adam_new(&adam, m->layout.size, &err), &err);
    float *grad = wgdn_alloc_zero((size_t)m->layout.size, sizeof *grad);
    const int64_t wide = o->width > m->shape.features ? o->width : m->shape.features;
    const int64_t tall = b.input->rows.count > wide ? b.input->rows.count : wide;
    for (int k = 0; k < 3; k++)
        scratch[k] = wgdn_alloc_zero((size_t)tall, (size_t)wide * sizeof(float));
    for (int e = -1; e < epochs; e++) {
        const clock_sum s = one_epoch(m, &b, w, &adam, grad, scratch, e + 1);
        if (e < 0) continue;
        t[0][e] = s.epoch;
        t[1][e] = s.cpu;
        t[2][e] = s.prepare / s.epoch;
        t[3][e] = s.floor;
    }
    const double epoch = median(t[0], epochs), floor = median(t[3], epochs);
    printf("{\"case\": \"epoch %s, %s\", \"ms\": %.0f, \"cpu_ms\": %.0f, \"steps\": %lld, "
           "\"prepare_percent\": %.2f, \"floor_dense_ms\": %.0f, \"ratio\": %.2f}\n",
           name, precision, epoch * 1e3, median(t[1], epochs) * 1e3, (long long)b.steps,
           100 * median(t[2], epochs), floor * 1e3, epoch / floor);
    fflush(stdout);
    for (int k = 0; k < 3; k++)
        wgdn_release(scratch[k]);
    wgdn_release(grad);
    wgdn_adam_free(&adam);
    wgdn_workspace_free(w);
    wgdn_batches_free(&b);
    wgdn_model_free(m);
}

int main(int argc, char **argv)
{
    int epochs = 3, first = 1;
    if (argc > 1 && isdigit((unsigned char)argv[1][0])) epochs = atoi(argv[first++]);
    if (epochs < 1 || epochs > ROUNDS_MOST) epochs = 3;
    peer_begin();
    for (int i = first; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        char name[32];
        wgdn_train_options o;
        wgdn_dataset *d = NULL;
        wgdn_error err;
        snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - argv[i] : 0), argv[i]);
        if (!equals || !wgdn_preset_text(name)) {
            fprintf(stderr, "usage: bench_graphs [epochs] PRESET=FILE ...\n");
            return 2;
        }
        wgdn_train_options_init(&o);
        must(wgdn_train_options_parse(&o, wgdn_preset_text(name), name, &err), &err);
        o.epochs = epochs + 1;
        must(wgdn_dataset_read(&d, equals + 1, NULL, &err), &err);
        for (int k = 0; k < 2; k++) {
            o.precision = k ? WGDN_PRECISION_BF16 : WGDN_PRECISION_FP32;
            run(name, d, &o, epochs);
        }
        wgdn_dataset_free(d);
    }
    return 0;
}
