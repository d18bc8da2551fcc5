/* SPDX-License-Identifier: Apache-2.0 */
/* Dates and times as people write them in tables. */
#ifndef WGDN_DAYS_H
#define WGDN_DAYS_H

#include "codec/text.h"

/* How 03/04/2024 is read. */
typedef enum wgdn_day_order {
    WGDN_DAY_FIRST,  /* 3 April, as in most of the world */
    WGDN_MONTH_FIRST /* 4 March, as in the United States */
} wgdn_day_order;

/*
 * 2024-01-31 or 2024/01/31; 31.01.2024, always with the day first; 31/01/2024 or 31-01-2024 in the
 * order given, also with single digits. Then perhaps T or a blank and 13:45, 13:45:59 or
 * 13:45:59.25, or 1:45 PM, then perhaps Z, +02, +0200 or +02:00: the whole text, as days since 1970
 * in UTC. A time without an offset is taken for UTC.
 */
bool wgdn_text_day(wgdn_text t, wgdn_day_order order, double *out);

#endif
