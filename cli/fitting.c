/* SPDX-License-Identifier: Apache-2.0 */
#include "fitting.h"
#include "effects.h"
#include "interrupt.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/* The list without 'structure'; false when it does not fit. *found: it was there. */
static bool take_out_structure(char path[FITTING_PATH], const char *list, bool *found)
{
    static const char word[] = "structure";
    size_t used = 0;
    path[0] = '\0';
    *found = false;
    for (const char *at = list; *at;) {
        const size_t size = strcspn(at, ",");
        if (size == sizeof word - 1 && memcmp(at, word, size) == 0)
            *found = true;
        else
            used += (size_t)snprintf(path + used, FITTING_PATH - used, "%s%.*s", used ? "," : "",
                                     (int)size, at);
        if (used >= FITTING_PATH) return false;
        at += size + (at[size] == ',');
    }
    return true;
}

static int settle_features(wgdn_fit_options *o, cli *c, char path[FITTING_PATH])
{
    const int which = command_option(c->command, "features", 8);
    const char **said = &c->values.text[which];
    bool structure = false;
    if (!*said) return DONE;
    if (!take_out_structure(path, *said, &structure)) {
        complain("--features: the names of the files are longer than %d bytes", FITTING_PATH - 1);
        return USAGE;
    }
    if (!structure) return DONE;
    o->features = *path ? WGDN_USE_BOTH : WGDN_USE_STRUCTURE;
    *said = *path ? path : "structure";
    if (!*path && !option_is_word(&c->values, (option_id)which))
        *said = NULL; /* not a word of this option */
    return DONE;
}

int fitting_settings(wgdn_fit_options *o, cli *c, char path[FITTING_PATH])
{
    wgdn_fit_options_init(o);
    options_apply(&c->values, HOME_FIT, o);
    o->threads = option_threads(&c->values);
    if (o->refine && o->scale >= 0) {
        complain("--refine is for features at the scale that is found best: leave --scale out");
        return USAGE;
    }
    return settle_features(o, c, path);
}

static int watch(void *user, int64_t done, int64_t total)
{
    progress_show(user, done, total);
    return interrupt_asked();
}

void fitting_explain(FILE *to, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    wgdn_model_info info = {.struct_size = sizeof info};
    int64_t all = 0;
    if (wgdn_model_get_fit(&r, m, NULL)) return;
    if (r.scales) {
        fputs(
            "how well a node's features are predicted by its neighbours alone (cosine):\n  scale ",
            to);
        for (int t = 0; t < r.scales; t++)
            fprintf(to, " %6g", r.scale[t]);
        fputs("\n        ", to);
        for (int t = 0; t < r.scales; t++)
            fprintf(to, " %6.3f%s", r.agreement[t], r.agreement[t] >= r.best ? "*" : "");
        fputc('\n', to);
    }
    wgdn_model_get_info(&info, m);
    fputs("vectors are made of:\n", to);
    for (int i = 0; i < r.parts; i++) {
        const wgdn_fit_part *p = &r.part[i];
        fprintf(to, "  %-30s %4lld columns", p->name, (long long)p->dim);
        if (p->scale > 0) fprintf(to, ", scale %g", p->scale);
        fputc('\n', to);
        all += p->dim;
    }
    if (all != info.dim) fprintf(to, "reduced together to %lld columns\n", (long long)info.dim);
    if (r.refined[0] > 0)
        fprintf(to,
                "refined in %d epochs, until views of the graph agree better: loss %.4g, then "
                "%.4g\n",
                info.fit->refine, r.refined[0], r.refined[1]);
}

void fitting_json(json *j, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (wgdn_model_get_fit(&r, m, NULL)) return;
    json_put_open(j, "parts", '[');
    for (int i = 0; i < r.parts; i++) {
        json_put_open(j, NULL, '{');
        json_put_text(j, "name", r.part[i].name);
        json_put_integer(j, "dim", r.part[i].dim);
        json_put_real(j, "scale", r.part[i].scale);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    json_put_open(j, "scales", '[');
    for (int t = 0; t < r.scales; t++) {
        json_put_open(j, NULL, '{');
        json_put_real(j, "scale", r.scale[t]);
        json_put_real(j, "agreement", r.agreement[t]);
        json_put_close(j, '}');
    }
    json_put_close(j, ']');
    if (r.refined[0] <= 0) return;
    json_put_open(j, "refined", '[');
    json_put_real(j, NULL, r.refined[0]);
    json_put_real(j, NULL, r.refined[1]);
    json_put_close(j, ']');
}

static void tell_remarks(const cli *c, const wgdn_model *m)
{
    wgdn_fit_report r = {.struct_size = sizeof r};
    if (wgdn_model_get_fit(&r, m, NULL)) return;
    for (int64_t i = 0; i < r.remarks; i++)
        remark(c, "%s", r.remark[i].text);
}

int fitting_run(wgdn_model **m, const cli *c, const wgdn_dataset *d, const wgdn_fit_options *o)
{
    wgdn_fit_options with = *o;
    wgdn_error err = {WGDN_OK, ""};
    progress bar;
    effects_fit(c, o, d);
    progress_start(&bar, "fitting", "parts", option_on(&c->values, OPT_QUIET) || !is_root(c));
    with.progress = watch;
    with.progress_user = &bar;
    const wgdn_status st = wgdn_model_fit(m, d, &with, &err);
    progress_end(&bar);
    const int code = ranks_code(c, st ? complain_status(st, &err) : DONE);
    if (code != DONE) return code;
    tell_remarks(c, *m);
    if (option_on(&c->values, OPT_EXPLAIN_FIT) && is_root(c)) fitting_explain(stderr, *m);
    return DONE;
}
