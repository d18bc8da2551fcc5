/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts the program: it holds the table of commands, parses the command line, prepares ranks, runs
 * one command, and reports mapped files that change meanwhile. `wgdn demo` runs further commands through run_words().
 */
#define _GNU_SOURCE
#include "cli.h"
#include "files.h"
#include "memory_file.h"
#include "ranks_report.h"
#include "terminal.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

/*
 * The C library keeps 64 MB of addresses for each thread that allocates: with a limit, for one. Of what is freed it
 * keeps more the more is freed, up to 32 MB a block; what is large is to go back to the system.
 */
static void spare_memory(void)
{
    enum { LARGE = 1 << 20 };
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
#ifdef M_ARENA_MAX
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        (void)mallopt(M_ARENA_MAX, 1);
#endif
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

/*
 * By default GNU OpenMP lets waiting threads spin for milliseconds, which on a busy machine takes the processor from the
 * thread that is waited for. It reads the variable when it is loaded, before main, so the program starts once more.
 * OpenBLAS is loaded later, if at all; its threads are never used.
 */
static void wait_asleep(char **argv)
{
    char path[4096];
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 0);
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
    path[length] = '\0';
    (void)execv(path, argv);
}

/*
 * Two faults are not the program's own. SIGBUS on a mapped file: another process truncated it. SIGSEGV while a mapped
 * file has changed since the start: its numbers were checked, and are different now. Both end with a message and an exit
 * code; outputs are renamed into place at the very end, so existing files stay whole. Other faults end the process.
 */

static struct timespec began;                    /* as files have it */
static struct sigaction former_bus, former_segv; /* the system's, or a sanitizer's */

static void print(const char *text)
{
    const ssize_t said = write(STDERR_FILENO, text, strlen(text));
    (void)said;
}

static _Noreturn void end_program(int code)
{
    lock_forget();
    _exit(code);
}

/* The number before `end`, in hexadecimal, as /proc/self/maps has them. */
static uintptr_t address(const char **at, char end)
{
    uintptr_t x = 0;
    for (; **at && **at != end; (*at)++)
        x = x * 16 + (uintptr_t)(**at <= '9' ? **at - '0' : **at - 'a' + 10);
    if (**at) (*at)++;
    return x;
}

/* Whether a line of /proc/self/maps, of such a file, is what is looked for. */
typedef bool wanted(const char *line, const char *file, uintptr_t where);

static bool is_about(const char *line, const char *file, uintptr_t where)
{
    const uintptr_t first = address(&line, '-'), end = address(&line, ' ');
    (void)file;
    return where >= first && where < end;
}

/* Data, not code, of a file that was written to since the start. */
static bool is_changed(const char *line, const char *file, uintptr_t where)
{
    struct stat s;
    const char *rights = strchr(line, ' ');
    (void)where;
    if (!rights || rights[3] == 'x' || stat(file, &s) != 0 || !S_ISREG(s.st_mode)) return false;
    return s.st_mtim.tv_sec > began.tv_sec ||
           (s.st_mtim.tv_sec == began.tv_sec && s.st_mtim.tv_nsec > began.tv_nsec);
}

/* The mapped file that is wanted, in `name`; false without one. Safe in a handler: system calls and
 * memory of the stack alone. */
static bool find_file(char *name, size_t size, wanted *is_it, uintptr_t where)
{
    char line[4400], block[1024];
    size_t used = 0;
    ssize_t got;
    const char *file = NULL;
    bool found = false;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && !found && (got = read(fd, block, sizeof block)) > 0)
        for (ssize_t i = 0; i < got && !found; i++) {
            if (block[i] != '\n') {
                if (used < sizeof line - 1) line[used++] = block[i];
                continue;
            }
            line[used] = '\0';
            used = 0;
            file = strchr(line, '/');
            found = file && is_it(line, file, where);
        }
    if (fd >= 0) close(fd);
    const size_t length = found ? strlen(file) : size;
    if (length >= size) return false;
    memcpy(name, file, length + 1);
    return true;
}

static void report_truncated(int number, siginfo_t *info, void *context)
{
    char name[4200];
    (void)context;
    if (info->si_code == BUS_ADRERR &&
        find_file(name, sizeof name, is_about, (uintptr_t)info->si_addr)) {
        print("wgdn: ");
        print(name);
        print(
            ": was cut short while it was in use; nothing was written. Restore it and run again\n");
        end_program(BAD_INPUT);
    }
    sigaction(number, &former_bus, NULL); /* comes again, and ends the process */
}

static void report_changed(int number, siginfo_t *info, void *context)
{
    char name[4200];
    (void)info, (void)context;
    if (find_file(name, sizeof name, is_changed, 0)) {
        print("wgdn: ");
        print(name);
        print(": was changed while it was in use; nothing was written. Run again\n");
        end_program(BAD_INPUT);
    }
    sigaction(number, &former_segv, NULL);
}

static void watch_faults(void)
{
    static char other[1 << 16]; /* the stack may be what is full */
    const stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    struct stat self;
    if (stat("/proc/self", &self) == 0) began = self.st_mtim;
    (void)sigaltstack(&stack, NULL);
    action.sa_sigaction = report_truncated;
    sigaction(SIGBUS, &action, &former_bus);
    action.sa_sigaction = report_changed;
    sigaction(SIGSEGV, &action, &former_segv);
}

int main(int argc, char **argv)
{
    cli c = {.commands = commands};
    wait_asleep(argv);
    spare_memory();
    interrupt_watch(lock_forget);
    watch_faults();
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
