/* SPDX-License-Identifier: Apache-2.0 */
/* What a process may take of the machine, and who says so. */
#ifndef WGDN_BASE_LIMITS_H
#define WGDN_BASE_LIMITS_H

#include "base.h"

enum { WGDN_LIMIT_TEXT = 192 };

/* The least of several numbers, and whose it is; -1: nobody sets one. */
typedef struct wgdn_bound {
    int64_t value;
    char by[WGDN_LIMIT_TEXT];
} wgdn_bound;

/* ---- control groups: limits.c ---- */

/*
 * Of the process's own group and of all groups above it, in every hierarchy that is mounted. Bytes,
 * processors rounded up, threads that can still be started.
 */
typedef struct wgdn_groups {
    wgdn_bound limit; /* the least memory.max or memory.high */
    wgdn_bound room;  /* the least of what is left below one of them */
    wgdn_bound cpus, tasks;
} wgdn_groups;

/* root: a folder that stands for /, so that tests can make trees of their own; "" for /. */
void wgdn_groups_read(wgdn_groups *out, const char *root);

/* The hierarchies: all of version 2, and the three of version 1 that matter here. */
typedef enum wgdn_hierarchy {
    WGDN_UNIFIED,
    WGDN_V1_MEMORY,
    WGDN_V1_CPU,
    WGDN_V1_PIDS,
    WGDN_HIERARCHIES
} wgdn_hierarchy;

enum { WGDN_GROUP_PATH = 2048 };

/*
 * Call visit for the process's group and for each above it, up to what is mounted: folder is where
 * its files are, name what it is called, own tells whether it is the process's.
 */
typedef struct wgdn_group {
    wgdn_hierarchy of;
    bool own;
    char folder[WGDN_GROUP_PATH];
    char name[WGDN_GROUP_PATH];
} wgdn_group;
/* False: groups above do not count any more. */
typedef bool wgdn_group_visit(const wgdn_group *g, void *user);

/* ---- all of it: limits.c ---- */

typedef struct wgdn_limits {
    wgdn_bound total;     /* bytes that there are for this process */
    wgdn_bound available; /* bytes that it can have without swapping, now */
    wgdn_bound mapping;   /* of these, what the process's own limits let it map, used or not */
    wgdn_bound cpus;      /* processors: at least 1 */
    wgdn_bound threads;   /* what can be started */
    int64_t resident;     /* bytes that the process has in memory, without those of files */
    int cores;            /* online */
    int ranks;            /* on this host */
} wgdn_limits;

void wgdn_limits_read(wgdn_limits *out, const char *root);

/* Ranks on this host, and how many processors they may run on together; 0: not known. */
void wgdn_limits_share(int ranks, int cpus);
/* Processors that this process may run on: bits of a set of size bytes, zero beyond; their count. */
int wgdn_limits_affinity(unsigned char *set, size_t size);

#endif
