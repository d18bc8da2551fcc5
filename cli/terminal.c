/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints messages, warnings, progress bars and JSON, formats sizes and names, and handles Ctrl-C.
 * Every command writes to the terminal through it.
 */
#define _DEFAULT_SOURCE
#include "terminal.h"
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Least code of each length: longer spellings of the same are refused, as surrogates are. */
size_t utf8_length(const char *bytes, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)bytes;
    const size_t length = b[0] < 0x80             ? 1
                          : (b[0] & 0xe0) == 0xc0 ? 2
                          : (b[0] & 0xf0) == 0xe0 ? 3
                          : (b[0] & 0xf8) == 0xf0 ? 4
                                                  : 0;
    if (length < 2 || length > size) return length == 1 ? 1 : 0;
    uint32_t code = b[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (b[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    return length;
}

/* Length of a character that can be printed as it is; 0: no UTF-8, a control character (also U+0080
 * .. U+009F), or one that changes the direction of what follows, and so shows another text. */
static size_t plain_length(const char *bytes, size_t size)
{
    const unsigned char *b = (const unsigned char *)bytes;
    const size_t length = utf8_length(bytes, size);
    if (length == 1) return b[0] >= 0x20 && b[0] != 0x7f;
    if (length == 2) return (b[0] == 0xc2 && b[1] < 0xa0) || (b[0] == 0xd8 && b[1] == 0x9c) ? 0 : 2;
    if (length != 3 || b[0] != 0xe2) return length;
    const bool mark = b[1] == 0x80 && (b[2] == 0x8e || b[2] == 0x8f);   /* U+200E, U+200F */
    const bool embeds = b[1] == 0x80 && b[2] >= 0xa8 && b[2] <= 0xae;   /* U+2028 .. U+202E */
    const bool isolates = b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9; /* U+2066 .. U+2069 */
    return mark || embeds || isolates ? 0 : 3;
}

void show_name(FILE *to, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t length = plain_length(bytes + i, size - i);
        if (length)
            fwrite(bytes + i, 1, length, to);
        else
            fprintf(to, "\\x%02x", (unsigned char)bytes[i]);
        i += length ? length : 1;
    }
}

/* Cleaned bytes after what out has; what does not fit is left out. */
static size_t append(char *out, size_t room, const char *bytes, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const size_t step = utf8_length(bytes + at, length - at);
        const bool plain = plain_length(bytes + at, length - at) > 0;
        if (to + (plain ? step : 1) >= room) break;
        if (plain)
            memcpy(out + to, bytes + at, step);
        else
            out[to] = '?';
        to += plain ? step : 1;
        at += step > 0 ? step : 1;
    }
    out[to] = '\0';
    return to;
}

void show_cut(char *out, size_t size, const char *bytes, size_t length)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    if (length < size) {
        append(out, size, bytes, length);
        return;
    }
    const size_t half = (size - sizeof ellipsis) / 2;
    size_t from = length - half;
    while (from < length && ((unsigned char)bytes[from] & 0xc0) == 0x80)
        from++;
    size_t to = append(out, half + 1, bytes, length);
    to += append(out + to, size - to, ellipsis, sizeof ellipsis - 1);
    append(out + to, size - to, bytes + from, length - from);
}

void show_bytes(char *text, size_t size, int64_t bytes)
{
    static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes / 1000;
    int i = 0;
    if (bytes < 0) {
        snprintf(text, size, "unknown");
        return;
    }
    if (bytes < 1000) {
        snprintf(text, size, "%" PRId64 " bytes", bytes);
        return;
    }
    for (; value >= 999.5 && i < 5; i++)
        value /= 1000;
    snprintf(text, size, value < 99.95 ? "%.1f %s" : "%.0f %s", value, unit[i]);
}

void show_limit(char *text, size_t size, int64_t bytes)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int i = 0;
    for (; bytes > 0 && bytes % 1024 == 0 && i < 6; i++)
        bytes /= 1024;
    snprintf(text, size, "%" PRId64 " %s", bytes, unit[i]);
}

void show_count(char *text, size_t size, int64_t count)
{
    static const char *const unit[] = {"million", "billion", "trillion", "quadrillion"};
    double value = (double)count / 1e6;
    int i = 0;
    if (count < 1000000) {
        snprintf(text, size, "%" PRId64, count);
        return;
    }
    for (; value >= 999.5 && i < 3; i++)
        value /= 1000;
    snprintf(text, size, value < 9.95 ? "%.1f %s" : "%.0f %s", value, unit[i]);
}

/* Whether this process prints nothing, and the lines that it buffers, each ended with '\n'. */
static bool silent, keeps;
static char kept[COMPLAINTS_MAX];

void complain_no_more(void)
{
    silent = true;
}

void complaints_keep(void)
{
    keeps = true;
}

const char *complaints_kept(void)
{
    return kept;
}

static void print_line(const char *who, const char *text, size_t size)
{
    fprintf(stderr, "wgdn: %s", who);
    show_name(stderr, text, size);
    fputc('\n', stderr);
}

void complaints_print(const char *who, const char *text)
{
    for (const char *at = text; !silent && *at;) {
        const size_t size = strcspn(at, "\n");
        print_line(who, at, size);
        at += size + (at[size] == '\n');
    }
    memset(kept, 0, sizeof kept);
}

/* A word at the end of what is kept stays free: it is sent in words. */
static void keep(const char *text)
{
    size_t used = strlen(kept);
    if (used + strlen(text) + 2 + sizeof(int64_t) > sizeof kept) return;
    for (const char *at = text; *at; at++)
        kept[used++] = (char)(*at == '\n' ? '?' : *at);
    kept[used++] = '\n';
    kept[used] = '\0';
}

/* Names in messages come from strangers: a file may be called anything, an escape sequence too. */
static void say(bool later, const char *format, va_list args)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, args);
    if (later)
        keep(text);
    else if (!silent)
        print_line("", text, strlen(text));
}

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(keeps, format, args);
    va_end(args);
}

void complain_now(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(false, format, args);
    va_end(args);
}

enum { WORD_MAX = 32 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Edits that make one word of the other: insert, drop, change, or swap two neighbors. */
static int edit_distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    int row[WORD_MAX + 1][WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX) return WORD_MAX;
    for (int i = 0; i <= n; i++)
        row[i][0] = i;
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int change = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            row[i][j] = min(change, min(row[i - 1][j], row[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[i][j] = min(row[i][j], row[i - 2][j - 2] + 1);
        }
    return row[n][m];
}

/* Near is a third of the letters, or being the beginning of the other word. */
void guess_offer(guess *g, const char *candidate)
{
    const size_t length = strlen(g->word);
    const bool begins = length > 1 && strncmp(candidate, g->word, length) == 0;
    const int distance = begins ? 1 : edit_distance(g->word, candidate);
    const int near = ((int)strlen(candidate) + 2) / 3;
    if (distance > near || (g->best && distance >= g->distance)) return;
    g->best = candidate;
    g->distance = distance;
}

int complain_status(wgdn_status status, const wgdn_error *err)
{
    const char *text = err->message[0] ? err->message : wgdn_status_text(status);
    if (status == WGDN_OK) return DONE;
    complain(status == WGDN_ENOMEM ? "out of memory: %s" : "%s", text);
    switch (status) {
    case WGDN_EINVAL: return USAGE;
    case WGDN_EIO:
    case WGDN_EFORMAT: return BAD_INPUT;
    case WGDN_ENOMEM:
    case WGDN_ERANGE: return DOES_NOT_FIT;
    default: return FAILED;
    }
}

void remark(const cli *c, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_root(c) && !option_on(&c->values, OPT_QUIET)) complain_now("note: %s", text);
}

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

/* The only variables that outlive a call: a signal handler can store its news nowhere else. */
static volatile sig_atomic_t asked, held, interrupt_silent;
static void (*before_end)(void);

static void note(int signal_number)
{
    static const char now[] = "wgdn: interrupted\n";
    static const char later[] = "wgdn: stopping after the current step; once more stops at once\n";
    const ssize_t said = interrupt_silent ? 0
                         : held           ? write(STDERR_FILENO, later, sizeof later - 1)
                                          : write(STDERR_FILENO, now, sizeof now - 1);
    (void)said;
    (void)signal_number;
    asked = 1;
    if (held) return;
    if (before_end) before_end();
    _exit(INTERRUPTED);
}

static void watch(int signal_number)
{
    struct sigaction former, action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

void interrupt_watch(void (*tidy)(void))
{
    before_end = tidy;
    watch(SIGINT);
    watch(SIGTERM);
    watch(SIGHUP);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

void interrupt_silence(void)
{
    interrupt_silent = 1;
}

void interrupt_hold(void)
{
    held++;
}

void interrupt_release(void)
{
    held--;
}

bool interrupt_asked(void)
{
    return asked != 0;
}

int progress_watch(void *p, int64_t done, int64_t total)
{
    progress_show(p, done, total);
    return interrupt_asked();
}

static void put_string(FILE *to, const char *bytes, size_t size)
{
    fputc('"', to);
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)bytes[i];
        const size_t length = utf8_length(bytes + i, size - i);
        if (length == 0)
            fprintf(to, "\\udc%02x", c);
        else if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", to);
        else if (c == '\t')
            fputs("\\t", to);
        else if (c < 0x20 || c == 0x7f)
            fprintf(to, "\\u%04x", c);
        else
            fwrite(bytes + i, 1, length, to);
        i += length ? length : 1;
    }
    fputc('"', to);
}

static void start(json *j, const char *key)
{
    if (j->comma) fputc(',', j->to);
    j->comma = true;
    if (!key) return;
    put_string(j->to, key, strlen(key));
    fputc(':', j->to);
}

void json_put_open(json *j, const char *key, char bracket)
{
    start(j, key);
    fputc(bracket, j->to);
    j->comma = false;
}

void json_put_close(json *j, char bracket)
{
    fputc(bracket, j->to);
    j->comma = true;
}

json json_begin(FILE *to)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    return j;
}

void json_end(json *j)
{
    json_put_close(j, '}');
    fputc('\n', j->to);
}

void json_put_integer(json *j, const char *key, int64_t value)
{
    start(j, key);
    fprintf(j->to, "%" PRId64, value);
}

void json_put_real(json *j, const char *key, double value)
{
    start(j, key);
    if (isfinite(value))
        fprintf(j->to, "%.10g", value);
    else
        fputs("null", j->to);
}

void json_put_bool(json *j, const char *key, bool value)
{
    start(j, key);
    fputs(value ? "true" : "false", j->to);
}

void json_put_null(json *j, const char *key)
{
    start(j, key);
    fputs("null", j->to);
}

void json_put_text(json *j, const char *key, const char *text)
{
    json_put_bytes(j, key, text, text ? strlen(text) : 0);
}

void json_put_bytes(json *j, const char *key, const char *bytes, size_t size)
{
    start(j, key);
    if (bytes)
        put_string(j->to, bytes, size);
    else
        fputs("null", j->to);
}
