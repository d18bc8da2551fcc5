/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the operating system for what POSIX lacks: memory files, waiting threads that sleep, mapped files after a fault.
 * The second half takes its place on systems other than Linux, and on Linux in the preset posix.
 */
#if defined(__linux__) && !defined(WGDN_POSIX_ALONE)
#define ON_LINUX
#define _GNU_SOURCE /* fopencookie, memfd_create */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ON_LINUX

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

/*
 * The stream reports when memory runs out. The open_memstream() of glibc 2.36 drops data silently then, and neither
 * ferror() nor fclose() report it; charts, the demo and main.c need to know.
 */
static ssize_t put(void *cookie, const char *data, size_t size)
{
    held *h = cookie;
    if (h->room - h->size <= size) { /* a NUL goes behind it */
        const size_t room = 2 * (h->size + size) + 1;
        char *wider = room / 2 >= size ? realloc(h->data, room) : NULL;
        if (!wider) {
            h->broken = true;
            return 0;
        }
        h->data = wider;
        h->room = room;
    }
    memcpy(h->data + h->size, data, size);
    h->size += size;
    h->data[h->size] = '\0';
    return (ssize_t)size;
}

bool held_open(held *h)
{
    *h = (held){.to = NULL};
    h->to = fopencookie(h, "w", (cookie_io_functions_t){.write = put});
    return h->to != NULL;
}

int open_buffer(void)
{
    return memfd_create("wgdn", MFD_CLOEXEC);
}

/* ---- the start ---- */

/*
 * By default GNU OpenMP lets waiting threads spin for milliseconds, which on a busy machine takes the processor from the
 * thread that is waited for. It reads the variable when it is loaded, before main, so the program starts once more.
 */
static void wait_asleep(char **argv)
{
    char path[4096];
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
    path[length] = '\0';
    (void)execv(path, argv);
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

/*
 * Two faults are not the program's own. SIGBUS on a mapped file: another process truncated it. SIGSEGV while a mapped
 * file has changed since the start: its numbers were checked, and are different now. Both end with a message and an exit
 * code; outputs are renamed into place at the very end, so existing files stay whole. Other faults end the process.
 */

static struct timespec began;                    /* as files have it */
static struct sigaction former_bus, former_segv; /* the system's, or a sanitizer's */
static void (*last_step)(void);                  /* before the end by a fault, with fault_code */
static int fault_code;

static void print(const char *text)
{
    const ssize_t said = write(STDERR_FILENO, text, strlen(text));
    (void)said;
}

static _Noreturn void end_program(void)
{
    last_step();
    _exit(fault_code);
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
        end_program();
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
        end_program();
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

void process_prepare(char **argv, void (*before_end)(void), int code)
{
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 0);
    wait_asleep(argv);
    spare_memory();
    last_step = before_end;
    fault_code = code;
    watch_faults();
}

#else

bool held_open(held *h)
{
    *h = (held){.to = NULL};
    h->to = open_memstream(&h->data, &h->size);
    return h->to != NULL;
}

int open_buffer(void)
{
    FILE *f = tmpfile();
    const int fd = f ? dup(fileno(f)) : -1;
    if (f) fclose(f);
    return fd;
}

void process_prepare(char **argv, void (*before_end)(void), int code)
{
    (void)argv, (void)before_end, (void)code;
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

#endif

bool held_close(held *h)
{
    const bool broken = !h->to || ferror(h->to);
    const bool closed = h->to && fclose(h->to) == 0;
    h->to = NULL;
    return closed && !broken && !h->broken;
}
