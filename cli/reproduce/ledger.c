/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock */
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Of node tasks, and of graph tasks. */
static const char *const headings[] = {
    "dataset,config,seed,probes,threads,test_selected_mean,test_selected_std,"
    "validation_selected_mean,validation_selected_std,raw_features,smoothed_features,"
    "random_encoder,pca,loss,epochs,epoch_ms,peak_bytes,commit\n",
    "dataset,config,seed,folds,threads,rbf_svm_mean,rbf_svm_std,linear_svm_mean,linear_svm_std,"
    "pooled_features,random_encoder,subtrees,subtrees_linear_svm,loss,epochs,epoch_ms,peak_bytes,"
    "commit\n"};

enum { LINE_MAX = 1024 };

/* One line; numbers that are not there are "nan", which scanf and printf agree about. */
static bool parse(ledger_row *r, const char *line)
{
    int used = 0;
    const int found = sscanf(line,
                             "%23[^,],%63[^,],%d,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%" SCNd64
                             ",%lf,%" SCNd64 ",%47[^\n]%n",
                             r->set, r->config, &r->seed, &r->probes, &r->threads,
                             &r->test_selected.mean, &r->test_selected.deviation,
                             &r->validation_selected.mean, &r->validation_selected.deviation,
                             &r->baseline[0], &r->baseline[1], &r->baseline[2], &r->baseline[3],
                             &r->loss, &r->epochs, &r->epoch_ms, &r->peak_bytes, r->commit, &used);
    return found == 18 && line[used] == '\n';
}

static bool append(ledger *l, const ledger_row *r)
{
    ledger_row *more = realloc(l->row, (size_t)(l->rows + 1) * sizeof *more);
    if (!more) return false;
    l->row = more;
    l->row[l->rows++] = *r;
    return true;
}

int ledger_read(ledger *l, const char *path)
{
    char line[LINE_MAX];
    FILE *f = fopen(path, "r");
    int code = DONE;
    *l = (ledger){0};
    if (!f && errno == ENOENT) return DONE;
    if (!f) {
        complain("%s: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    for (int at = 1; code == DONE && fgets(line, sizeof line, f); at++) {
        ledger_row r = {0};
        if (!strchr(line, '\n') && strlen(line) < sizeof line - 1) break; /* cut short by a kill */
        if (at == 1 && (strcmp(line, headings[0]) == 0 || strcmp(line, headings[1]) == 0)) continue;
        if (at == 1 || !parse(&r, line)) {
            complain(
                "%s:%d: not a line of results; correct it, or give another folder with --results",
                path, at);
            code = BAD_INPUT;
        } else if (!append(l, &r)) {
            complain("out of memory for the results");
            code = DOES_NOT_FIT;
        }
    }
    fclose(f);
    if (code != DONE) ledger_free(l);
    return code;
}

void ledger_free(ledger *l)
{
    free(l->row);
    *l = (ledger){0};
}

const ledger_row *ledger_find(const ledger *l, const char *set, const char *config, int seed)
{
    for (int i = 0; i < l->rows; i++) {
        const ledger_row *r = &l->row[i];
        if (r->seed == seed && strcmp(r->set, set) == 0 && strcmp(r->config, config) == 0) return r;
    }
    return NULL;
}

bool ledger_first(const ledger *l, int row)
{
    const ledger_row *r = &l->row[row];
    for (int i = 0; i < row; i++)
        if (strcmp(l->row[i].set, r->set) == 0 && strcmp(l->row[i].config, r->config) == 0)
            return false;
    return true;
}

/* Where the next line begins: a run that was killed, or a full disk, may have left half of one. */
static off_t end_of_lines(int fd)
{
    char text[2 * LINE_MAX];
    off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    const off_t from = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
    ssize_t size = end > 0 ? pread(fd, text, (size_t)(end - from), from) : end;
    while (size > 0 && text[size - 1] != '\n')
        size--;
    if (size < 0) return -1;
    return from + size == end || ftruncate(fd, from + size) == 0 ? from + size : -1;
}

/* One at a time, as far as the file system has locks; a line is there as a whole or not at all. */
int ledger_add(const char *path, const ledger_row *r)
{
    char line[2 * LINE_MAX];
    const int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0) (void)flock(fd, LOCK_EX);
    const off_t end = end_of_lines(fd);
    const int length = snprintf(
        line, sizeof line,
        "%s%s,%s,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.9g,%" PRId64 ",%.3f,%" PRId64
        ",%s\n",
        end == 0 ? headings[r->graphs] : "", r->set, r->config, r->seed, r->probes, r->threads,
        r->test_selected.mean, r->test_selected.deviation, r->validation_selected.mean,
        r->validation_selected.deviation, r->baseline[0], r->baseline[1], r->baseline[2],
        r->baseline[3], r->loss, r->epochs, r->epoch_ms, r->peak_bytes, r->commit);
    bool well = end >= 0 && write(fd, line, (size_t)length) == length && fsync(fd) == 0;
    if (!well) complain("%s: cannot be written: %s", path, strerror(errno));
    if (!well && end >= 0 && ftruncate(fd, end) != 0) complain("%s: ends in half a line", path);
    if (fd >= 0 && close(fd) != 0 && well) {
        complain("%s: cannot be written: %s", path, strerror(errno));
        well = false;
    }
    return well ? DONE : FAILED;
}

/* ---- over seeds ---- */

static void add_to(wgdn_spread *s, double x, int count) /* deviation holds the sum of squares */
{
    const double before = x - s->mean;
    s->mean += before / count;
    s->deviation += before * (x - s->mean);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ledger_sum_up(ledger_sum *s, const ledger *l, const char *set, const char *config)
{
    enum { SEEDS_MAX = 1000 };
    double epoch[SEEDS_MAX];
    int timed = 0;
    *s = (ledger_sum){.baseline = {NAN, NAN, NAN, NAN}};
    for (int i = 0; i < l->rows && s->seeds < SEEDS_MAX; i++) {
        const ledger_row *r = &l->row[i];
        if (strcmp(r->set, set) != 0 || strcmp(r->config, config) != 0) continue;
        s->seeds++;
        add_to(&s->test_selected, r->test_selected.mean, s->seeds);
        add_to(&s->validation_selected, r->validation_selected.mean, s->seeds);
        s->test_selected_probes += r->test_selected.deviation;
        s->validation_selected_probes += r->validation_selected.deviation;
        for (int b = 0; b < LEDGER_BASELINES; b++)
            if (!isnan(r->baseline[b])) s->baseline[b] = r->baseline[b];
        s->last = r;
        if (!(r->epoch_ms > 0))
            continue; /* it trained nothing, and its peak is no measure either */
        epoch[timed++] = r->epoch_ms;
        if (r->peak_bytes > s->peak_bytes) s->peak_bytes = r->peak_bytes;
    }
    if (s->seeds == 0) return;
    const double degrees = s->seeds > 1 ? s->seeds - 1 : 1;
    s->test_selected.deviation = sqrt(s->test_selected.deviation / degrees);
    s->validation_selected.deviation = sqrt(s->validation_selected.deviation / degrees);
    s->test_selected_probes /= s->seeds;
    s->validation_selected_probes /= s->seeds;
    qsort(epoch, (size_t)timed, sizeof *epoch, ascending);
    s->epoch_ms = timed > 0 ? epoch[timed / 2] : NAN;
}
