/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn train`, with its log, checkpoints and report. wgdn_model_train() trains the model.
 */
#define _DEFAULT_SOURCE
#include "cli.h"
#include "cmd_embed.h"
#include "files.h"
#include "info.h"
#include "ranks_report.h"
#include "terminal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A killed run may have logged epochs after its checkpoint, which a resumed run computes again. A
 * crash of the machine may leave half a line, or a line of NUL bytes. A resumed run therefore
 * truncates the log first.
 */

/* The log of a training run: a line for each epoch, CSV or, where its name ends so, .jsonl. */
typedef struct training_log {
    FILE *to; /* NULL: none */
    const char *path;
    bool json, failed, resumed;
    bool held; /* what is held out has a column */
} training_log;

/* Closes a log that cannot be written, as on a full disk; the run continues. */
static void lose(training_log *l, const char *then)
{
    complain_now("%s: cannot be written: %s%s", l->path, strerror(errno), then);
    if (l->to) fclose(l->to);
    l->to = NULL;
    l->failed = true;
}

static const char *const columns[] = {"epoch,loss,seconds\n", "epoch,loss,seconds,held_out\n"};

/* The epoch of a whole line; 0: the names of the columns; -1: no line of a log. */
static int64_t epoch_of(const char *line, ssize_t length)
{
    static const char key[] = "{\"epoch\": ";
    const bool is_json = strncmp(line, key, sizeof key - 1) == 0;
    if (length < 2 || line[length - 1] != '\n' || memchr(line, '\0', (size_t)length)) return -1;
    if (strcmp(line, columns[0]) == 0 || strcmp(line, columns[1]) == 0) return 0;
    if (is_json) line += sizeof key - 1;
    return *line >= '0' && *line <= '9' ? strtoll(line, NULL, 10) : -1;
}

/* Keeps the old lines of epochs up to `first`, before the first new line is written. */
static void training_log_begin(training_log *l, int64_t first)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    off_t kept = 0;
    if (!l->to || !l->resumed) return;
    rewind(l->to);
    while ((length = getline(&line, &room, l->to)) > 0) {
        const int64_t epoch = epoch_of(line, length);
        if (epoch < 0 || epoch > first) break;
        kept += length;
    }
    free(line);
    if (fseeko(l->to, kept, SEEK_SET) != 0 || ftruncate(fileno(l->to), kept) != 0)
        lose(l, "; training continues without this log");
    else if (kept == 0 && !l->json)
        fputs(columns[l->held], l->to);
}

/* path may be NULL. A resumed run appends to the log that is there. */
static int training_log_open(training_log *l, const char *path, bool resuming)
{
    const size_t length = path ? strlen(path) : 0;
    if (!path) return DONE;
    l->json = length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
    l->path = path;
    l->resumed = resuming && is_file(path);
    l->to = fopen(path, l->resumed ? "r+" : resuming ? "a" : "w");
    if (!l->to) {
        complain("%s: %s", path, strerror(errno));
        return FAILED;
    }
    if (!l->resumed && !l->json && ftell(l->to) <= 0) fputs(columns[l->held], l->to);
    training_log_begin(l, INT64_MAX); /* nothing may be left to do */
    return DONE;
}

static void training_log_put(training_log *l, const wgdn_progress *p)
{
    if (!l->to) return;
    if (l->json)
        fprintf(l->to,
                "{\"epoch\": %lld, \"loss\": %.9g, \"seconds\": %.6f, \"effective_rank\": %.6g, "
                "\"dead_columns\": %.4g, \"gradient_norm\": %.6g",
                (long long)p->epoch, p->loss, p->seconds, p->rank, p->dead, p->gradient);
    else
        fprintf(l->to, "%lld,%.9g,%.6f", (long long)p->epoch, p->loss, p->seconds);
    if (l->held) fprintf(l->to, l->json ? ", \"held_out\": %.9g" : ",%.9g", p->held_out);
    fputs(l->json ? "}\n" : "\n", l->to);
    if (fflush(l->to) != 0 || ferror(l->to)) lose(l, "; training continues without this log");
}

/* Pipes and devices need not be synced, and cannot. */
static bool finish(FILE *to)
{
    if (fflush(to) != 0) return false;
    return fsync(fileno(to)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* FAILED if any of it is missing. */
static int training_log_close(training_log *l)
{
    FILE *to = l->to;
    l->to = NULL;
    if (to) {
        const bool good = finish(to);
        const int why = errno;
        if (fclose(to) != 0 || !good) {
            errno = good ? errno : why;
            lose(l, "");
        }
    }
    return l->failed ? FAILED : DONE;
}

/* The user data of the library's progress callback. */
typedef struct watcher {
    progress bar;
    char what[64];
    training_log log;
    wgdn_progress last;
    const cli *c;
    const char *checkpoint;
    bool begun;
    char sick[512];      /* the last health message; "": the run is healthy */
    bool unsaved;        /* the last checkpoint could not be written; a message was printed */
    wgdn_model_info end; /* facts of the trained model; its options end with the model */
    int epochs, patience;
} watcher;

/* Reports after the first step where a resumed run continues. */
static void begin(watcher *w, const wgdn_progress *p)
{
    if (w->begun) return;
    w->begun = true;
    training_log_begin(&w->log, p->first);
    w->bar.base = p->first * p->steps;
    if (p->seconds_before > 0)
        remark(w->c, "resumed from %s after epoch %lld of %lld and %.1f s", w->checkpoint,
               (long long)p->first, (long long)p->epochs, p->seconds_before);
}

static int watch(void *user, const wgdn_progress *p)
{
    watcher *w = user;
    w->last = *p;
    begin(w, p);
    /* A full disk may have room again later: the run goes on after one message. */
    const bool unsaved = p->checkpoint_error != NULL;
    if (unsaved && !w->unsaved)
        complain("%s; training continues, and the next checkpoint is attempted when it is due",
                 p->checkpoint_error);
    if (!unsaved && w->unsaved) remark(w->c, "checkpoints can be written again");
    w->unsaved = unsaved;
    /* With --health warn the run goes on after one message. */
    if (p->sick && !w->sick[0]) complain("%s", p->sick);
    snprintf(w->sick, sizeof w->sick, "%s", p->sick ? p->sick : ""); /* theirs ends with the call */
    if (w->bar.every > 0)
        snprintf(w->what, sizeof w->what, "epoch %lld of %lld, loss %.5g", (long long)p->epoch,
                 (long long)p->epochs, p->loss);
    else
        snprintf(w->what, sizeof w->what, "loss %-10.5g", p->loss);
    progress_show(&w->bar, p->epoch * p->steps + p->step, p->epochs * p->steps);
    if (p->step > 0) return interrupt_asked(); /* the log has whole epochs */
    training_log_put(&w->log, p);
    return interrupt_asked();
}

/* MODEL.checkpoint, unless one was named; to be freed. */
static char *checkpoint_path(const cli *c, const char *model)
{
    const char *named = c->values.text[OPT_CHECKPOINT], *base = named ? named : model;
    const size_t size = (base ? strlen(base) : 0) + sizeof ".checkpoint";
    char *path = base ? malloc(size) : NULL;
    if (path) snprintf(path, size, "%s%s", base, named ? "" : ".checkpoint");
    return path;
}

/* How healthy the run was when it was last watched. */
static void put_health(json *j, const watcher *w)
{
    const wgdn_progress *p = &w->last;
    json_put_open(j, "health", '{');
    json_put_real(j, "first_loss", w->begun ? p->first_loss : NAN);
    json_put_real(j, "effective_rank", w->begun ? p->rank : NAN);
    json_put_real(j, "first_effective_rank", w->begun ? p->first_rank : NAN);
    json_put_real(j, "dead_columns", w->begun ? p->dead : NAN);
    json_put_real(j, "gradient_norm", w->begun ? p->gradient : NAN);
    json_put_close(j, '}');
}

/* For programs: a run that was ended because it went wrong. */
static void report_sick(const cli *c, const watcher *w, const char *why)
{
    if (!option_on(&c->values, OPT_JSON) || !is_root(c)) return;
    json j = json_begin(c->out);
    json_put_text(&j, "failed", why);
    json_put_integer(&j, "epochs", w->begun ? w->last.epoch : 0);
    put_health(&j, w);
    json_end(&j);
}

static void report_stopped(const cli *c, const watcher *w)
{
    const wgdn_model_info *e = &w->end;
    char why[96] = "the limit";
    if (!e->epochs) return;
    if (e->epochs < w->epochs)
        snprintf(why, sizeof why,
                 "held-out features were reconstructed hardly better for %d epochs", w->patience);
    remark(c,
           "stopped after epoch %lld of %d: %s; the model has the parameters after epoch %lld, "
           "with a held-out error of %.4g",
           (long long)e->epochs, w->epochs, why, (long long)e->best_epoch, e->held_out);
}

static void report(const cli *c, const watcher *w, const char *model, const wgdn_train_needs *e,
                   const rank_report *ranks)
{
    const wgdn_progress *p = &w->last;
    if (option_on(&c->values, OPT_JSON)) {
        json j = json_begin(c->out);
        json_put_text(&j, "model", model);
        json_put_integer(&j, "epochs", p->epoch);
        json_put_integer(&j, "resumed_at", p->first);
        json_put_real(&j, "loss", w->begun ? p->loss : NAN);
        json_put_real(&j, "seconds", p->seconds);
        json_put_integer(&j, "estimated_bytes", e->total);
        json_put_integer(&j, "peak_bytes", peak_bytes());
        put_health(&j, w);
        info_put_stopped(&j, &w->end, w->epochs);
        if (w->sick[0]) json_put_text(&j, "warning", w->sick);
        rank_report_json(&j, ranks, c);
        json_end(&j);
    }
    report_stopped(c, w);
    if (w->begun)
        remark(c, "%lld epochs in %.1f s, loss %.6g; the model is in %s", (long long)p->epoch,
               p->seconds, p->loss, model);
    else
        remark(c, "nothing was left to do in %lld epochs; the model is in %s", (long long)p->epochs,
               model);
}

/* Train, save, and tidy up behind a whole run. */
static int run(cli *c, const wgdn_dataset *d, const wgdn_train_options *o, watcher *w,
               const char *checkpoint, const wgdn_train_needs *e)
{
    const char *model = c->values.text[OPT_OUTPUT_MODEL];
    const wgdn_train_run around = {
        .struct_size = sizeof around,
        .progress = watch,
        .progress_user = w,
        .checkpoint = checkpoint,
        .checkpoint_every = atoi(option_text(&c->values, OPT_CHECKPOINT_EVERY)),
        .fresh = !option_on(&c->values, OPT_RESUME),
        .checkpoint_steps = atoi(option_text(&c->values, OPT_CHECKPOINT_STEPS)),
        .health = (wgdn_health_policy)option_choice(&c->values, OPT_HEALTH)};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    progress_start(&w->bar, w->what, "steps", option_on(&c->values, OPT_QUIET) || !is_root(c));
    wgdn_status st = wgdn_model_train(&m, d, o, &around, &err);
    progress_end(&w->bar);
    if (!st && is_root(c)) st = wgdn_model_save(m, model, &err);
    if (!st) wgdn_model_describe(&w->end, m);
    wgdn_model_free(m);
    if (st == WGDN_ESTOPPED) {
        complain(around.fresh ? "%s; the same command without --no-resume resumes from %s"
                              : "%s; run the same command to resume from %s",
                 err.message, checkpoint);
        return ranks_code(c, INTERRUPTED);
    }
    if (st == WGDN_EHEALTH) report_sick(c, w, err.message);
    const int code = ranks_code(c, complain_status(st, &err));
    if (code != DONE) return code;
    const rank_report ranks = rank_report_collect(c, w->last.halo_bytes, w->last.sum_bytes);
    if (is_root(c)) {
        if (!c->values.text[OPT_CHECKPOINT]) (void)unlink(checkpoint);
        report(c, w, model, e, &ranks);
    }
    rank_report_free(&ranks);
    return DONE;
}

static int train(cli *c)
{
    const char *model = c->values.text[OPT_OUTPUT_MODEL];
    wgdn_train_options o;
    wgdn_dataset *d = NULL;
    wgdn_train_needs e = {.struct_size = sizeof e};
    watcher w = {.what = "training", .c = c, .end = {.struct_size = sizeof w.end}};
    char *checkpoint = NULL;
    int code = settings_read(&o, c);
    if (code == DONE && (!model || strcmp(model, "-") == 0)) {
        complain("'wgdn train' needs -o MODEL: the file to write the model to");
        code = USAGE;
    }
    code = ranks_code(c, code);
    if (code == DONE) code = dataset_read(&d, c, c->operand[0]);
    if (code == DONE && dataset_info(d).relations)
        remark(c, "training ignores directions and types of edges; only 'wgdn fit' and 'wgdn embed "
                  "DATA' use them");
    if (code == DONE) code = ranks_code(c, settings_fit(&e, c, d, &o));
    if (code == DONE) effects_train(c, &o, d);
    if (code == DONE && option_on(&c->values, OPT_EXPLAIN) && is_root(c))
        code = explain_text(stderr, d, &o);
    checkpoint = checkpoint_path(c, model);
    if (code == DONE && !checkpoint) {
        complain("out of memory at the start");
        code = DOES_NOT_FIT;
    }
    w.log.held = o.patience > 0;
    if (code == DONE)
        code =
            training_log_open(&w.log, is_root(c) ? c->values.text[OPT_LOG] : NULL,
                              option_on(&c->values, OPT_RESUME) && access(checkpoint, F_OK) == 0);
    code = ranks_code(c, code);
    if (code != DONE) goto done;
    w.checkpoint = checkpoint;
    w.epochs = o.epochs;
    w.patience = o.patience;
    w.last.epoch = w.last.first = w.last.epochs = o.epochs; /* unless there is something to do */
    interrupt_hold();
    code = run(c, d, &o, &w, checkpoint, &e);
    interrupt_release();

done:
    if (training_log_close(&w.log) != DONE && code == DONE) code = FAILED;
    free(checkpoint);
    wgdn_dataset_free(d);
    return code;
}

const command cmd_train = {
    .name = "train",
    .operands = "DATA...",
    .min_operands = 1,
    .max_operands = INT_MAX,
    .joins = true,
    .operand = {{.files = DATA_FILES}},
    .summary = "train a model on a graph, without labels",
    .text =
        "Train the autoencoder of the paper on DATA, without labels, and write it to the file that "
        "-o names. It takes minutes; vectors of nodes are better by the closed form, in seconds: "
        "'wgdn fit DATA', with --refine 20 where labels are few. Options come from the preset, "
        "then the configuration file, then the command line. DATA without features gets structural "
        "features.\n\n"
        "Ctrl-C, SIGTERM and SIGHUP end the run after the current epoch with a checkpoint and exit "
        "code 75; the same command then resumes and gives the same model, bit for bit, as "
        "an uninterrupted run.\n\n"
        "A run that collapses or diverges ends with exit code 1, what to try, and its last healthy "
        "checkpoint, which 'wgdn embed' takes as a model; --health warn goes on.\n\n"
        "DATA with several graphs is trained in batches of whole graphs, and 'wgdn embed' "
        "then gives each graph an embedding; --task node trains on all nodes in every step. "
        "The presets of graph sets, such as proteins, are a good start for others.",
    .example = "wgdn train cora.npz --preset cora -o cora.model\n"
               "wgdn train PROTEINS.zip --preset proteins -o proteins.model\n"
               "wgdn train edges.tsv --dim 64 --epochs 100 -o edges.model --log edges.csv",
    .topics = TOPICS("Features", "Limits", "Settings", "Model", "Graph filters", "Training",
                     "Graph sets"),
    .options = TAKES(READS_DATA, OPT_SPLITS, OPT_CHECKPOINT, OPT_CHECKPOINT_EVERY,
                     OPT_CHECKPOINT_STEPS, OPT_RESUME, OPT_HEALTH, OPT_LOG, OPT_RANK_TIMEOUT,
                     OPT_EXPLAIN, OPT_OUTPUT_MODEL, OPT_JSON),
    .first = FIRST("output", "preset", "config", "features", "dim", "kernel", "epochs",
                   "learning-rate", "batch-size", "seed", "log", "threads"),
    .ranks = true,
    .run = train,
};
