/* SPDX-License-Identifier: Apache-2.0 */
#include "explain.h"

static int explain(wgdn_explanation *e, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    *e = (wgdn_explanation){.struct_size = sizeof *e};
    const wgdn_status st = wgdn_train_explain(e, d, o, &err);
    return st ? complain_status(st, &err) : DONE;
}

static const char *bf16_unit(void)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_machine_get(&m);
    return m.bf16;
}

int explain_text(FILE *to, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_explanation e;
    const int code = explain(&e, d, o);
    if (code != DONE) return code;
    fprintf(to, "optimisation          used  10^9 with   without  what\n");
    for (int i = 0; i < WGDN_SAVINGS; i++) {
        const wgdn_saving *s = &e.saving[i];
        fprintf(to, "%-20s  %-4s  %9.3g %9.3g  %s\n", s->name, s->used ? "yes" : "no",
                s->with * 1e-9, s->without * 1e-9, s->what);
    }
    fprintf(to,
            "one epoch: %.3g x 10^9 operations in dense products, %.3g x 10^9 in sparse products, "
            "which move %.3g GB\n",
            e.dense * 1e-9, e.sparse * 1e-9, e.bytes * 1e-9);
    if (o->precision == WGDN_PRECISION_BF16)
        fprintf(to,
                "dense products: factors rounded to bf16 (%s), sums in fp32; "
                "rows gathered from neighbours: bf16, sums in fp32\n",
                bf16_unit());
    return DONE;
}

int explain_json(json *j, const wgdn_dataset *d, const wgdn_train_options *o)
{
    wgdn_explanation e;
    const int code = explain(&e, d, o);
    if (code != DONE) return code;
    json_put_open(j, "optimisations", '[');
    for (int i = 0; i < WGDN_SAVINGS; i++) {
        const wgdn_saving *s = &e.saving[i];
        json_put_open(j, NULL, '{');
        json_put_text(j, "name", s->name);
        json_put_text(j, "what", s->what);
        json_put_bool(j, "used", s->used);
        json_put_real(j, "with", s->with);
        json_put_real(j, "without", s->without);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    json_put_real(j, "dense_operations", e.dense);
    json_put_real(j, "sparse_operations", e.sparse);
    json_put_real(j, "sparse_bytes", e.bytes);
    if (o->precision == WGDN_PRECISION_BF16) json_put_text(j, "bf16", bf16_unit());
    return DONE;
}
