/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/golden.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *golden_load(void)
{
    json_error_t error;
    json_t *root = json_load_file(WGDN_GOLDEN, 0, &error);
    if (!root) fprintf(stderr, "%s, line %d: %s\n", error.source, error.line, error.text);
    return root;
}

static json_t *child(json_t *node, const char *key, size_t length)
{
    const char *name;
    json_t *value;
    if (json_is_array(node)) return json_array_get(node, (size_t)strtoul(key, NULL, 10));
    if (!json_is_object(node)) return NULL;
    json_object_foreach(node, name, value)
    {
        const bool prefix = length > 0 && key[length - 1] == '*';
        if (prefix ? strncmp(name, key, length - 1) == 0
                   : strlen(name) == length && strncmp(name, key, length) == 0)
            return value;
    }
    return NULL;
}

json_t *golden_at(json_t *root, const char *format, ...)
{
    char path[256];
    va_list args;
    va_start(args, format);
    vsnprintf(path, sizeof path, format, args);
    va_end(args);
    for (const char *key = path; root && *key;) {
        const size_t length = strcspn(key, "/");
        root = child(root, key, length);
        key += length + (key[length] == '/');
    }
    return root;
}

int64_t golden_read(double *out, int64_t room, const json_t *node)
{
    int64_t count = 0;
    if (json_is_number(node)) {
        if (room > 0) *out = json_number_value(node);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(node); i++) {
        const int64_t left = room > count ? room - count : 0;
        count += golden_read(left ? out + count : NULL, left, json_array_get(node, i));
    }
    return count;
}

double golden_number(const json_t *node)
{
    return json_is_number(node) ? json_number_value(node) : NAN;
}

const char *golden_text(const json_t *node)
{
    return json_is_string(node) ? json_string_value(node) : "";
}

double golden_largest(const double *want, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(want[i]));
    return largest;
}

double golden_excess(const double *got, const double *want, int64_t count, double slack)
{
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double e = fabs(got[i] - want[i]), allowed = 6e-9 * fabs(want[i]) + slack;
        if (!(e <= worst * allowed)) worst = e / allowed; /* NaN too */
    }
    return worst;
}
