/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn estimate DATA: what training will need, part by part, and what there is. */
#include "cli.h"
#include "dataset.h"
#include "explain.h"
#include "json.h"
#include "settings.h"
#include "show.h"

static int print_json(cli *c, const wgdn_memory *e, const wgdn_machine *m, const wgdn_dataset *d,
                      const wgdn_train_options *o)
{
    json j = {.to = c->out};
    int code = DONE;
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "path", c->operand[0]);
    json_put_integer(&j, "dataset_bytes", e->dataset);
    json_put_integer(&j, "feature_bytes", e->features);
    json_put_integer(&j, "model_bytes", e->model);
    json_put_integer(&j, "workspace_bytes", e->workspace);
    json_put_integer(&j, "total_bytes", e->total);
    json_put_integer(&j, "available_bytes", m->memory_available);
    if (option_on(&c->values, OPT_EXPLAIN)) code = explain_json(&j, d, o);
    json_put_close(&j, '}');
    fputc('\n', c->out);
    return code;
}

static int print_text(cli *c, const wgdn_memory *e, const wgdn_machine *m, const wgdn_dataset *d,
                      const wgdn_train_options *o)
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
        fprintf(c->out, "%-10s %10s  %s\n", row[i].what, text, row[i].why);
    }
    return option_on(&c->values, OPT_EXPLAIN) ? explain_text(c->out, d, o) : DONE;
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
    if (e.total > 0) {
        const bool machine = option_on(&c->values, OPT_JSON);
        const int told = (machine ? print_json : print_text)(c, &e, &m, d, &o);
        if (code == DONE) code = told;
    }
    wgdn_dataset_free(d);
    return code;
}
