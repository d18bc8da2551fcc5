/* SPDX-License-Identifier: Apache-2.0 */
#define XXH_STATIC_LINKING_ONLY /* for the layout of the state */
#include "checksum.h"

#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(wgdn_checksum), "room for the state");

static XXH3_state_t *state_of(wgdn_checksum *c)
{
    return (XXH3_state_t *)(void *)c->state;
}

void wgdn_checksum_begin(wgdn_checksum *c)
{
    (void)XXH3_64bits_reset(state_of(c));
}

/* The state points to constants of xxHash, which lie elsewhere in every process. */
void wgdn_checksum_resume(wgdn_checksum *c)
{
    wgdn_checksum here;
    wgdn_checksum_begin(&here);
    state_of(c)->extSecret = state_of(&here)->extSecret;
}

void wgdn_checksum_add(wgdn_checksum *c, const void *data, size_t size)
{
    if (size) (void)XXH3_64bits_update(state_of(c), data, size);
}

void wgdn_checksum_text(char out[WGDN_HASH_TEXT], const wgdn_checksum *c)
{
    wgdn_hash_text(out, XXH3_64bits_digest((const XXH3_state_t *)(const void *)c->state));
}

void wgdn_checksum_of(char out[WGDN_HASH_TEXT], const void *data, size_t size,
                      const wgdn_archive *in, bool soon)
{
    wgdn_checksum c;
    wgdn_checksum_begin(&c);
    for (size_t at = 0, part; at < size; at += part) {
        const char *here = (const char *)data + at;
        part = wgdn_archive_window(in, size - at);
        wgdn_checksum_add(&c, here, part);
        if (in) wgdn_archive_forget_at(in, here, part, soon);
    }
    wgdn_checksum_text(out, &c);
}

unsigned wgdn_checksum_version(void)
{
    return XXH_versionNumber();
}
