/* SPDX-License-Identifier: Apache-2.0 */
/* What reading dropped, merged, converted or decided: nothing of it happens in silence. */
#ifndef WGDN_DATA_REMARKS_H
#define WGDN_DATA_REMARKS_H

#include "base/base.h"

typedef struct wgdn_remarks {
    wgdn_remark *list;
    int64_t count, room;
} wgdn_remarks;

/* what: a word for machines; count: how many, 0 where nothing is counted; then a sentence. */
__attribute__((format(printf, 5, 6))) WGDN_MUST_CHECK wgdn_status wgdn_remarks_add(
    wgdn_remarks *r, const char *what, int64_t count, wgdn_error *err, const char *format, ...);
void wgdn_remarks_free(wgdn_remarks *r);

#endif
