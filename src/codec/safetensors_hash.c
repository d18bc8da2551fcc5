/* SPDX-License-Identifier: Apache-2.0 */
#include "safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void wgdn_hash_text(char out[WGDN_HASH_TEXT], uint64_t hash)
{
    snprintf(out, WGDN_HASH_TEXT, "%016llx", (unsigned long long)hash);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const wgdn_safetensors_entry *)a)->tensor.name,
                  ((const wgdn_safetensors_entry *)b)->tensor.name);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const wgdn_text_pair *)a)->key, ((const wgdn_text_pair *)b)->key);
}

/* Each field's hash is seeded with that of the fields before it, so their borders count too. */
static uint64_t add(uint64_t hash, const void *field, size_t size)
{
    return XXH3_64bits_withSeed(field, size, hash);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return add(hash, text, strlen(text));
}

uint64_t wgdn_safetensors_digest(wgdn_safetensors_entry *entry, size_t entries,
                                 wgdn_text_pair *pair, size_t pairs)
{
    uint64_t hash = add(entries, "safetensors", 11);
    qsort(entry, entries, sizeof *entry, by_name);
    qsort(pair, pairs, sizeof *pair, by_key);
    for (size_t i = 0; i < entries; i++) {
        const wgdn_tensor *t = &entry[i].tensor;
        hash = add_text(hash, t->name);
        hash = add_text(hash, wgdn_dtype_name(t->dtype));
        hash = add(hash, t->shape, (size_t)t->rank * sizeof *t->shape);
        hash = add(hash, &entry[i].begin, sizeof entry[i].begin);
        hash = add(hash, &entry[i].end, sizeof entry[i].end);
    }
    for (size_t i = 0; i < pairs; i++) {
        if (strcmp(pair[i].key, WGDN_HASH_HEADER) == 0) continue;
        hash = add_text(hash, pair[i].key);
        hash = add_text(hash, pair[i].value);
    }
    return hash;
}
