/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn: a table of commands, and what they have in common. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "crash.h"
#include "input.h"
#include "interrupt.h"
#include "outputs.h"

#include <stdlib.h>

/* In the order of help. */
static const command *const commands[] = {
    &cmd_info, &cmd_convert,   &cmd_fit,      &cmd_train,  &cmd_embed,      &cmd_eval, &cmd_similar,
    &cmd_plot, &cmd_reproduce, &cmd_estimate, &cmd_doctor, &cmd_completion, &cmd_help, NULL,
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

static int run(cli *c, int count, const char **word)
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
    /* What ranks do not share is done by the root rank alone. */
    if (!c->command->ranks && !is_root(c)) return DONE;
    code = outputs_check(c);
    if (code == DONE) code = input_open(c);
    return code == DONE ? c->command->run(c) : code;
}

bool is_root(const cli *c)
{
    return wgdn_ranks_rank(c->ranks) == 0;
}

int ranks_code(const cli *c, int code)
{
    return wgdn_ranks_allreduce_max(c->ranks, code);
}

int main(int argc, char **argv)
{
    cli c = {.commands = commands};
    char *data = NULL;
    size_t size = 0;
    int code = FAILED, delivered = DONE;

    interrupt_watch();
    crash_watch();
    if (wgdn_ranks_open(&c.ranks, NULL)) {
        complain("out of memory at the start");
        return FAILED;
    }
    if (!is_root(&c)) {
        complain_no_more();
        interrupt_silence();
    }
    c.operand = calloc((size_t)argc + 1, sizeof *c.operand);
    c.out = open_memstream(&data, &size);
    if (!c.operand || !c.out) {
        complain("out of memory at the start");
        goto done;
    }
    /* Data waits in memory until the command is through: a failure leaves no half of it. */
    code = run(&c, argc > 0 ? argc - 1 : 0, (const char **)argv + 1);
    if (fclose(c.out) != 0) {
        complain("out of memory for the output");
        code = DOES_NOT_FIT;
    }
    c.out = NULL;
    if (size > 0 && is_root(&c))
        delivered = deliver(option_text(&c.values, OPT_OUTPUT), data, size);
    if (code == DONE) code = delivered;

done:
    if (c.out) fclose(c.out);
    free(data);
    free(c.encoding);
    free(c.operand);
    if (!is_root(&c)) code = DONE; /* the root rank tells it */
    wgdn_ranks_close(c.ranks);
    return code;
}
