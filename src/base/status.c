/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills the error slot that every fallible call returns, and formats and parses the numbers in
 * messages. It also compares words by edit distance, so that messages can suggest the nearest
 * option name.
 */
#include "base.h"
#include "tally.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local wgdn_tally *wgdn_tally_open;

#define STRING(x) #x
#define VERSION(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *wgdn_version(void)
{
    return VERSION(WGDN_VERSION_MAJOR, WGDN_VERSION_MINOR, WGDN_VERSION_PATCH);
}

const char *wgdn_status_text(wgdn_status status)
{
    switch (status) {
    case WGDN_OK: return "ok";
    case WGDN_EINVAL: return "argument out of range";
    case WGDN_ENOMEM: return "out of memory";
    case WGDN_ERANGE: return "size out of range";
    case WGDN_EENGINE: return "dense engine failed";
    case WGDN_EIO: return "input failed";
    case WGDN_EFORMAT: return "bad input";
    case WGDN_ENOSUPPORT: return "not built in";
    case WGDN_ESTOPPED: return "stopped on request";
    case WGDN_ENUMBER: return "number not finite";
    case WGDN_EWRITE: return "output failed";
    case WGDN_EHEALTH: return "training diverged or collapsed";
    }
    return "unknown status";
}

void wgdn_error_set(wgdn_error *err, wgdn_status code, const char *format, ...)
{
    va_list args;
    if (!err) return;
    va_start(args, format);
    err->code = code;
    const int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (code == WGDN_ENOMEM && length >= 0 && (size_t)length < sizeof err->message)
        wgdn_memory_why(err->message + length, sizeof err->message - (size_t)length);
}

/*
 * Asks the caller whether work goes on. A call of the caller's own code is a hundred times as long as a look at the
 * clock, and takes Python's lock.
 */

static const double seconds_between = 0.05;

static _Thread_local struct {
    wgdn_stop by;
    double asked; /* when */
    bool asks, now;
} stop;

wgdn_stop wgdn_stop_use(wgdn_stop next)
{
    const wgdn_stop former = stop.by;
    stop.by = next;
    return former;
}

bool wgdn_stop_enter(bool ask)
{
    const bool former = stop.asks;
    if (!former) stop.asked = 0; /* the first look asks at once */
    stop.asks = ask && stop.by.wanted;
    return former;
}

wgdn_status wgdn_stop_leave(bool former, wgdn_status st, wgdn_error *err)
{
    const bool now = stop.asks && stop.now;
    stop.asks = former;
    stop.now = former && stop.now;
    return now ? wgdn_fail(err, WGDN_ESTOPPED, "stopped on request") : st;
}

bool wgdn_stopping(void)
{
    if (!stop.asks || stop.now) return stop.asks;
    const double now = wgdn_seconds();
    if (now - stop.asked < seconds_between) return false;
    stop.now = stop.by.wanted(stop.by.user) != 0;
    stop.asked = wgdn_seconds();
    return stop.now;
}

wgdn_status wgdn_result_give(void *out, const void *made, size_t size, wgdn_error *err)
{
    const size_t first = sizeof(size_t);
    size_t given;
    memcpy(&given, out, first);
    if (given < first)
        return wgdn_fail(err, WGDN_EINVAL, "the result's struct_size is %zu: it is not set", given);
    memcpy((char *)out + first, (const char *)made + first, (given < size ? given : size) - first);
    return WGDN_OK;
}

/*
 * Converts numbers to and from the text that people write, whatever the decimal point of the locale
 * is.
 */

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

int wgdn_word_distance(const char *a, const char *b)
{
    int row[WGDN_WORD_MAX + 1], columns = (int)strlen(b);
    if (columns > WGDN_WORD_MAX || strlen(a) > WGDN_WORD_MAX) return WGDN_WORD_MAX;
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            const int change = corner + (a[i - 1] != b[j - 1]);
            const int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = change < shift ? change : shift;
        }
    }
    return row[columns];
}
