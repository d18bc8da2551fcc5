/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One epoch beside its floor, measured in turns.
 *
 *     OMP_NUM_THREADS=2 bench_train [epochs] [bf16] PRESET=FILE | arxiv-sized | pubmed-sized ...
 *     OMP_NUM_THREADS=2 bench_train [epochs] both ...      fp32 and bf16 in turns, without floors
 *     OMP_NUM_THREADS=2 bench_train turns [bf16] PRESET=FILE   an epoch for each line of input
 *     bench_train save arxiv-sized|pubmed-sized FILE.npz   for others to read
 */
#include "floor.h"
#include "model/train.h"
#include "peers.h"
#include "synthetic.h"
#include "timing.h"

#include <ctype.h>
#include <string.h>

static void must(wgdn_status st, const wgdn_error *err)
{
    if (!st) return;
    fprintf(stderr, "bench_train: %s\n", err->message);
    exit(EXIT_FAILURE);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_train [epochs] [bf16|both] PRESET=FILE | arxiv-sized | "
                    "pubmed-sized ...\n"
                    "       bench_train turns [bf16] PRESET=FILE\n"
                    "       bench_train save arxiv-sized|pubmed-sized FILE.npz\n");
    exit(2);
}

typedef struct bench {
    wgdn_dataset *dataset;
    wgdn_train_options options;
    wgdn_model *model;
    wgdn_feed feed;
    wgdn_workspace *work;
    wgdn_optimizer optimizer;
    int64_t steps;
    float *grad;
    double loss, peak; /* bytes after the first epoch */
    floor_work floor;
} bench;

/* Seconds of one epoch. */
static double epoch(bench *b)
{
    wgdn_error err;
    const double start = seconds();
    const wgdn_pass pass = wgdn_pass_of(b->model, b->work, wgdn_dataset_get_graph(b->dataset),
                                        &b->feed.input, (uint32_t)b->steps);
    must(wgdn_step(&b->loss, b->grad, &pass, &err), &err);
    b->optimizer.form->step(&b->optimizer, b->model->param, b->grad, b->options.learning_rate,
                            ++b->steps);
    return seconds() - start;
}

/* Everything, and one epoch to warm up. */
static void open_training(bench *b)
{
    wgdn_error err;
    const wgdn_dataset *d = b->dataset;
    must(wgdn_model_make(&b->model, &b->options, wgdn_feed_width(d, &b->options), &err), &err);
    must(wgdn_feed_open(&b->feed, d, b->model, false, &err), &err);
    must(wgdn_workspace_new(&b->work, b->model, &b->feed.input, true, &err), &err);
    must(wgdn_optimizer_new(&b->optimizer, &wgdn_adam, b->model->layout.size, &err), &err);
    b->grad = wgdn_alloc_zero((size_t)b->model->layout.size, sizeof *b->grad);
    if (!b->grad) abort();
    (void)epoch(b);
    b->peak = peak_bytes();
}

/* And the floor, whose own memory does not count. */
static void open_bench(bench *b)
{
    open_training(b);
    floor_open(&b->floor, b->model, wgdn_dataset_get_graph(b->dataset), &b->feed.input);
    floor_measure(&b->floor);
}

static void close_training(bench *b)
{
    wgdn_release(b->grad);
    wgdn_optimizer_free(&b->optimizer);
    wgdn_workspace_free(b->work);
    wgdn_feed_free(&b->feed);
    wgdn_model_free(b->model);
}

static void close_bench(bench *b)
{
    floor_close(&b->floor);
    close_training(b);
    wgdn_dataset_free(b->dataset);
}

static void measure(const char *name, bench *b, int epochs)
{
    static const char *const form[] = {"auto", "plain", "without R", "product first"};
    double t[ROUNDS_MAX], dense[ROUNDS_MAX], sparse[ROUNDS_MAX], least[ROUNDS_MAX];
    double cpu[ROUNDS_MAX];
    open_bench(b);
    for (int e = 0; e < epochs; e++) {
        cpu[e] = -cpu_seconds();
        t[e] = epoch(b);
        cpu[e] += cpu_seconds();
        floor_measure(&b->floor);
        cpu[e] /= b->floor.cpu;
        dense[e] = b->floor.dense;
        sparse[e] = b->floor.sparse;
        least[e] = dense[e] + sparse[e];
    }
    const double ours = median(t, epochs), floor = median(least, epochs);
    printf("{\"case\": \"epoch %s\", \"ms\": %.1f, \"floor_ms\": %.1f, \"floor_dense_ms\": %.1f, "
           "\"floor_sparse_ms\": %.1f, \"ratio\": %.2f, \"cpu_ratio\": %.2f, \"peak_mb\": %.0f, "
           "\"last\": \"%s\"}\n",
           name, ours * 1e3, floor * 1e3, median(dense, epochs) * 1e3, median(sparse, epochs) * 1e3,
           ours / floor, median(cpu, epochs), b->peak * 1e-6, form[b->floor.last]);
    fflush(stdout);
    close_bench(b);
}

/* Both precisions in turns. */
static void compare(const char *name, bench *b, int epochs)
{
    double t[2][ROUNDS_MAX], cpu[2][ROUNDS_MAX];
    bench both[2] = {*b, *b};
    both[1].options.precision = WGDN_PRECISION_BF16;
    for (int i = 0; i < 2; i++)
        open_training(&both[i]);
    for (int e = 0; e < 2 * epochs; e++) {
        const double start = cpu_seconds();
        t[e % 2][e / 2] = epoch(&both[e % 2]);
        cpu[e % 2][e / 2] = cpu_seconds() - start;
    }
    const double fp32 = median(t[0], epochs), bf16 = median(t[1], epochs);
    const double cpu32 = median(cpu[0], epochs), cpu16 = median(cpu[1], epochs);
    printf("{\"case\": \"precision %s\", \"fp32_ms\": %.1f, \"bf16_ms\": %.1f, \"speedup\": %.2f, "
           "\"fp32_cpu_ms\": %.1f, \"bf16_cpu_ms\": %.1f, \"cpu_speedup\": %.2f, "
           "\"fp32_loss\": %.6g, \"bf16_loss\": %.6g, \"unit\": \"%s\"}\n",
           name, fp32 * 1e3, bf16 * 1e3, fp32 / bf16, cpu32 * 1e3, cpu16 * 1e3, cpu32 / cpu16,
           both[0].loss, both[1].loss, wgdn_bf16_unit());
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        close_training(&both[i]);
    wgdn_dataset_free(b->dataset);
}

static turn one_turn(void *context)
{
    bench *b = context;
    const double cpu = cpu_seconds(), t = epoch(b), used = cpu_seconds() - cpu;
    floor_measure(&b->floor);
    return (turn){.epoch = t,
                  .cpu = used,
                  .floor = b->floor.dense + b->floor.sparse,
                  .floor_cpu = b->floor.cpu,
                  .loss = b->loss,
                  .peak = b->peak};
}

static void turns_of(bench *b)
{
    open_bench(b);
    take_turns(one_turn, b);
    close_bench(b);
}

static void preset(wgdn_train_options *o, const char *name)
{
    wgdn_error err;
    wgdn_train_options_init(o);
    if (!wgdn_preset_text(name)) {
        fprintf(stderr, "bench_train: there is no preset '%s'\n", name);
        exit(2);
    }
    must(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, o, wgdn_preset_text(name), name, &err), &err);
}

/* Dataset and options of PRESET=FILE or of a synthetic name; what it is called, into name. */
static bench of_word(char name[32], const char *word)
{
    const char *equals = strchr(word, '='), *with = NULL;
    wgdn_error err;
    bench b = {.dataset = equals ? NULL : synthetic_sized(word, &with)};
    if (!equals && !with) usage();
    snprintf(name, 32, "%.*s", equals ? (int)(equals - word) : 31, word);
    preset(&b.options, with ? with : name);
    if (equals) must(wgdn_dataset_read(&b.dataset, equals + 1, NULL, &err), &err);
    return b;
}

static void save(const char *name, const char *path)
{
    const char *with;
    wgdn_error err;
    wgdn_dataset *d = synthetic_sized(name, &with);
    if (!d) usage();
    must(wgdn_dataset_write(d, path, "npz", &err), &err);
    wgdn_dataset_free(d);
}

int main(int argc, char **argv)
{
    const bool turns = argc >= 3 && strcmp(argv[1], "turns") == 0;
    int epochs = 7, first = 1 + turns;
    bool bf16 = false, both = false;
    char name[32];
    if (argc < 2) usage();
    peer_begin();
    if (argc == 4 && strcmp(argv[1], "save") == 0) {
        save(argv[2], argv[3]);
        return 0;
    }
    if (isdigit((unsigned char)argv[first][0])) epochs = atoi(argv[first++]);
    if (epochs < 1 || epochs > ROUNDS_MAX) usage();
    if (first < argc) {
        bf16 = strcmp(argv[first], "bf16") == 0;
        both = strcmp(argv[first], "both") == 0;
        first += bf16 || both;
    }
    for (int i = first; i < argc; i++) {
        bench b = of_word(name, argv[i]);
        if (bf16) b.options.precision = WGDN_PRECISION_BF16;
        if (turns)
            turns_of(&b);
        else if (both)
            compare(name, &b, epochs);
        else
            measure(name, &b, epochs);
    }
    return 0;
}
