/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that cluster nodes. */
#ifndef WGDN_JOBS_CLUSTERS_H
#define WGDN_JOBS_CLUSTERS_H

#include "eval/eval.h"

/* ---- communities of a graph: communities.c ---- */

/* Groups of large modularity, numbered by their first nodes. group: a->rows. */
WGDN_MUST_CHECK wgdn_status wgdn_communities_find(int32_t *group, int64_t *groups,
                                                  const wgdn_csr *a, uint64_t seed,
                                                  wgdn_error *err);
/* Modularity of groups; NAN without edges. degrees: room for as many as there are groups. */
double wgdn_modularity(const int32_t *group, int64_t groups, const wgdn_csr *a, double *degrees);

#endif
