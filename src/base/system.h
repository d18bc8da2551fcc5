/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only the operating system knows or does, apart from POSIX: system_linux.c has it for Linux.
 * system_posix.c takes its place on other systems, where numbers are unknown and wishes are ignored.
 */
#ifndef WGDN_BASE_SYSTEM_H
#define WGDN_BASE_SYSTEM_H

#include "base.h"

#if defined(__APPLE__)
#define st_mtim st_mtimespec /* POSIX's name of when a file was changed */
#endif

enum { WGDN_LIMIT_TEXT = 192 };

/* The least of several numbers, and whose it is; -1: nobody sets one. */
typedef struct wgdn_bound {
    int64_t value;
    char by[WGDN_LIMIT_TEXT];
} wgdn_bound;

/*
 * Of the control group of the process and of all groups above it. Bytes, processors rounded up,
 * threads that can still be started.
 */
typedef struct wgdn_groups {
    wgdn_bound limit; /* the least memory.max or memory.high */
    wgdn_bound room;  /* the least of what is left below one of them */
    wgdn_bound cpus, tasks;
} wgdn_groups;

enum { WGDN_GROUP_PATH = 2048 }; /* longer names of control groups are passed over */

/* Limits of control groups; -1 where there are none. root stands for /, so that tests can have their own; "" for /. */
void wgdn_os_groups(wgdn_groups *out, const char *root);

/* Bytes: all that is mapped, what of it is in memory and not of a file, and what is data; 0: unknown. */
typedef struct wgdn_mapped {
    int64_t all, own, data;
} wgdn_mapped;
wgdn_mapped wgdn_os_mapped(const char *root);

/* Bytes of the machine, and what of them can be had without swapping; -1: unknown. */
void wgdn_os_memory(int64_t *total, int64_t *available, const char *root);

/* Processors that this process may run on: bits of a set of size bytes, zero beyond; their count, 0: unknown. */
int wgdn_os_processors(unsigned char *set, size_t size);

const char *wgdn_os_huge_pages(void); /* always, madvise, never or unknown */
void wgdn_os_use_huge_pages(void *block, size_t size);
void wgdn_os_forget(void *at, size_t size);   /* pages of a mapped file, which can be read again */
void wgdn_os_page_out(void *at, size_t size); /* written back and dropped */

void wgdn_os_forget_file(int fd, int64_t from, int64_t size);
void wgdn_os_read_ahead(int fd);
int wgdn_os_allocate(int fd, size_t size);    /* room on the disk: 0, or the error number */
int wgdn_os_open_unnamed(const char *folder); /* -1 and EOPNOTSUPP: files have names here */
bool wgdn_os_find_path(int fd, char *path, size_t size);

bool wgdn_os_random(void *to, size_t size); /* false: there is no entropy yet */

#endif
