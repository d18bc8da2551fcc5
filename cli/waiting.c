/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait sleep, and those that nobody asked for are not there.
 *
 * GNU OpenMP lets waiting threads spin for milliseconds, which on a busy machine takes the processor
 * from the thread that is waited for. OpenBLAS starts threads when it is loaded, which take 128 MB of
 * address space each; where that much is not allowed they try again for ever, and the program cannot
 * end. Both read the environment in their own initialisers, before any code of a program that is
 * linked to them, save one kind: functions of .preinit_array run before all initialisers of shared
 * libraries. But the C library has no environment by then that could be changed, so the program
 * starts itself again, once, with the variables set. That costs a second round of the dynamic
 * loader, about 5 ms.
 *
 * Whatever a user has set stays as it is, and so does everything where this cannot be done.
 */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && defined(__GLIBC__) && !defined(WGDN_SANITIZED)

enum { ENTRIES_MAX = 1 << 14, PATH = 4096 };

static int names(const char *entry, const char *const *list)
{
    for (; *list; list++) {
        const size_t length = strlen(*list);
        if (strncmp(entry, *list, length) == 0 && entry[length] == '=') return 1;
    }
    return 0;
}

/* What is set unless one of the variables beside it is there. */
static const char *const waiting[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", NULL};
static const char *const blas[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", NULL};
static char passive[] = "OMP_WAIT_POLICY=passive";
static char single[] = "OPENBLAS_NUM_THREADS=1"; /* we call it with one thread in any case */

static void start_again(int argc, char **argv, char **environment)
{
    char *with[ENTRIES_MAX + 3], path[PATH];
    size_t count = 0;
    int waits = 0, multiplies = 0;
    (void)argc;
    for (; environment[count]; count++) {
        if (count == ENTRIES_MAX) return;
        with[count] = environment[count];
        waits |= names(with[count], waiting);
        multiplies |= names(with[count], blas);
    }
    if (waits && multiplies) return;
    if (!waits) with[count++] = passive;
    if (!multiplies) with[count++] = single;
    with[count] = NULL;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = '\0';
    (void)execve(path, argv, with);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = start_again;

#endif
