/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids of any kind, numbered with bounded memory. Every end of every row goes to a bucket by the
 * hash of its id, and its bucket's number to the file of tags. A bucket's ids fit into memory: they
 * are numbered within it. Following the tags, the first appearance of each then gives its number in
 * the whole; where all ids are integers, the buckets' sorted ids are merged instead. Another look at
 * each bucket turns its numbers into those, and following the tags once more gives all ends in the
 * order of the rows. Nothing is read but from start to end.
 */
#ifndef WGDN_FORMATS_EDGE_LIST_PACK_H
#define WGDN_FORMATS_EDGE_LIST_PACK_H

#include "edge_list_rows.h"

typedef struct wgdn_pack_ids {
    wgdn_pack *p;
    int buckets;
    size_t room;    /* bytes of a bucket's buffer */
    int64_t *count; /* bucket -> its different ids */
    wgdn_tape tag, weight;
    wgdn_tape *tape, *other, *third; /* one for each bucket */
} wgdn_pack_ids;

/* KIND-BUCKET. */
typedef struct wgdn_bucket_name {
    char text[24];
} wgdn_bucket_name;
/* A tape of each bucket to be read, or written. */
WGDN_MUST_CHECK wgdn_status wgdn_buckets_open(wgdn_tape *tape, const wgdn_pack_ids *d,
                                              const char *kind, bool writing, wgdn_error *err);
/* Written, and listed. */
void wgdn_buckets_close(wgdn_tape *tape, const wgdn_pack_ids *d);
void wgdn_buckets_drop(const wgdn_pack_ids *d, const char *kind);

/* Rows to the files text-, tag and weight. */
WGDN_MUST_CHECK wgdn_status wgdn_ids_split(wgdn_pack_ids *d, wgdn_error *err);
/* text- to id- (different ones) and local- (which one each end is). */
WGDN_MUST_CHECK wgdn_status wgdn_ids_gather(wgdn_pack_ids *d, wgdn_error *err);
/* id- to ids.start, ids.text and node- (their numbers). */
WGDN_MUST_CHECK wgdn_status wgdn_ids_number(wgdn_pack_ids *d, wgdn_error *err);
/* local- to end-, by node-. */
WGDN_MUST_CHECK wgdn_status wgdn_ids_resolve(wgdn_pack_ids *d, wgdn_error *err);

#endif
