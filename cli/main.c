/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts the program: it holds the table of commands, parses the command line, prepares ranks, and runs
 * one command. `wgdn demo` runs further commands through run_words().
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "files.h"
#include "process.h"
#include "ranks_report.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

/* In the order of help. */
static const command *const commands[] = {
    &cmd_demo, &cmd_info,     &cmd_convert, &cmd_fit,        &cmd_train,   &cmd_embed,
    &cmd_eval, &cmd_similar,  &cmd_predict, &cmd_recommend,  &cmd_cluster, &cmd_compare,
    &cmd_plot, &cmd_estimate, &cmd_doctor,  &cmd_completion, &cmd_help,    NULL,
};

static int unknown_command(const char *name)
{
    guess g = {.word = name};
    for (const command *const *d = commands; *d; d++)
        guess_offer(&g, (*d)->name);
    if (g.best)
        complain("unknown command '%s'; did you mean '%s'?", name, g.best);
    else
        complain("unknown command '%s'", name);
    complain("'wgdn --help' lists the commands");
    return USAGE;
}

/* Options in front of the command: --help and --version. */
static int run_bare(cli *c, int count, const char **word)
{
    const int code = parse_arguments(c, count, word);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_VERSION)) {
        fprintf(c->out, "wgdn %s\n", wgdn_version());
    } else if (option_on(&c->values, OPT_HELP)) {
        print_program_help(c, c->out);
    } else {
        complain("no command was given");
        complain("'wgdn --help' lists the commands");
        return USAGE;
    }
    return DONE;
}

/* OMP_NUM_THREADS=1000000 would end in OpenMP itself, so the library does not listen to it. */
static void remark_threads(const cli *c)
{
    const char *said = getenv("OMP_NUM_THREADS");
    if (!said || strlen(said) < 2) return;
    const wgdn_machine m = machine_info();
    if (atol(said) > m.threads_max)
        remark(c,
               "OMP_NUM_THREADS=%s: no more than %d threads can be started (limit: %s); %d are "
               "used",
               said, m.threads_max, m.threads_limit, m.threads);
}

/* Everything before the command runs. *left: there is something to run. */
static int prepare(cli *c, int count, const char **word, bool *left)
{
    int code = DONE;
    if (count == 0 || word[0][0] == '-') return run_bare(c, count, word);
    c->command = command_find(commands, word[0]);
    if (!c->command) return unknown_command(word[0]);
    code = parse_arguments(c, count - 1, word + 1);
    if (code != DONE) return code;
    const bool all = option_on(&c->values, OPT_HELP_ALL);
    if (all || option_on(&c->values, OPT_HELP)) {
        print_command_help(c->command, all, c->out);
        return DONE;
    }
    wgdn_ranks_set_timeout(c->ranks, atoi(option_text(&c->values, OPT_RANK_TIMEOUT)));
    *left = true;
    /* What ranks do not share is done by the root rank alone. */
    if (!c->command->ranks && !is_root(c)) return DONE;
    remark_threads(c);
    code = outputs_check(c);
    return code == DONE ? input_open(c) : code;
}

/* The command by its place in the table; 0: none is left to run. */
static int command_number(const cli *c, bool left)
{
    int i = 0;
    while (left && commands[i] != c->command)
        i++;
    return left ? i + 1 : 0;
}

/* The library looks at it only where it reads data. */
static int check_environment(void)
{
    const char *text = getenv("WGDN_MEMORY");
    wgdn_error err = {0};
    int64_t unused;
    if (!text || !*text || !wgdn_size_parse(&unused, text, &err)) return DONE;
    complain("WGDN_MEMORY: %s", err.message);
    return USAGE;
}

static int run(cli *c, int count, const char **word)
{
    bool left = false;
    int code = ranks_code(c, prepare(c, count, word, &left));
    if (code == DONE) code = ranks_same(c, command_number(c, left), "the command");
    if (code == DONE && left) code = ranks_code(c, check_environment());
    if (code != DONE || !left || (!c->command->ranks && !is_root(c))) return code;
    return c->command->run(c);
}

/* From words to output. Data waits in memory until the command is through: a failure leaves no half
 * of it. */
static int run_whole(cli *c, int count, const char **word)
{
    held text;
    int code = FAILED, delivered = DONE;
    c->operand = calloc((size_t)count + 1, sizeof *c->operand);
    c->out = held_open(&text) ? text.to : NULL;
    if (c->operand && c->out) {
        code = run(c, count, word);
    } else {
        complain("out of memory at the start");
        code = ranks_code(c, FAILED);
    }
    if (!held_close(&text)) {
        if (c->out) complain("out of memory for the output");
        if (c->out) code = DOES_NOT_FIT;
    } else if (text.size > 0 && is_root(c)) {
        delivered = deliver(option_text(&c->values, OPT_OUTPUT), text.data, text.size);
    }
    lock_release();
    free(text.data);
    free(c->reading);
    free(c->encoding);
    free(c->operand);
    return code == DONE ? delivered : code;
}

int run_words(const cli *c, int count, const char **word)
{
    cli next = {.commands = c->commands, .ranks = c->ranks};
    return run_whole(&next, count, word);
}

/* --rank-timeout limits the start, too, which comes before the options are read: its seconds, or the default. */
static double start_limit(int count, char **word)
{
    static const char name[] = "--rank-timeout";
    const size_t length = sizeof name - 1;
    double seconds = 600;
    for (int i = 1; i < count && word[i]; i++) {
        if (strncmp(word[i], name, length) != 0) continue;
        const char *text = word[i][length] == '=' ? word[i] + length + 1
                           : !word[i][length]     ? word[i + 1]
                                                  : NULL;
        if (text && atoi(text) >= 0) seconds = atoi(text);
    }
    return seconds;
}

int main(int argc, char **argv)
{
    cli c = {.commands = commands};
    process_prepare(argv, lock_forget, BAD_INPUT);
    interrupt_watch(lock_forget);
    if (wgdn_ranks_open_within(&c.ranks, start_limit(argc, argv), NULL)) {
        complain("out of memory at the start");
        return FAILED;
    }
    if (!is_root(&c)) {
        complain_no_more();
        interrupt_silence();
    }
    if (wgdn_ranks_count(c.ranks) > 1) complaints_keep();
    int code = run_whole(&c, argc > 0 ? argc - 1 : 0, (const char **)argv + 1);
    complaints_print("", complaints_kept()); /* what only the root rank did */
    if (!is_root(&c)) code = DONE;           /* the root rank returns it */
    wgdn_ranks_close(c.ranks);
    return code;
}
