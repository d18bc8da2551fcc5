/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn doctor`, which lists the features of this build and this machine and suggests
 * improvements. The facts come from base/machine.c through the public interface.
 */
#include "chart/chart.h"
#include "cli.h"
#include "commit.h"
#include "files.h"
#include "terminal.h"

#include <stdarg.h>
#include <string.h>

static const char *level_words(const char *level)
{
    if (strcmp(level, "v4") == 0) return "AVX-512";
    if (strcmp(level, "v3") == 0) return "AVX2 and FMA";
    return strcmp(level, "base") == 0 ? "128-bit vectors" : "plain C, no vectors";
}

static const char *bf16_words(const char *unit)
{
    if (strcmp(unit, "amx") == 0) return "matrix units: --precision bf16 is several times faster";
    if (strcmp(unit, "avx512") == 0) return "AVX-512: --precision bf16 is faster";
    return "no unit for it: --precision bf16 works, but is no faster";
}

enum { ADVICE_MAX = 16, ADVICE_TEXT = 256 };

typedef struct advice {
    int count;
    char text[ADVICE_MAX][ADVICE_TEXT];
} advice;

__attribute__((format(printf, 2, 3))) static void add(advice *a, const char *format, ...)
{
    va_list args;
    if (a->count == ADVICE_MAX) return;
    va_start(args, format);
    vsnprintf(a->text[a->count++], ADVICE_TEXT, format, args);
    va_end(args);
}

/* Of the library, and after these what the program has besides; NULL after the last. */
static const wgdn_build_feature *feature(int i)
{
    int library = 0;
    while (wgdn_build_get_feature(library))
        library++;
    return i < library ? wgdn_build_get_feature(i) : i == library ? chart_feature() : NULL;
}

/* Everything that could be better, and what to do about it. */
static void advise(advice *a, const wgdn_machine *m)
{
    if (strcmp(m->cpu_best, m->cpu_used) != 0)
        add(a, "WGDN_CPU holds the program to %s where %s is there: unset it", m->cpu_used,
            m->cpu_best);
    if (strcmp(m->huge_pages, "never") == 0)
        add(a, "huge pages are off, which costs 10 to 30 %%: "
               "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
    if (m->threads > m->cpus)
        add(a, "%d threads on %d cores (%s) compete: unset OMP_NUM_THREADS", m->threads, m->cpus,
            m->cpu_limit);
    for (int i = 0; feature(i); i++) {
        const wgdn_build_feature *f = feature(i);
        if (!f->present)
            add(a, "%s is not built in (%s): install %s and build again", f->name, f->purpose,
                f->package);
    }
}

/* "auto|a|b" as the table of options has it, without the first: "a, b" */
static void print_formats(FILE *to, const char *name, option_id id)
{
    const char *at = strchr(option_get(id)->row.choices, '|') + 1;
    fprintf(to, "%-12s  ", name);
    for (; *at; at++)
        fputs(*at == '|' ? ", " : (char[]){*at, '\0'}, to);
    fputc('\n', to);
}

static void print_json(FILE *to, const wgdn_machine *m, const advice *a)
{
    json j = json_begin(to);
    json_put_text(&j, "version", wgdn_version());
    json_put_text(&j, "commit", WGDN_COMMIT);
    json_put_open(&j, "cpu", '{');
    json_put_text(&j, "best", m->cpu_best);
    json_put_text(&j, "used", m->cpu_used);
    json_put_close(&j, '}');
    json_put_text(&j, "engine", m->engine);
    json_put_text(&j, "bf16", m->bf16);
    json_put_integer(&j, "cores", m->cores);
    json_put_integer(&j, "threads", m->threads);
    json_put_open(&j, "cpus", '{');
    json_put_integer(&j, "usable", m->cpus);
    json_put_text(&j, "limit", m->cpu_limit);
    json_put_integer(&j, "ranks", m->ranks);
    json_put_close(&j, '}');
    json_put_open(&j, "memory", '{');
    json_put_integer(&j, "total", m->memory_total);
    json_put_integer(&j, "available", m->memory_available);
    json_put_text(&j, "limit", m->memory_limit);
    json_put_text(&j, "huge_pages", m->huge_pages);
    json_put_close(&j, '}');
    json_put_open(&j, "features", '{');
    for (int i = 0; feature(i); i++)
        json_put_bool(&j, feature(i)->name, feature(i)->present);
    json_put_close(&j, '}');
    json_put_open(&j, "advice", '[');
    for (int i = 0; i < a->count; i++)
        json_put_text(&j, NULL, a->text[i]);
    json_put_close(&j, ']');
    json_end(&j);
}

static void print_text(FILE *to, const wgdn_machine *m, const advice *a)
{
    char total[32], available[32];
    show_bytes(total, sizeof total, m->memory_total);
    show_bytes(available, sizeof available, m->memory_available);
    fprintf(to, "version       %s\n", wgdn_version());
    fprintf(to, "processor     %s (%s)\n", m->cpu_best, level_words(m->cpu_best));
    fprintf(to, "in use        %s (%s)\n", m->cpu_used, level_words(m->cpu_used));
    fprintf(to, "dense engine  %s\n", m->engine);
    fprintf(to, "bf16          %s (%s)\n", m->bf16, bf16_words(m->bf16));
    fprintf(to, "threads       %d, on %d cores of %d (limit: %s)\n", m->threads, m->cpus, m->cores,
            m->cpu_limit);
    fprintf(to, "memory        %s, %s available (limit: %s)\n", total, available, m->memory_limit);
    fprintf(to, "huge pages    %s\n", m->huge_pages);
    print_formats(to, "reads", OPT_FORMAT);
    print_formats(to, "writes", OPT_CONVERT_TO);
    for (int i = 0; feature(i); i++) {
        const wgdn_build_feature *f = feature(i);
        fprintf(to, "%-12s  %s (%s)\n", f->name, f->present ? "built in" : "missing", f->purpose);
    }
    fputs("\nadvice\n", to);
    for (int i = 0; i < a->count; i++)
        fprintf(to, "  %s\n", a->text[i]);
    if (a->count == 0) fputs("  nothing is missing\n", to);
}

static int doctor(cli *c)
{
    const wgdn_machine m = machine_info();
    advice a = {0};
    advise(&a, &m);
    if (option_on(&c->values, OPT_JSON))
        print_json(c->out, &m, &a);
    else
        print_text(c->out, &m, &a);
    return DONE;
}

const command cmd_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "show what this machine and this build support",
    .text = "Print version, processor and the instruction set in use, threads, memory and which "
            "limit they come from (a control group, ulimit, the machine), huge pages "
            "and the optional features of this build, and advise on what is missing.",
    .example = "wgdn doctor",
    .options = TAKES(OPT_OUTPUT, OPT_JSON),
    .run = doctor,
};
