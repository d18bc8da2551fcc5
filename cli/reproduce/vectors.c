/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 'wgdn reproduce vectors': the closed form with its defaults on every set, judged beside the
 * vectors of other programs. A line of vectors.csv for each set and method; lines that are there
 * are not made again. Peers' vectors lie in RESULTS/peers, SET.PEER.npz, with what they took in
 * peers.tsv (bench/peers/run writes both).
 */
#define _DEFAULT_SOURCE
#include "commit.h"
#include "dataset.h"
#include "progress.h"
#include "vector_sets.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEEDS = 3, LINE_MAX_SIZE = 512 };

typedef struct errand {
    const char *data, *folder;
    char results[1100];
} errand;

static bool is_there(const errand *e, const char *set, const char *method)
{
    char line[LINE_MAX_SIZE], head[96];
    FILE *f = fopen(e->results, "r");
    bool found = false;
    snprintf(head, sizeof head, "%s,%s,", set, method);
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, head, strlen(head)) == 0;
    if (f) fclose(f);
    return found;
}

static int add_line(const errand *e, const char *set, const vector_row *r)
{
    FILE *f = fopen(e->results, "a");
    if (!f) {
        complain("%s: %s", e->results, strerror(errno));
        return FAILED;
    }
    if (ftell(f) == 0) fputs(VECTOR_HEADING "\n", f);
    fprintf(f, "%s,%s,%lld,%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.3f,%.3f,%.1f,%s\n", set, r->method,
            (long long)r->dim, r->judge, r->score, r->deviation, r->few_shot, r->neighbours,
            r->macro_f1, r->wall, r->cpu, r->peak_mb, WGDN_COMMIT);
    return fclose(f) == 0 ? DONE : FAILED;
}

static int read_set(wgdn_dataset **d, const vector_set *s, const errand *e)
{
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    char path[1200], labels[1200];
    wgdn_dataset_options_init(&o);
    snprintf(path, sizeof path, "%s/%s", e->data, s->file);
    snprintf(labels, sizeof labels, "%s/%s", e->data, s->labels ? s->labels : "");
    if (s->labels) o.labels = labels;
    o.label_column = s->label_column;
    const wgdn_status st = wgdn_dataset_read(d, path, &o, &err);
    return st ? complain_status(st, &err) : DONE;
}

/* ---- the judge ---- */

static int judge_graphs(vector_row *r, const wgdn_embedding *x, const wgdn_dataset *d)
{
    wgdn_svm_result svm = {.struct_size = sizeof svm};
    wgdn_eval_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_dataset *graphs = NULL;
    wgdn_eval_options_init(&o);
    o.svm = WGDN_SVM_RBF;
    wgdn_status st = wgdn_dataset_from_graphs(&graphs, d, &err);
    if (!st) st = wgdn_embedding_classify(&svm, x, graphs, &o, &err);
    wgdn_dataset_free(graphs);
    if (st) return complain_status(st, &err);
    snprintf(r->judge, sizeof r->judge, "RBF SVM");
    r->score = 100 * svm.rbf.mean;
    r->deviation = 100 * svm.rbf.deviation;
    r->few_shot = r->neighbours = r->macro_f1 = NAN;
    return DONE;
}

static int judge_nodes(vector_row *r, const wgdn_embedding *x, const wgdn_dataset *d)
{
    wgdn_probe_result p = {.struct_size = sizeof p};
    wgdn_eval_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_eval_options_init(&o);
    o.runs = VECTOR_SPLITS;
    const wgdn_status st = wgdn_embedding_probe(&p, x, d, &o, &err);
    if (st) return complain_status(st, &err);
    const bool two = p.classes == 2;
    const wgdn_spread s = p.multi_label ? p.micro_f1 : two ? p.auc : p.validation_selected;
    snprintf(r->judge, sizeof r->judge, "%s", p.multi_label ? "micro-F1" : two ? "AUC" : "LR");
    r->score = 100 * s.mean;
    r->deviation = 100 * s.deviation;
    r->few_shot = p.multi_label ? NAN : 100 * p.few_shot.mean;
    r->neighbours = p.multi_label ? NAN : 100 * p.neighbours.mean;
    r->macro_f1 = 100 * p.f1.mean;
    return DONE;
}

static int judge(vector_row *r, const wgdn_embedding *x, const wgdn_dataset *d)
{
    r->dim = wgdn_embedding_dim(x);
    return (wgdn_dataset_graphs(d) > 1 ? judge_graphs : judge_nodes)(r, x, d);
}

/* ---- the closed form, in a process of its own ---- */

/* From the file to vectors in a file: the command as anybody would give it. */
static void become_embed(const vector_set *s, const errand *e, const char *to, int seed)
{
    char data[1200], number[16];
    snprintf(data, sizeof data, "%s/%s", e->data, s->file);
    snprintf(number, sizeof number, "%d", seed);
    execl("/proc/self/exe", "wgdn", "embed", data, "--seed", number, "-q", "-o", to, (char *)NULL);
    complain("cannot start 'wgdn embed': %s", strerror(errno));
    _exit(FAILED);
}

static int measure(vector_row *r, const vector_set *s, const errand *e, const char *to, int seed)
{
    struct rusage use;
    int status = 0;
    const double start = seconds_now();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) become_embed(s, e, to, seed);
    if (child < 0 || wait4(child, &status, 0, &use) < 0) {
        complain("cannot start a process: %s", strerror(errno));
        return FAILED;
    }
    r->wall = seconds_now() - start;
    r->cpu = (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec +
             (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec;
    r->peak_mb = (double)use.ru_maxrss / 1024;
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static void add_to(vector_row *sum, const vector_row *r)
{
    sum->score += r->score / SEEDS;
    sum->few_shot += r->few_shot / SEEDS;
    sum->neighbours += r->neighbours / SEEDS;
    sum->macro_f1 += r->macro_f1 / SEEDS;
}

/* Three seeds of the fit; the deviation is over splits, or over seeds where there is one split. */
static int run_own(const vector_set *s, const errand *e, const wgdn_dataset *d)
{
    char path[1200];
    double score[SEEDS], spread = 0;
    vector_row sum = {.score = 0};
    int code = DONE;
    snprintf(path, sizeof path, "%s/%s.npz", e->folder, s->name);
    for (int seed = 1; seed <= SEEDS && code == DONE; seed++) {
        vector_row r = {.score = 0};
        wgdn_embedding *x = NULL;
        wgdn_error err = {WGDN_OK, ""};
        code = measure(&r, s, e, path, seed);
        if (code == DONE && wgdn_embedding_read(&x, path, &err))
            code = complain_status(WGDN_EIO, &err);
        if (code == DONE) code = judge(&r, x, d);
        wgdn_embedding_free(x);
        score[seed - 1] = r.score;
        add_to(&sum, &r);
        if (seed == 1) {
            const vector_row kept = sum;
            sum = r;
            sum.score = kept.score;
            sum.few_shot = kept.few_shot;
            sum.neighbours = kept.neighbours;
            sum.macro_f1 = kept.macro_f1;
        }
        if (r.wall < sum.wall) sum.wall = r.wall;
        if (r.cpu < sum.cpu) sum.cpu = r.cpu;
    }
    (void)unlink(path);
    if (code != DONE) return code;
    for (int k = 0; k < SEEDS; k++)
        spread += pow(score[k] - sum.score, 2) / (SEEDS - 1);
    if (sum.deviation == 0) sum.deviation = sqrt(spread);
    snprintf(sum.method, sizeof sum.method, "wgdn");
    return add_line(e, s->name, &sum);
}

/* ---- other programs ---- */

/* What peers.tsv says of a run: wall, cpu and peak of its line. */
static bool peer_taken(vector_row *r, const errand *e, const char *set, const char *peer)
{
    char path[1200], line[1024], name[64], program[64];
    snprintf(path, sizeof path, "%s/peers/peers.tsv", e->folder);
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        long long dim;
        found = sscanf(line, "%63s %63s %lld %lf %lf %lf", name, program, &dim, &r->wall, &r->cpu,
                       &r->peak_mb) == 6 &&
                strcmp(name, set) == 0 && strcmp(program, peer) == 0;
    }
    if (f) fclose(f);
    return found;
}

static int run_peer(const vector_set *s, const errand *e, const wgdn_dataset *d, const char *peer)
{
    vector_row r = {.wall = NAN, .cpu = NAN, .peak_mb = NAN};
    wgdn_embedding *x = NULL;
    wgdn_error err = {WGDN_OK, ""};
    char path[1200];
    if (is_there(e, s->name, peer) || !peer_taken(&r, e, s->name, peer)) return DONE;
    snprintf(path, sizeof path, "%s/peers/%s.%s.npz", e->folder, s->name, peer);
    const wgdn_status st = wgdn_embedding_read(&x, path, &err);
    if (st) return complain_status(st, &err);
    snprintf(r.method, sizeof r.method, "%s", peer);
    int code = judge(&r, x, d);
    wgdn_embedding_free(x);
    if (code == DONE) code = add_line(e, s->name, &r);
    return code;
}

static int run_set(const vector_set *s, const errand *e)
{
    wgdn_dataset *d = NULL;
    int code = read_set(&d, s, e);
    if (code == DONE && !is_there(e, s->name, "wgdn")) code = run_own(s, e, d);
    for (int i = 0; vector_peers[i] && code == DONE && wgdn_dataset_graphs(d) == 1; i++)
        code = run_peer(s, e, d, vector_peers[i]);
    wgdn_dataset_free(d);
    return code;
}

int vectors_reproduce(const char *data, const char *folder, const char *sets)
{
    errand e = {.data = data, .folder = folder};
    int code = DONE;
    snprintf(e.results, sizeof e.results, "%s/vectors.csv", folder);
    for (const vector_set *s = vector_sets; s->name && code == DONE; s++) {
        const char *at = sets ? strstr(sets, s->name) : s->name;
        if (!at) continue;
        code = run_set(s, &e);
        if (code == DONE) code = vectors_report(folder, e.results);
    }
    return code;
}
