/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library for LD_PRELOAD that fails one call of a program, whichever of its libraries makes it:
 * the n-th that takes memory or does input or output, counted from main() on.
 *
 *   FAULT_AT=n      fail call n, n >= 1
 *   FAULT_REPORT=f  append to f what failed, "call library function"; without FAULT_AT all calls
 *
 * tests/long/faults drives it. Calls within the C library itself (the write of fflush) are not seen,
 * so those of stdio are failed as a whole.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own memory calls: dlsym() would need memory to find them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static atomic_bool counting;
static atomic_long calls, at = -1;

/* Appended at once when something failed; a list is long, so it waits for a full buffer. */
static void report(const char *text, bool now)
{
    static char list[1 << 16];
    static size_t used;
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    const char *path = getenv("FAULT_REPORT");
    const size_t length = strlen(text);
    while (atomic_flag_test_and_set(&taken))
        ;
    if (used + length > sizeof list || now) {
        const int fd =
            path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600)
                 : -1;
        (void)!syscall(SYS_write, fd, list, used);
        if (now) (void)!syscall(SYS_write, fd, text, length);
        if (fd >= 0) syscall(SYS_close, fd);
        used = 0;
    }
    if (!now) {
        memcpy(list + used, text, length);
        used += length;
    }
    atomic_flag_clear(&taken);
}

static void finish(void)
{
    atomic_store(&counting, false);
    if (atomic_load(&at) < 0) report("", true);
}

/* Whether this call is the one; `who` is where it came from. */
static bool fails(const char *name, void *who)
{
    static _Thread_local bool inside; /* dladdr() and snprintf() may call us */
    if (!atomic_load(&counting) || inside) return false;
    const long n = atomic_fetch_add(&calls, 1) + 1, bad = atomic_load(&at);
    if (bad >= 0 && n != bad) return false;
    char text[300];
    Dl_info info = {0};
    inside = true;
    const char *file = dladdr(who, &info) && info.dli_fname ? info.dli_fname : "?";
    const char *slash = strrchr(file, '/');
    snprintf(text, sizeof text, "%s %s %s\n", name, slash ? slash + 1 : file,
             info.dli_sname ? info.dli_sname : "-");
    report(text, n == bad);
    inside = false;
    return n == bad;
}
#define FAILS(name) fails(name, __builtin_return_address(0))

static int (*real_main)(int, char **, char **);

static int counted_main(int count, char **word, char **environment)
{
    const char *n = getenv("FAULT_AT");
    atomic_store(&at, n ? atol(n) : -1);
    atexit(finish);
    atomic_store(&counting, true);
    return real_main(count, word, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **word,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end)
{
    int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *);
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return next(counted_main, count, word, init, fini, rtld_fini, stack_end);
}

/* ---- memory ---- */

#define NO_MEMORY(name, bad) \
    do {                     \
        if (FAILS(name)) {   \
            errno = ENOMEM;  \
            return bad;      \
        }                    \
    } while (0)

void *malloc(size_t size)
{
    NO_MEMORY("malloc", NULL);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    NO_MEMORY("calloc", NULL);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    NO_MEMORY("realloc", NULL);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    NO_MEMORY("aligned_alloc", NULL);
    return __libc_memalign(align, size);
}

void *memalign(size_t align, size_t size)
{
    NO_MEMORY("memalign", NULL);
    return __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (FAILS("posix_memalign")) return ENOMEM;
    void *block = __libc_memalign(align, size);
    if (!block) return ENOMEM;
    *out = block;
    return 0;
}

void *mmap(void *where, size_t size, int protection, int flags, int fd, off_t offset)
{
    NO_MEMORY("mmap", MAP_FAILED);
    return (void *)syscall(SYS_mmap, where, size, protection, flags, fd, offset);
}

int mprotect(void *where, size_t size, int protection)
{
    NO_MEMORY("mprotect", -1);
    return (int)syscall(SYS_mprotect, where, size, protection);
}

/* ---- files ---- */

#define BROKEN(name, why, bad) \
    do {                       \
        if (FAILS(name)) {     \
            errno = why;       \
            return bad;        \
        }                      \
    } while (0)

/* The call behind ours. */
#define NEXT(type, name, ...)         \
    static type (*next)(__VA_ARGS__); \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPENS(name)                                                   \
    int name(const char *path, int flags, ...)                        \
    {                                                                 \
        va_list more;                                                 \
        BROKEN("open", EIO, -1);                                      \
        va_start(more, flags);                                        \
        const mode_t mode = mode_of(flags, more);                     \
        va_end(more);                                                 \
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define FOPENS(name)                                    \
    FILE *name(const char *path, const char *mode)      \
    {                                                   \
        NEXT(FILE *, name, const char *, const char *); \
        BROKEN("fopen", EMFILE, NULL);                  \
        return next(path, mode);                        \
    }
FOPENS(fopen)
FOPENS(fopen64)

ssize_t read(int fd, void *to, size_t size)
{
    BROKEN("read", EIO, -1);
    return syscall(SYS_read, fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    BROKEN("pread", EIO, -1);
    return syscall(SYS_pread64, fd, to, size, offset);
}

ssize_t write(int fd, const void *from, size_t size)
{
    BROKEN("write", ENOSPC, -1);
    return syscall(SYS_write, fd, from, size);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
    BROKEN("pwrite", ENOSPC, -1);
    return syscall(SYS_pwrite64, fd, from, size, offset);
}

size_t fread(void *to, size_t size, size_t count, FILE *f)
{
    NEXT(size_t, fread, void *, size_t, size_t, FILE *);
    if (FAILS("fread")) {
        f->_flags |= 0x20; /* _IO_ERR_SEEN: what ferror() looks at */
        errno = EIO;
        return 0;
    }
    return next(to, size, count, f);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *f)
{
    NEXT(size_t, fwrite, const void *, size_t, size_t, FILE *);
    if (FAILS("fwrite")) {
        f->_flags |= 0x20;
        errno = ENOSPC;
        return 0;
    }
    return next(from, size, count, f);
}

int fflush(FILE *f)
{
    NEXT(int, fflush, FILE *);
    if (FAILS("fflush")) {
        if (f) f->_flags |= 0x20;
        errno = ENOSPC;
        return EOF;
    }
    return next(f);
}

int fclose(FILE *f)
{
    NEXT(int, fclose, FILE *);
    const bool bad = FAILS("fclose");
    const int result = next(f); /* closed either way, as the real one does */
    if (!bad) return result;
    errno = ENOSPC;
    return EOF;
}

int close(int fd)
{
    const bool bad = FAILS("close");
    const int result = (int)syscall(SYS_close, fd);
    if (!bad) return result;
    errno = EIO;
    return -1;
}

int fsync(int fd)
{
    BROKEN("fsync", EIO, -1);
    return (int)syscall(SYS_fsync, fd);
}

int ftruncate(int fd, off_t size)
{
    BROKEN("ftruncate", EIO, -1);
    return (int)syscall(SYS_ftruncate, fd, size);
}

int fchmod(int fd, mode_t mode)
{
    BROKEN("fchmod", EPERM, -1);
    return (int)syscall(SYS_fchmod, fd, mode);
}

int rename(const char *from, const char *to)
{
    BROKEN("rename", EIO, -1);
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int stat(const char *path, struct stat *s)
{
    NEXT(int, stat, const char *, struct stat *);
    BROKEN("stat", EIO, -1);
    return next(path, s);
}

int lstat(const char *path, struct stat *s)
{
    NEXT(int, lstat, const char *, struct stat *);
    BROKEN("lstat", EIO, -1);
    return next(path, s);
}

int fstat(int fd, struct stat *s)
{
    NEXT(int, fstat, int, struct stat *);
    BROKEN("fstat", EIO, -1);
    return next(fd, s);
}
