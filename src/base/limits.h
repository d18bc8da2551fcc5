/* SPDX-License-Identifier: Apache-2.0 */
/* What a process may take of the machine, and who says so. */
#ifndef WGDN_BASE_LIMITS_H
#define WGDN_BASE_LIMITS_H

#include "system.h"

/* Lower the bound if the number is below it; numbers below 0 are none. */
void wgdn_bound_lower(wgdn_bound *b, int64_t value, const char *format, ...);

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

#endif
