/* SPDX-License-Identifier: Apache-2.0 */
/* Golden values: read from golden.json, and the cases that they are for. */
#include "golden/golden.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- golden ---- */

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

/* ---- cases ---- */

/* Position of a text among `count`, or -1. */
static int choice(const char *text, const char *const *among, int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(text, among[k]) == 0) return k;
    return -1;
}

static bool read_choices(ref_config *c, json_t *config)
{
    static const char *const aggregates[] = {"max", "sum", "avg"}; /* none with one channel */
    static const char *const norms[] = {"", "layernorm", "batchnorm"};
    static const char *const losses[] = {"node", "graph", "mse"};
    const int aggregate = choice(golden_text(golden_at(config, "aggr")), aggregates, 3);
    const int norm = choice(golden_text(golden_at(config, "norm")), norms, 3);
    const int loss = choice(golden_text(golden_at(config, "loss")), losses, 3);
    if ((aggregate < 0 && c->channels > 1) || norm < 0 || loss < 0) return false;
    c->aggregate = aggregate < 0 ? REF_MAX : (ref_aggregate)aggregate;
    c->norm = (ref_norm)norm;
    c->loss = (ref_loss)loss;
    c->balanced = c->loss != REF_MSE;
    return true;
}

/* Skip is always the sum in the file, and F and H follow from the first weight. */
bool golden_config(ref_config *c, ref_average *average, json_t *root, const char *name)
{
    static const char *const kernels[] = {"gcn", "heat", "ppr"};
    json_t *node = golden_at(root, "cases/%s", name), *config = golden_at(node, "config");
    json_t *first = golden_at(node, "params/encoder.encs.0.lin.weight");
    const int kernel = choice(golden_text(golden_at(config, "kernel")), kernels, 3);
    if (kernel < 0 || !first) return false;
    ref_config_init(c, (ref_kernel)kernel, (int)json_array_size(golden_at(first, "0")),
                    (int)json_array_size(first));
    c->channels = (int)golden_read(c->gamma, REF_CHANNELS, golden_at(config, "gamma"));
    c->encoder_layers = (int)golden_number(golden_at(config, "layers"));
    c->decoder_layers = (int)golden_number(golden_at(config, "decoder_layers"));
    c->beta = golden_number(golden_at(config, "beta"));
    c->skip = json_is_true(golden_at(config, "skip")) ? REF_SKIP_SUM : REF_SKIP_NONE;
    c->embedding_activation = json_is_true(golden_at(config, "emb_act"));
    *average = strncmp(golden_text(golden_at(config, "average_operator")), "A D^-1", 6) == 0
                   ? REF_COLUMN
                   : REF_ROW;
    return read_choices(c, config);
}

bool golden_graph(ref_graph *g, json_t *root, ref_average average, double *X, int64_t room)
{
    enum { EDGES = 64 };
    double ends[2 * EDGES];
    int64_t src[EDGES], dst[EDGES];
    const int64_t n = (int64_t)golden_number(golden_at(root, "graph/nodes"));
    const int64_t m = golden_read(ends, 2 * EDGES, golden_at(root, "graph/undirected_edges")) / 2;
    const int64_t size = golden_read(X, room, golden_at(root, "graph/features"));
    if (m > EDGES || size > room || n < 1) return false;
    for (int64_t e = 0; e < m; e++) {
        src[e] = (int64_t)ends[2 * e];
        dst[e] = (int64_t)ends[2 * e + 1];
    }
    return ref_graph_from_edges(g, n, m, src, dst, NULL, average);
}

bool golden_block(double *block, const ref_layout *l, json_t *root, const char *name,
                  const char *part)
{
    json_t *node = golden_at(root, "cases/%s/%s", name, part);
    memset(block, 0, (size_t)l->size * sizeof *block);
    for (int k = 0; k < l->count; k++) {
        const ref_slice *s = &l->slice[k];
        const int64_t size = (int64_t)s->rows * s->cols;
        json_t *value = golden_at(node, "%s", s->name);
        if (!value) return false;
        if (json_is_null(value)) continue;
        if (golden_read(block + s->offset, size, value) != size) return false;
    }
    return (int)json_object_size(node) == l->count;
}
