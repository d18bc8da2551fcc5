/* SPDX-License-Identifier: Apache-2.0 */
/* Dates and times as people write them in tables. */
#ifndef WGDN_DAYS_H
#define WGDN_DAYS_H

#include "codec/text.h"

/*
 * 2024-01-31 or 2024/01/31, then perhaps T or a blank and 13:45, 13:45:59 or 13:45:59.25, then
 * perhaps Z, +02, +0200 or +02:00: the whole text, as days since 1970 in UTC. A time without an
 * offset is taken for UTC.
 */
bool wgdn_text_day(wgdn_text t, double *out);

#endif
