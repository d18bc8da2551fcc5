/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two faults are not the program's own. SIGBUS on a mapped file: another process truncated it. SIGSEGV while a mapped
 * file has changed since the start: its numbers were checked, and are different now. Both end with a message and an exit
 * code; outputs are renamed into place at the very end, so existing files stay whole. Other faults end the process.
 */
#define _GNU_SOURCE
#include "crash.h"
#include "cli.h"
#include "outputs.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void crash_watch(void)
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
