/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn estimate FILE: what the dataset takes; training follows with the model (issue 5). */
#include "cli.h"
#include "dataset.h"
#include "json.h"
#include "show.h"

/* Bytes of the arrays that a dataset keeps, from its counts. */
typedef struct sizes {
    int64_t graph, features;
} sizes;

static sizes measure(const wgdn_dataset *d)
{
    const int64_t n = wgdn_dataset_nodes(d), index = 4, offset = 8, value = 4;
    const int64_t weights = 2 * value; /* two numbers a node make the Laplacian's weights */
    const int64_t *row = NULL;
    const int32_t *column = NULL;
    const float *values = NULL;
    sizes s = {0};
    s.graph = (n + 1) * offset + 2 * wgdn_dataset_edges(d) * index + n * weights;
    if (wgdn_dataset_get_sparse(d, &row, &column, &values))
        s.features = (n + 1) * offset + wgdn_dataset_entries(d) * (index + (values ? value : 0));
    else
        s.features = n * wgdn_dataset_width(d) * value;
    return s;
}

static void print_json(FILE *to, const char *path, const sizes *s, const wgdn_machine *m)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_integer(&j, "graph_bytes", s->graph);
    json_put_integer(&j, "feature_bytes", s->features);
    json_put_null(&j, "training_bytes");
    json_put_integer(&j, "available_bytes", m->memory_available);
    json_put_close(&j, '}');
    fputc('\n', to);
}

static void print_text(FILE *to, const sizes *s, const wgdn_machine *m)
{
    char text[32];
    show_bytes(text, sizeof text, s->graph);
    fprintf(to, "graph      %s\n", text);
    show_bytes(text, sizeof text, s->features);
    fprintf(to, "features   %s\n", text);
    fputs("training   not told yet: it comes with the training command\n", to);
    show_bytes(text, sizeof text, m->memory_available);
    fprintf(to, "available  %s\n", text);
}

int cmd_estimate(cli *c)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_dataset *d = NULL;
    const int code = dataset_read(&d, c, c->operand[0]);
    if (code != DONE) return code;
    const sizes s = measure(d);
    wgdn_machine_get(&m);
    if (option_on(&c->values, OPT_JSON))
        print_json(c->out, c->operand[0], &s, &m);
    else
        print_text(c->out, &s, &m);
    wgdn_dataset_free(d);
    return DONE;
}
