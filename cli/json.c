/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"
#include "show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
    if (text)
        json_put_bytes(j, key, text, strlen(text));
    else
        json_put_null(j, key);
}

void json_put_bytes(json *j, const char *key, const char *bytes, size_t size)
{
    start(j, key);
    put_string(j->to, bytes, size);
}
