/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 1.0 /* seconds before anything is drawn */
#define PAUSE 0.1    /* seconds between two drawings */
#define MINUTE 60.0  /* and between two lines where there is no terminal */
enum { BAR = 16 };   /* with a name of 20 letters all of it fits into 80 columns */

double seconds_now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double line_interval(void)
{
    const char *text = getenv("WGDN_PROGRESS");
    char *end = NULL;
    const double seconds = text ? strtod(text, &end) : MINUTE;
    return text && (end == text || *end || !(seconds >= 0)) ? MINUTE : seconds;
}

void progress_start(progress *p, const char *what, const char *unit, bool quiet)
{
    *p = (progress){.what = what, .unit = unit, .start = seconds_now()};
    if (quiet) return;
    if (!isatty(STDERR_FILENO)) p->every = line_interval();
    if (isatty(STDERR_FILENO) || p->every > 0) p->to = stderr;
    p->shown = p->start;
}

/* 12.3 M of something in a second. */
static void rate_text(char *text, size_t size, double rate, const char *unit)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T"};
    int i = 0;
    for (; rate >= 999.5 && i < 4; i++)
        rate /= 1000;
    snprintf(text, size, "%.*f %s%s/s", rate < 9.95 ? 1 : 0, rate, prefix[i], unit);
}

static void time_text(char *text, size_t size, double seconds)
{
    const long s = seconds < 360000 ? (long)(seconds + 0.5) : 359999;
    if (s >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld left", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%ld:%02ld left", s / 60, s % 60);
}

static void draw(progress *p, int64_t done, int64_t total, double elapsed)
{
    char rate[40], left[40], bar[BAR + 1];
    const double speed = (double)(done - p->base) / elapsed;
    rate_text(rate, sizeof rate, speed, p->unit);
    if (p->every > 0) {
        time_text(left, sizeof left, speed > 0 ? (double)(total - done) / speed : 360000);
        if (total < 1)
            fprintf(p->to, "wgdn: note: %s: %s\n", p->what, rate);
        else
            fprintf(p->to, "wgdn: note: %s: %d %%, %s, %s\n", p->what,
                    (int)(100 * (done < total ? (double)done / (double)total : 1)), rate, left);
        return;
    }
    if (total < 1) {
        fprintf(p->to, "\r%s  %s\033[K", p->what, rate);
    } else {
        const double part = done < total ? (double)done / (double)total : 1;
        const int full = (int)(part * BAR);
        memset(bar, '#', (size_t)full);
        memset(bar + full, '.', (size_t)(BAR - full));
        bar[BAR] = '\0';
        time_text(left, sizeof left, speed > 0 ? (double)(total - done) / speed : 360000);
        fprintf(p->to, "\r%s  [%s] %3d %%  %s  %s\033[K", p->what, bar, (int)(part * 100), rate,
                left);
    }
    fflush(p->to);
    p->drawn = true;
}

void progress_show(progress *p, int64_t done, int64_t total)
{
    if (!p->to) return;
    const double t = seconds_now();
    if (p->every > 0 ? t - p->shown < p->every : t - p->start < PATIENCE || t - p->shown < PAUSE)
        return;
    p->shown = t;
    draw(p, done, total, t - p->start);
}

void progress_end(progress *p)
{
    if (p->drawn) fputs("\r\033[K", p->to);
    if (p->to) fflush(p->to);
    p->drawn = false;
}
