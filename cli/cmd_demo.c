/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements `wgdn demo`: it writes a small graph of countries to files and runs commands that
 * embed, search, evaluate and plot it. demo_borders.c has the data; each step goes through
 * run_words() in main.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "demo_borders.h"

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

static int write_text(const char *path, char *(*text)(size_t *size))
{
    size_t size = 0;
    char *data = text(&size);
    int code = DOES_NOT_FIT;
    if (data)
        code = deliver(path, data, size);
    else
        complain("out of memory for %s", path);
    free(data);
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

static const char *in(char path[PATH], const char *folder, const char *name)
{
    snprintf(path, PATH, "%s/%s", folder, name);
    return path;
}

static int demo(cli *c)
{
    const char *folder = c->operands ? c->operand[0] : "wgdn-demo";
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
    if (strlen(folder) > PATH - 32) {
        complain("%s: the name is too long", folder);
        return USAGE;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: cannot be created: %s", folder, strerror(errno));
        return FAILED;
    }
    int code = write_text(borders, demo_borders);
    if (code == DONE) code = write_text(continents, demo_continents);
    if (code != DONE) return code;
    printf("%s: which countries share a border; %s: where they lie\n", borders, continents);
    for (int i = 0; i < STEPS && code == DONE; i++)
        code = step(c, steps[i]);
    if (code == DONE)
        printf(
            "\nNow with a graph of your own: 'wgdn embed FILE -o vectors.tsv'. 'wgdn --help' lists "
            "what else there is.\n");
    return code;
}

const command cmd_demo = {
    .name = "demo",
    .operands = "[FOLDER]",
    .max_operands = 1,
    .operand = {{.files = "/"}},
    .summary = "make vectors of a small graph, and show every step",
    .text = "Write a small graph into FOLDER (wgdn-demo), the countries of the world and their "
            "borders on land, then run the commands that turn it into vectors, find the nearest "
            "neighbors of a few, tell how well the vectors know the continents, and draw a map. "
            "Each command is shown as it would be typed.",
    .example = "wgdn demo",
    .options = TAKES(OPT_QUIET),
    .run = demo,
};
