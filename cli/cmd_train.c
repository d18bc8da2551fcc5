/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn train DATA -o MODEL */
#define _DEFAULT_SOURCE
#include "cli.h"
#include "dataset.h"
#include "effects.h"
#include "explain.h"
#include "info.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "rank_report.h"
#include "settings.h"
#include "training_log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the library is given to tell how far it is. */
typedef struct watcher {
    progress bar;
    char what[64];
    training_log log;
    wgdn_progress last;
    const cli *c;
    const char *checkpoint;
    bool begun;
    char sick[512];      /* what is wrong with the run, as it was said; "": nothing */
    bool unsaved;        /* the last checkpoint could not be written, which has been said */
    wgdn_model_info end; /* what the model says of it; its options end with the model */
    int epochs, patience;
} watcher;

/* After the first step: from where, if that is not the beginning. */
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

/* A full disk may have room again later: the run goes on, and it is said once. */
static void tell_checkpoint(watcher *w, const wgdn_progress *p)
{
    const bool unsaved = p->checkpoint_error != NULL;
    if (unsaved && !w->unsaved)
        complain("%s; training goes on, and the next checkpoint is tried when it is due",
                 p->checkpoint_error);
    if (!unsaved && w->unsaved) remark(w->c, "checkpoints can be written again");
    w->unsaved = unsaved;
}

/* With --health warn the run goes on, and it is said once. */
static void tell_health(watcher *w, const wgdn_progress *p)
{
    if (p->sick && !w->sick[0]) complain("%s", p->sick);
    snprintf(w->sick, sizeof w->sick, "%s", p->sick ? p->sick : ""); /* theirs ends with the call */
}

static int watch(const wgdn_progress *p, void *user)
{
    watcher *w = user;
    w->last = *p;
    begin(w, p);
    tell_checkpoint(w, p);
    tell_health(w, p);
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
    json j = {.to = c->out};
    if (!option_on(&c->values, OPT_JSON) || !is_root(c)) return;
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "failed", why);
    json_put_integer(&j, "epochs", w->begun ? w->last.epoch : 0);
    put_health(&j, w);
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

static void tell_stopped(const cli *c, const watcher *w)
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
        json j = {.to = c->out};
        json_put_open(&j, NULL, '{');
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
        json_put_close(&j, '}');
        fputc('\n', c->out);
    }
    tell_stopped(c, w);
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
        .user = w,
        .checkpoint = checkpoint,
        .checkpoint_every = atoi(option_text(&c->values, OPT_CHECKPOINT_EVERY)),
        .fresh = !option_on(&c->values, OPT_RESUME),
        .checkpoint_steps = atoi(option_text(&c->values, OPT_CHECKPOINT_STEPS)),
        .health = strcmp(option_text(&c->values, OPT_HEALTH), "warn") == 0 ? WGDN_HEALTH_WARN
                                                                           : WGDN_HEALTH_STOP};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_model *m = NULL;
    progress_start(&w->bar, w->what, "steps", option_on(&c->values, OPT_QUIET) || !is_root(c));
    wgdn_status st = wgdn_model_train(&m, d, o, &around, &err);
    progress_end(&w->bar);
    if (!st && is_root(c)) st = wgdn_model_save(m, model, &err);
    if (!st) wgdn_model_get_info(&w->end, m);
    wgdn_model_free(m);
    if (st == WGDN_ESTOPPED) {
        complain(around.fresh ? "%s; the same command without --no-resume resumes from %s"
                              : "%s; the same command resumes from %s",
                 err.message, checkpoint);
        return ranks_code(c, INTERRUPTED);
    }
    if (st == WGDN_EHEALTH) report_sick(c, w, err.message);
    const int code = ranks_code(c, st ? complain_status(st, &err) : DONE);
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
        remark(c, "training takes the graph as undirected: directions and types of edges count in "
                  "'wgdn fit' and 'wgdn embed DATA' only");
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
    .operands = "DATA",
    .min_operands = 1,
    .max_operands = 1,
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
