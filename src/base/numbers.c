/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them, whatever the locale's decimal point is. */
#include "base.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 6, MANY = 17, ROOM = 64 }; /* digits: 100000 but 1e6; enough for every double */

/* The first of `from` becomes `to`, which may be of another length. */
static void swap_point(char *text, const char *from, const char *to)
{
    char *at = strcmp(from, to) == 0 ? NULL : strstr(text, from);
    if (!at) return;
    const size_t length = strlen(to);
    const char *rest = at + strlen(from);
    memmove(at + length, rest, strlen(rest) + 1);
    for (size_t i = 0; i < length; i++)
        at[i] = to[i];
}

/* 1e+09 to 1e9, 1e-05 to 1e-5 */
static void trim_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (!e) return;
    char *to = e + 1 + (e[1] == '-');
    const char *from = e + 2 + strspn(e + 2, "0");
    memmove(to, from, strlen(from) + 1);
}

void wgdn_number_text(char *text, size_t size, double value)
{
    char word[ROOM];
    for (int digits = FEW; digits <= MANY; digits++) {
        snprintf(word, sizeof word, "%.*g", digits, value);
        if (strtod(word, NULL) == value) break;
    }
    swap_point(word, localeconv()->decimal_point, ".");
    if (value - value == 0) trim_exponent(word); /* "inf" and "nan" have none */
    snprintf(text, size, "%s", word);
}

bool wgdn_number_read(double *value, const char *text)
{
    const char *point = localeconv()->decimal_point;
    char word[ROOM], *end;
    if (!*text || strlen(text) + 8 > sizeof word || strchr(" \t\n", *text)) return false;
    if (strcmp(point, ".") != 0 && strstr(text, point)) return false; /* 0,97 is none anywhere */
    snprintf(word, sizeof word, "%s", text);
    swap_point(word, ".", point);
    *value = strtod(word, &end);
    return *end == '\0';
}

const char *wgdn_number_begin(double *value, const char *text)
{
    char word[ROOM];
    size_t size = strspn(text, "+-.0123456789abcdefinptxABCDEFINPTX"); /* inf, nan, 0x1.8p+1 too */
    for (size = size < ROOM - 8 ? size : ROOM - 8; size > 0; size--) {
        memcpy(word, text, size);
        word[size] = '\0';
        if (wgdn_number_read(value, word)) return text + size;
    }
    return NULL;
}

wgdn_status wgdn_size_parse(int64_t *bytes, const char *text, wgdn_error *err)
{
    static const char letters[] = "bkmgt";
    char word[ROOM];
    double number = 0;
    const size_t digits = text ? strspn(text, "0123456789.") : 0;
    bool good = digits > 0 && digits < sizeof word;
    if (good) {
        memcpy(word, text, digits);
        word[digits] = '\0';
        const char *unit = text + digits, *letter = *unit ? strchr(letters, *unit | ' ') : letters;
        const char *rest = *unit ? unit + 1 : unit;
        good = letter && wgdn_number_read(&number, word);
        if (good && letter > letters && (strcmp(rest, "B") == 0 || strcmp(rest, "iB") == 0))
            rest = "";
        for (; good && letter > letters; letter--)
            number *= 1024;
        good = good && !*rest && number < 0x1p63;
    }
    if (!good)
        return wgdn_fail(err, WGDN_EINVAL, "'%s' is not a number of bytes, such as 500M or 1.5G",
                         text ? text : "");
    *bytes = (int64_t)number;
    return WGDN_OK;
}
