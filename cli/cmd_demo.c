/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn demo`: it writes sample data to files; for the graph of countries it also runs
 * commands that embed, search, evaluate and plot it. demo_data.c has the data; each step goes
 * through run_words() in main.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "demo_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS = 12, PATH = 4096 };

#ifdef WGDN_HAVE_CAIRO
enum { STEPS = 4 };
#else
enum { STEPS = 3 }; /* no picture */
#endif

static const char *in(char path[PATH], const char *folder, const char *name)
{
    snprintf(path, PATH, "%s/%s", folder, name);
    return path;
}

/* Writes the files of a set into a folder, which may exist, and prints what they hold. */
static int write_set(const demo_set *set, const char *folder)
{
    int code = DONE;
    if (strlen(folder) > PATH - 32) {
        complain("%s: the name is too long", folder);
        return USAGE;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: cannot be created: %s", folder, strerror(errno));
        return FAILED;
    }
    for (int i = 0; i < DEMO_FILES && set->files[i].name && code == DONE; i++) {
        char path[PATH];
        size_t size = 0;
        char *text = demo_file_text(&set->files[i], &size);
        in(path, folder, set->files[i].name);
        if (text)
            code = deliver(path, text, size);
        else {
            complain("out of memory for %s", path);
            code = DOES_NOT_FIT;
        }
        free(text);
        if (code == DONE) printf("%s: %s\n", path, set->files[i].about);
    }
    return code;
}

/* A word as it has to be typed. */
static void put_word(FILE *to, const char *word)
{
    fprintf(to, strpbrk(word, " '") ? " '%s'" : " %s", word);
}

/* Show a command, and run it. */
static int step(const cli *c, const char *const *word)
{
    int count = 0;
    fputs("\n$ wgdn", stdout);
    for (; word[count]; count++)
        put_word(stdout, word[count]);
    fputc('\n', stdout);
    fflush(stdout);
    return run_words(c, count, (const char **)(uintptr_t)word);
}

/* The commands on the graph of countries. */
static int run_steps(const cli *c, const char *folder)
{
    int code = DONE;
    char borders[PATH], continents[PATH], vectors[PATH], picture[PATH];
    in(borders, folder, "borders.csv");
    in(continents, folder, "continents.csv");
    in(vectors, folder, "countries.tsv");
    in(picture, folder, "countries.png");
    const char *const steps[][WORDS] = {
        {"embed", borders, "--dim", "32", "-o", vectors},
        {"similar", vectors, "France", "Nepal", "Chad", "--count", "4"},
        {"eval", vectors, borders, "--labels", continents},
        {"plot", vectors, "--labels", continents, "--title", "Countries by their borders", "-o",
         picture},
    };
    for (int i = 0; i < STEPS && code == DONE; i++)
        code = step(c, steps[i]);
    if (code == DONE)
        printf(
            "\nNow with a graph of your own: 'wgdn embed FILE -o vectors.tsv'. 'wgdn --help' lists "
            "what else there is.\n");
    return code;
}

static int demo(cli *c)
{
    const demo_set *set = c->operands ? demo_find_set(c->operand[0]) : NULL;
    if (!set && wgdn_ranks_count(c->ranks) > 1) {
        complain("'wgdn demo' runs commands that ranks share; run it without mpirun");
        return USAGE;
    }
    if (!set && c->operands < 2) {
        const char *folder = c->operands ? c->operand[0] : "wgdn-demo";
        const int code = write_set(demo_get_set(0), folder);
        return code == DONE ? run_steps(c, folder) : code;
    }
    if (!set) {
        complain("%s: no sample data has this name; 'wgdn demo --help' lists the names",
                 c->operand[0]);
        return USAGE;
    }
    return write_set(set, c->operands > 1 ? c->operand[1] : set->name);
}

const command cmd_demo = {
    .name = "demo",
    .operands = "[NAME] [FOLDER]",
    .max_operands = 2,
    .operand = {{.choices = "countries|friends|transactions|purchases|articles|molecules",
                 .files = "/"},
                {.files = "/"}},
    .summary = "write sample data, or show every step on a small graph",
    .text =
        "Without NAME: write a small graph into FOLDER (wgdn-demo), the countries of the world and "
        "their borders on land, then run the commands that turn it into vectors, find the nearest "
        "neighbors of a few, report how well the vectors predict the continents, and draw a map. "
        "Each command is shown as it would be typed.\n\n"
        "With NAME: write sample data into FOLDER (NAME), and run nothing. All but the countries "
        "are "
        "made up, the same on every machine: countries; friends, edges alone; transactions "
        "between accounts, with a table of accounts; purchases; articles, texts with links; "
        "molecules, "
        "a set of graphs.",
    .example = "wgdn demo\n"
               "wgdn demo transactions",
    .options = TAKES(OPT_QUIET),
    .run = demo,
};
