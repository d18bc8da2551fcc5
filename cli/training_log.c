/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that was killed has logged epochs behind its checkpoint, which are made again, and a crash of
 * the machine may leave half a line, or a line of NUL bytes. Resumed, the log is cut there first.
 */
#define _POSIX_C_SOURCE 200809L
#include "training_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A log that cannot be written, which a full disk may be the reason for, does not stop the run. */
static void lose(training_log *l, const char *then)
{
    complain_now("%s: cannot be written: %s%s", l->path, strerror(errno), then);
    if (l->to) fclose(l->to);
    l->to = NULL;
    l->failed = true;
}

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static const char *const columns[] = {"epoch,loss,seconds\n", "epoch,loss,seconds,held_out\n"};

/* The epoch of a whole line; 0: the names of the columns; -1: no line of a log. */
static int64_t epoch_of(const char *line, ssize_t length)
{
    static const char key[] = "{\"epoch\": ";
    const bool json = strncmp(line, key, sizeof key - 1) == 0;
    if (length < 2 || line[length - 1] != '\n' || memchr(line, '\0', (size_t)length)) return -1;
    if (strcmp(line, columns[0]) == 0 || strcmp(line, columns[1]) == 0) return 0;
    if (json) line += sizeof key - 1;
    return *line >= '0' && *line <= '9' ? strtoll(line, NULL, 10) : -1;
}

void training_log_begin(training_log *l, int64_t first)
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
        lose(l, "; training goes on without this log");
    else if (kept == 0 && !l->json)
        fputs(columns[l->held], l->to);
}

int training_log_open(training_log *l, const char *path, bool resuming)
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

void training_log_put(training_log *l, const wgdn_progress *p)
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
    if (fflush(l->to) != 0 || ferror(l->to)) lose(l, "; training goes on without this log");
}

/* Pipes and devices need not be synced, and cannot. */
static bool finish(FILE *to)
{
    if (fflush(to) != 0) return false;
    return fsync(fileno(to)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

int training_log_close(training_log *l)
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
