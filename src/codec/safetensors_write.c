/* SPDX-License-Identifier: Apache-2.0 */
#include "safetensors.h"

#include "archive_build.h"
#include "checksum.h"
#include "json.h"
#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

/* What is being written: entries in the caller's order, pairs with the hashes among them. */
typedef struct job {
    const char *path;
    wgdn_safetensors_entry *entry, *sorted;
    size_t entries;
    wgdn_text_pair *pair;
    size_t pairs;
    char *hashes; /* the texts of the pairs' hashes */
    char *names;  /* and their keys */
    char *json;
    wgdn_error *err;
} job;

static wgdn_status no_memory(const job *j)
{
    return wgdn_fail(j->err, WGDN_ENOMEM, "%s: no memory for the header of %zu tensors", j->path,
                     j->entries);
}

static bool reserved(const char *key)
{
    return strncmp(key, WGDN_HASH_TENSOR, strlen(WGDN_HASH_TENSOR)) == 0 ||
           strcmp(key, WGDN_HASH_SIGN) == 0 || strcmp(key, WGDN_HASH_HEADER) == 0;
}

static wgdn_status check_tensor(const job *j, wgdn_safetensors_entry *e, size_t *bytes)
{
    wgdn_tensor *t = &e->tensor;
    size_t count;
    const char *wrong = NULL;
    t->width = wgdn_dtype_width(t->dtype);
    if (t->dtype == WGDN_TEXT)
        wrong = "text is not held by safetensors: store its bytes and offsets";
    else if (t->width == 0 || t->rank < 0 || t->rank > WGDN_RANK_MAX ||
             !wgdn_shape_size(&count, bytes, t->shape, t->rank, t->width))
        wrong = "bad type, rank or shape";
    else if (!wgdn_utf8_valid(t->name, strlen(t->name)) || strcmp(t->name, "__metadata__") == 0)
        wrong = "its name is no UTF-8, or reserved";
    if (!wrong) return WGDN_OK;
    return wgdn_fail(j->err, WGDN_EINVAL, "%s: tensor '%s': %s", j->path,
                     wgdn_quote(t->name, strlen(t->name)).text, wrong);
}

static wgdn_status check_metadata(const job *j, const wgdn_text_pair *pair, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const char *key = pair[i].key, *value = pair[i].value;
        bool good = !reserved(key) && wgdn_utf8_valid(key, strlen(key)) &&
                    wgdn_utf8_valid(value, strlen(value));
        for (int64_t k = 0; k < i; k++)
            good &= strcmp(pair[k].key, key) != 0;
        if (!good)
            return wgdn_fail(j->err, WGDN_EINVAL,
                             "%s: metadata '%s': reserved, there twice, or no UTF-8", j->path,
                             wgdn_quote(key, strlen(key)).text);
    }
    return WGDN_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const wgdn_safetensors_entry *)a)->tensor.name,
                  ((const wgdn_safetensors_entry *)b)->tensor.name);
}

/* The widest types first: then every tensor stands where its type may, without any hole. */
static wgdn_status place_tensors(job *j, const wgdn_tensor *t)
{
    uint64_t at = 0;
    for (size_t i = 0; i < j->entries; i++) {
        size_t bytes = 0;
        j->entry[i].tensor = t[i];
        wgdn_status st = check_tensor(j, &j->entry[i], &bytes);
        if (st != WGDN_OK) return st;
        j->entry[i].end = bytes;
    }
    for (size_t width = 8; width > 0; width /= 2)
        for (size_t i = 0; i < j->entries; i++) {
            if (j->entry[i].tensor.width != width) continue;
            j->entry[i].begin = at;
            if (__builtin_add_overflow(at, j->entry[i].end, &at) || at > INT64_MAX)
                return wgdn_fail(j->err, WGDN_ERANGE, "%s: more than 2^63 bytes", j->path);
            j->entry[i].end = at;
        }
    memcpy(j->sorted, j->entry, j->entries * sizeof *j->entry);
    qsort(j->sorted, j->entries, sizeof *j->sorted, by_name);
    for (size_t i = 1; i < j->entries; i++)
        if (strcmp(j->sorted[i - 1].tensor.name, j->sorted[i].tensor.name) == 0)
            return wgdn_fail(
                j->err, WGDN_EINVAL, "%s: two tensors are called '%s'", j->path,
                wgdn_quote(j->sorted[i].tensor.name, strlen(j->sorted[i].tensor.name)).text);
    return WGDN_OK;
}

/* The caller's pairs, then a hash for each tensor, the sign, and the hash of all that. */
static wgdn_status make_pairs(job *j, const wgdn_text_pair *metadata, size_t count)
{
    size_t room = 0, n = 0;
    for (size_t i = 0; i < j->entries; i++)
        room += strlen(WGDN_HASH_TENSOR) + strlen(j->entry[i].tensor.name) + 1;
    j->pair = wgdn_alloc(count + j->entries + 2, sizeof *j->pair);
    j->hashes = wgdn_alloc(j->entries + 1, WGDN_HASH_TEXT);
    j->names = wgdn_alloc(room, 1);
    if (!j->pair || !j->hashes || !j->names) return no_memory(j);
    if (count) memcpy(j->pair, metadata, count * sizeof *j->pair);
    n = count;
    char *name = j->names, *hash = j->hashes;
    for (size_t i = 0; i < j->entries; i++, hash += WGDN_HASH_TEXT) {
        const wgdn_safetensors_entry *e = &j->entry[i];
        const size_t size = strlen(WGDN_HASH_TENSOR) + strlen(e->tensor.name) + 1;
        snprintf(name, size, "%s%s", WGDN_HASH_TENSOR, e->tensor.name);
        wgdn_checksum_of(hash, e->tensor.data, (size_t)(e->end - e->begin), e->tensor.in, false);
        j->pair[n++] = (wgdn_text_pair){name, hash};
        name += size;
    }
    j->pair[n++] = (wgdn_text_pair){WGDN_HASH_SIGN, WGDN_HASH_SIGN_VALUE};
    wgdn_hash_text(hash, wgdn_safetensors_digest(j->sorted, j->entries, j->pair, n));
    j->pair[n++] = (wgdn_text_pair){WGDN_HASH_HEADER, hash};
    j->pairs = n;
    return WGDN_OK;
}

/* NULL when memory is short, as in all of jansson; the last owner of a NULL needs no care. */
static json_t *entry_json(const wgdn_safetensors_entry *e)
{
    json_t *shape = json_array();
    for (int i = 0; i < e->tensor.rank; i++)
        if (json_array_append_new(shape, json_integer(e->tensor.shape[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", wgdn_dtype_name(e->tensor.dtype), "shape",
                     shape, "data_offsets", (json_int_t)e->begin, (json_int_t)e->end);
}

static wgdn_status make_json(job *j)
{
    wgdn_status st = WGDN_OK;
    json_t *root = json_object(), *metadata = json_object();
    bool good = root && metadata;
    for (size_t i = 0; good && i < j->pairs; i++)
        good = json_object_set_new(metadata, j->pair[i].key, json_string(j->pair[i].value)) == 0;
    good = good && json_object_set(root, "__metadata__", metadata) == 0;
    for (size_t i = 0; good && i < j->entries; i++)
        good = json_object_set_new(root, j->entry[i].tensor.name, entry_json(&j->entry[i])) == 0;
    if (good) j->json = wgdn_json_text(root, JSON_COMPACT);
    if (!j->json)
        st = no_memory(j);
    else if (strlen(j->json) > WGDN_SAFETENSORS_HEADER_MAX - ALIGN)
        st = wgdn_fail(j->err, WGDN_ERANGE, "%s: a header of %zu bytes; %d are the most", j->path,
                       strlen(j->json), WGDN_SAFETENSORS_HEADER_MAX - ALIGN);
    json_decref(metadata);
    json_decref(root);
    return st;
}

/* Length, JSON, spaces up to a line of 64, then the tensors from the widest on. */
static wgdn_status put(const job *j, wgdn_output *o)
{
    static const char spaces[ALIGN + 1] =
        "                                                                ";
    const size_t length = strlen(j->json), pad = (ALIGN - (8 + length) % ALIGN) % ALIGN;
    unsigned char size[8];
    for (int i = 0; i < 8; i++)
        size[i] = (unsigned char)((uint64_t)(length + pad) >> (8 * i));
    wgdn_status st = wgdn_output_write(o, size, sizeof size, j->err);
    if (st == WGDN_OK) st = wgdn_output_write(o, j->json, length, j->err);
    if (st == WGDN_OK) st = wgdn_output_write(o, spaces, pad, j->err);
    for (size_t width = 8; width > 0; width /= 2)
        for (size_t i = 0; st == WGDN_OK && i < j->entries; i++) {
            const wgdn_safetensors_entry *e = &j->entry[i];
            if (e->tensor.width == width)
                st = wgdn_archive_copy(o, e->tensor.in, e->tensor.data, (size_t)(e->end - e->begin),
                                       j->err);
        }
    return st;
}

wgdn_status wgdn_write_safetensors(const char *path, const wgdn_tensor *t, int64_t count,
                                   const wgdn_text_pair *metadata, int64_t metadata_count,
                                   wgdn_error *err)
{
    job j = {.path = path, .entries = (size_t)count, .err = err};
    wgdn_output *o = NULL;
    wgdn_status st = check_metadata(&j, metadata, metadata_count);
    if (st != WGDN_OK) return st;
    j.entry = wgdn_alloc_zero(j.entries, sizeof *j.entry);
    j.sorted = wgdn_alloc_zero(j.entries, sizeof *j.sorted);
    if (!j.entry || !j.sorted) {
        st = no_memory(&j);
        goto done;
    }
    st = place_tensors(&j, t);
    if (st == WGDN_OK) st = make_pairs(&j, metadata, (size_t)metadata_count);
    if (st == WGDN_OK) st = make_json(&j);
    if (st == WGDN_OK) st = wgdn_output_open(&o, path, err);
    if (st == WGDN_OK) st = put(&j, o);
    if (st == WGDN_OK) {
        st = wgdn_output_commit(o, err);
        o = NULL;
    }

done:
    wgdn_output_abandon(o);
    wgdn_release(j.json);
    wgdn_release(j.names);
    wgdn_release(j.hashes);
    wgdn_release(j.pair);
    wgdn_release(j.sorted);
    wgdn_release(j.entry);
    return st;
}
