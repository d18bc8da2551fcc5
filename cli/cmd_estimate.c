/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn estimate DATA: what training will need, part by part, and what there is. */
#include "cli.h"
#include "dataset.h"
#include "json.h"
#include "settings.h"
#include "show.h"

static void print_json(FILE *to, const char *path, const wgdn_memory *e, const wgdn_machine *m)
{
    json j = {.to = to};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", path);
    json_put_integer(&j, "dataset_bytes", e->dataset);
    json_put_integer(&j, "feature_bytes", e->features);
    json_put_integer(&j, "model_bytes", e->model);
    json_put_integer(&j, "workspace_bytes", e->workspace);
    json_put_integer(&j, "total_bytes", e->total);
    json_put_integer(&j, "available_bytes", m->memory_available);
    json_put_close(&j, '}');
    fputc('\n', to);
}

static void print_text(FILE *to, const wgdn_memory *e, const wgdn_machine *m)
{
    const struct {
        const char *what, *why;
        int64_t bytes;
    } row[] = {
        {"dataset", "graph and features as they are read", e->dataset},
        {"features", "what is made of the features once", e->features},
        {"model", "parameters, gradient and two moments", e->model},
        {"workspace", "what one epoch keeps", e->workspace},
        {"total", "the process at its peak", e->total},
        {"available", "before training", m->memory_available},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[32];
        show_bytes(text, sizeof text, row[i].bytes);
        fprintf(to, "%-10s %10s  %s\n", row[i].what, text, row[i].why);
    }
}

int cmd_estimate(cli *c)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_train_options o;
    wgdn_memory e;
    wgdn_dataset *d = NULL;
    int code = settings_read(&o, c);
    if (code == DONE) code = dataset_read(&d, c, c->operand[0]);
    if (code != DONE) return code;
    code = settings_fit(&e, c, d, &o);
    wgdn_machine_get(&m);
    if (e.total > 0 && option_on(&c->values, OPT_JSON))
        print_json(c->out, c->operand[0], &e, &m);
    else if (e.total > 0)
        print_text(c->out, &e, &m);
    wgdn_dataset_free(d);
    return code;
}
