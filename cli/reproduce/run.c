/* SPDX-License-Identifier: Apache-2.0 */
/* One run of an experiment, from the file to a line of the ledger. */
#define _DEFAULT_SOURCE
#include "commit.h"
#include "interrupt.h"
#include "lock.h"
#include "progress.h"
#include "reproduce.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECKPOINTS = 10 }; /* of a run, so that a kill costs a tenth of it */

typedef struct watcher {
    progress bar;
    char what[64];
    const paper_run *run;
    wgdn_progress last;
} watcher;

static int watch(const wgdn_progress *p, void *user)
{
    watcher *w = user;
    w->last = *p;
    snprintf(w->what, sizeof w->what, "%s %.24s, seed %d", w->run->set->title, w->run->config,
             w->run->seed);
    progress_show(&w->bar, (p->epoch - p->first) * p->steps + p->step,
                  (p->epochs - p->first) * p->steps);
    return interrupt_asked();
}

/* What the run took so far: its peak, and processor time, which other work does not disturb. */
typedef struct taken {
    int64_t bytes;
    double ms;
} taken;

static taken take_stock(void)
{
    struct rusage use = {0};
    getrusage(RUSAGE_SELF, &use);
    return (taken){(int64_t)use.ru_maxrss * 1024,
                   1000.0 * (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                       0.001 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec)};
}

wgdn_spread per_cent(wgdn_spread s)
{
    return (wgdn_spread){100 * s.mean, 100 * s.deviation};
}

static wgdn_status train(wgdn_model **m, watcher *w, const wgdn_dataset *d,
                         const wgdn_train_options *o, const char *checkpoint, bool quiet,
                         wgdn_error *err)
{
    const wgdn_train_run around = {
        .struct_size = sizeof around,
        .progress = watch,
        .user = w,
        .checkpoint = checkpoint,
        .health = WGDN_HEALTH_WARN, /* tables have rows that collapse */
        .checkpoint_every = o->epochs > CHECKPOINTS ? (int)(o->epochs / CHECKPOINTS) : 1};
    snprintf(w->what, sizeof w->what, "training");
    progress_start(&w->bar, w->what, "epochs", quiet);
    const wgdn_status st = wgdn_model_train(m, d, o, &around, err);
    progress_end(&w->bar);
    return st;
}

/* The probes of the model's vectors and of the baselines. */
static wgdn_status probe(ledger_row *r, const wgdn_embedding *x, const wgdn_dataset *d,
                         const paper_run *run, const wgdn_train_options *t,
                         const wgdn_eval_options *o, wgdn_error *err)
{
    wgdn_probe_result p = {.struct_size = sizeof p};
    wgdn_status st = wgdn_embedding_probe(&p, x, d, o, err);
    r->probes = p.runs;
    r->validation_selected = per_cent(p.validation_selected);
    r->test_selected = per_cent(p.test_selected);
    for (int b = 0; b < LEDGER_BASELINES; b++) {
        wgdn_embedding *e = NULL;
        r->baseline[b] = NAN;
        if (!run->baselines || st) continue;
        st = wgdn_embedding_from_baseline(&e, d, (wgdn_baseline)b, t, err);
        if (!st) st = wgdn_embedding_probe(&p, e, d, o, err);
        wgdn_embedding_free(e);
        r->baseline[b] = 100 * p.validation_selected.mean;
    }
    return st;
}

/* What the model's vectors are worth: of nodes, or of graphs where there are several. */
static int judge(ledger_row *r, const wgdn_model *m, const wgdn_dataset *d, const paper_run *run,
                 const wgdn_train_options *t, const wgdn_eval_options *o)
{
    const bool graphs = wgdn_dataset_graphs(d) > 1;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *x = NULL;
    int code =
        vectors_embed(&x, m, d, graphs ? WGDN_TASK_GRAPH : WGDN_TASK_NODE, t->pool, t->threads);
    if (code == DONE) {
        const wgdn_status st = (graphs ? paper_classify : probe)(r, x, d, run, t, o, &err);
        if (st) code = complain_status(st, &err);
    }
    wgdn_embedding_free(x);
    return code;
}

/* In the process of the run. */
static int run_here(const paper_run *run, const cli *c, const char *checkpoint, const char *results)
{
    char path[1024], config[64];
    ledger_row r = {.seed = run->seed, .commit = WGDN_COMMIT};
    watcher w = {.run = run};
    wgdn_error err = {WGDN_OK, ""};
    wgdn_train_options t;
    wgdn_eval_options o;
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    int code = DONE;
    wgdn_status st = paper_options(&t, &o, config, sizeof config, run->set, run->options, &err);
    t.seed = (uint64_t)run->seed;
    t.threads = o.threads = option_threads(&c->values);
    if (run->probes > 0) o.runs = run->probes;
    snprintf(path, sizeof path, "%s/%s", run->data, run->set->file);
    if (!st) st = wgdn_dataset_read(&d, path, NULL, &err);
    const taken before = take_stock();
    if (!st) st = train(&m, &w, d, &t, checkpoint, option_on(&c->values, OPT_QUIET), &err);
    const taken after = take_stock();
    r.peak_bytes = after.bytes;
    if (st == WGDN_ESTOPPED) {
        complain("%s; the same command resumes from there", err.message);
        code = INTERRUPTED;
    } else {
        code = st ? complain_status(st, &err) : judge(&r, m, d, run, &t, &o);
    }
    if (code == DONE) {
        wgdn_machine machine = {.struct_size = sizeof machine};
        const int64_t done = w.last.epoch - w.last.first;
        wgdn_machine_get(&machine);
        snprintf(r.set, sizeof r.set, "%s", run->set->name);
        snprintf(r.config, sizeof r.config, "%s", run->config);
        r.threads = t.threads > 0 ? t.threads : machine.threads;
        r.loss = done > 0 ? w.last.loss : NAN; /* a checkpoint had all of it */
        r.epochs = t.epochs;
        r.epoch_ms = done > 0 ? (after.ms - before.ms) / (double)(done * r.threads) : NAN;
        code = ledger_add(results, &r);
        (void)unlink(checkpoint);
    }
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return code;
}

enum { PATH = 1200 };

static void name_checkpoint(char path[PATH], const paper_run *run, const char *folder)
{
    snprintf(path, PATH, "%s/%s-%s-%d.checkpoint", folder, run->set->name, run->config, run->seed);
}

void paper_run_tidy(const paper_run *run, const cli *c, const char *folder)
{
    char checkpoint[PATH];
    name_checkpoint(checkpoint, run, folder);
    if (access(checkpoint, F_OK) != 0 && !lock_is_there(checkpoint)) return;
    if (lock_output(c, checkpoint) != DONE) return;
    (void)unlink(checkpoint);
    lock_release();
}

/* The lock of the run is its process's: several commands may share a folder, but not a run. */
static int run_locked(const paper_run *run, const cli *c, const char *folder, const char *results)
{
    char checkpoint[PATH];
    name_checkpoint(checkpoint, run, folder);
    interrupt_heir();
    int code = lock_output(c, checkpoint);
    if (code == DONE) code = run_here(run, c, checkpoint, results);
    lock_release();
    return code;
}

int paper_run_do(const paper_run *run, const cli *c, const char *folder, const char *results)
{
    int status = 0;
    fflush(NULL);
    interrupt_hold();
    const pid_t child = fork();
    if (child == 0) _exit(run_locked(run, c, folder, results));
    if (child < 0) {
        complain("cannot start a process for the run: %s", strerror(errno));
        interrupt_release();
        return FAILED;
    }
    interrupt_pass_to(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    interrupt_pass_to(0);
    interrupt_release();
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    complain("the run of %s, %s, seed %d, ended by signal %d", run->set->title, run->config,
             run->seed, WTERMSIG(status));
    return FAILED;
}
