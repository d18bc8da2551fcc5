/* SPDX-License-Identifier: Apache-2.0 */
#include "agree.h"
#include "cli.h"
#include "show.h"

#include <stdarg.h>
#include <string.h>

/* Of this process: whether it says nothing, and what it keeps for later. A line ends with '\n'. */
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

/* Letters to insert, drop, change, or swap with their neighbour to make one word of the other. */
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
