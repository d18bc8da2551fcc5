/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn plot ... -o PICTURE */
#define _POSIX_C_SOURCE 200809L
#include "json.h"
#include "plot/plot.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* In the order of the choices of --kind. */
static const struct {
    const char *name;
    int most; /* operands */
    int (*run)(cli *c);
} kinds[] = {{"map", 2, plot_map}, {"curve", INT_MAX, plot_curve}, {"response", 2, plot_response}};

const char *plot_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void report(const cli *c, const plot_figure *figure, int figures)
{
    json j = {.to = c->out};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "picture", c->values.text[OPT_OUTPUT]);
    json_put_text(&j, "kind", option_text(&c->values, OPT_KIND));
    for (int i = 0; i < figures; i++)
        if (figure[i].whole)
            json_put_integer(&j, figure[i].name, (int64_t)figure[i].value);
        else
            json_put_real(&j, figure[i].name, figure[i].value);
    json_put_close(&j, '}');
    fputc('\n', c->out);
}

int plot_finish(const cli *c, const chart *picture, const plot_figure *figure, int figures)
{
    const char *path = c->values.text[OPT_OUTPUT];
    const int code = chart_write(picture, path);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_JSON))
        report(c, figure, figures);
    else if (!option_on(&c->values, OPT_QUIET) && isatty(STDERR_FILENO))
        fprintf(stderr, "the picture is in %s\n", path);
    return DONE;
}

int cmd_plot(cli *c)
{
    const int kind = option_choice(&c->values, OPT_KIND);
    const char *path = c->values.text[OPT_OUTPUT];
    if (!path || strcmp(path, "-") == 0) {
        complain("'wgdn plot' wants -o FILE: a picture, .png, .svg or .pdf");
        return USAGE;
    }
    if (c->operands > kinds[kind].most) {
        complain("'wgdn plot --kind %s' does not know what to do with '%s'", kinds[kind].name,
                 c->operand[kinds[kind].most]);
        return USAGE;
    }
    int code = chart_check(path);
    if (code == DONE) code = deliver_check(path);
    return code == DONE ? kinds[kind].run(c) : code;
}
