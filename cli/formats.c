/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void formats_choices(char *out, size_t size, format_table *table, bool written)
{
    size_t used = (size_t)snprintf(out, size, "auto");
    for (int i = 0; table(i) && used < size; i++)
        if (written ? table(i)->writes : table(i)->reads)
            used += (size_t)snprintf(out + used, size - used, "|%s", table(i)->name);
}

void formats_more(char *out, size_t size, format_table *table)
{
    for (int i = 0; table(i); i++) {
        char word[40];
        const size_t used = strlen(out);
        snprintf(word, sizeof word, "|%s", table(i)->name);
        const char *at = strstr(out, word);
        const bool there = at && (at[strlen(word)] == '|' || !at[strlen(word)]);
        if (table(i)->writes && !there) snprintf(out + used, size - used, "%s", word);
    }
}

/* Put a word behind others; the comma before the last word becomes "or" in the end. */
static void append(char *out, size_t size, const char *word)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used ? ", " : "", word);
}

static void say_or(char *out, size_t size)
{
    char *comma = strrchr(out, ',');
    char last[32];
    if (!comma) return;
    snprintf(last, sizeof last, " or%s", comma + 1);
    snprintf(comma, size - (size_t)(comma - out), "%s", last);
}

void formats_names(char *out, size_t size, format_table *table)
{
    *out = '\0';
    for (int i = 0; table(i); i++)
        if (table(i)->writes) append(out, size, table(i)->name);
    say_or(out, size);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcasecmp(text + n - m, ending) == 0;
}

void formats_suffixes(char *out, size_t size, format_table *table)
{
    *out = '\0';
    for (int i = 0; table(i); i++)
        for (const char *const *s = table(i)->suffixes; table(i)->writes && *s; s++)
            if (!ends_with(*s, ".gz")) append(out, size, *s);
    say_or(out, size);
}

const char *format_by_suffix(const char *path, format_table *table)
{
    for (int i = 0; table(i); i++)
        for (const char *const *s = table(i)->suffixes; table(i)->writes && *s; s++)
            if (ends_with(path, *s)) return table(i)->name;
    return NULL;
}
