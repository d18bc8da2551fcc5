/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes .safetensors files, with a checksum for each tensor and for the header. Model
 * files, packed datasets and vectors use this format; archive.c calls the reader.
 */
#define XXH_STATIC_LINKING_ONLY /* for the layout of the state */
#include "safetensors.h"
#include "json.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void hash_text(char out[WGDN_HASH_TEXT], uint64_t hash)
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

/*
 * The hash of the header's meaning. Sorts both lists: entries by name, pairs by key. The pair
 * WGDN_HASH_HEADER itself does not count.
 */
static uint64_t safetensors_digest(wgdn_safetensors_entry *entry, size_t entries,
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

void wgdn_checksum_of(char out[WGDN_HASH_TEXT], const void *data, size_t size,
                      const wgdn_archive *in, bool soon)
{
    XXH3_state_t c;
    (void)XXH3_64bits_reset(&c);
    for (size_t at = 0, part; at < size; at += part) {
        const char *here = (const char *)data + at;
        part = wgdn_archive_window(in, size - at);
        (void)XXH3_64bits_update(&c, here, part);
        if (in) wgdn_archive_forget_at(in, here, part, soon);
    }
    hash_text(out, XXH3_64bits_digest(&c));
}

/*
 * A .safetensors file has the length of the header in 8 bytes, the header in JSON, and the tensors'
 * bytes. The header gives each tensor's type, shape and position; together the tensors cover the
 * data exactly.
 */

static const char metadata_key[] = "__metadata__";

/* All that is known while reading. pair holds the whole of __metadata__, hashes too. */
typedef struct job {
    wgdn_archive *a;
    const wgdn_bytes *file;
    const unsigned char *data;
    size_t data_size, header_size;
    wgdn_safetensors_entry *entry;
    size_t entries;
    wgdn_text_pair *pair;
    size_t pairs;
    wgdn_error *err;
} job;

static wgdn_status bad(const job *j, const char *name, const char *what)
{
    return wgdn_fail(j->err, WGDN_EFORMAT, "%s: safetensors header, '%s': %s", j->file->name,
                     wgdn_quote(name, strlen(name)).text, what);
}

static bool find_type(wgdn_dtype *out, const char *name)
{
    for (int d = WGDN_BOOL; d < WGDN_TEXT; d++)
        if (strcmp(wgdn_dtype_name((wgdn_dtype)d), name) == 0) {
            *out = (wgdn_dtype)d;
            return true;
        }
    return false;
}

static bool natural(const json_t *value, int64_t *out)
{
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0;
}

static wgdn_status read_shape(const job *j, wgdn_tensor *t, const json_t *shape)
{
    if (!json_is_array(shape)) return bad(j, t->name, "expected a list as shape");
    if (json_array_size(shape) > WGDN_RANK_MAX) return bad(j, t->name, "more than 8 dimensions");
    t->rank = (int)json_array_size(shape);
    for (int i = 0; i < t->rank; i++)
        if (!natural(json_array_get(shape, (size_t)i), &t->shape[i]))
            return bad(j, t->name, "expected integers from 0 as shape");
    return WGDN_OK;
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, and nothing else. */
static wgdn_status read_entry(job *j, const char *name, const json_t *value)
{
    wgdn_safetensors_entry *e = &j->entry[j->entries];
    wgdn_tensor *t = &e->tensor;
    const char *type = json_string_value(json_object_get(value, "dtype"));
    const json_t *offsets = json_object_get(value, "data_offsets");
    size_t count, bytes;
    int64_t begin, end;

    t->name = wgdn_archive_text(j->a, name, strlen(name), j->err);
    if (!t->name) return WGDN_ENOMEM;
    if (!type || !offsets || json_object_size(value) != 3)
        return bad(j, name, "expected dtype, shape and data_offsets and no other key");
    if (!find_type(&t->dtype, type))
        return bad(j, name, "dtype must be BOOL, I8..I64, U8..U64, F16, BF16, F32 or F64");
    wgdn_status st = read_shape(j, t, json_object_get(value, "shape"));
    if (st != WGDN_OK) return st;
    if (json_array_size(offsets) != 2 || !natural(json_array_get(offsets, 0), &begin) ||
        !natural(json_array_get(offsets, 1), &end) || begin > end || (uint64_t)end > j->data_size)
        return bad(j, name, "expected data_offsets [begin, end] within the file");
    t->width = wgdn_dtype_width(t->dtype);
    if (!wgdn_shape_size(&count, &bytes, t->shape, t->rank, t->width) ||
        bytes != (size_t)(end - begin))
        return bad(j, name, "its offsets do not hold what its dtype and shape ask for");
    e->begin = (uint64_t)begin;
    e->end = (uint64_t)end;
    j->entries++;
    return WGDN_OK;
}

static wgdn_status read_metadata(job *j, json_t *object)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) return bad(j, metadata_key, "expected an object of strings");
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value)) return bad(j, key, "metadata must be a string");
        wgdn_text_pair *p = &j->pair[j->pairs];
        p->key = wgdn_archive_text(j->a, key, strlen(key), j->err);
        if (!p->key) return WGDN_ENOMEM;
        p->value =
            wgdn_archive_text(j->a, json_string_value(value), json_string_length(value), j->err);
        if (!p->value) return WGDN_ENOMEM;
        j->pairs++;
    }
    return WGDN_OK;
}

static int by_place(const void *a, const void *b)
{
    const wgdn_safetensors_entry *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Side by side from the first byte to the last: no overlap, no hole, nothing behind. */
static wgdn_status check_cover(const job *j)
{
    uint64_t at = 0;
    qsort(j->entry, j->entries, sizeof *j->entry, by_place);
    for (size_t i = 0; i < j->entries; i++) {
        if (j->entry[i].begin != at)
            return bad(j, j->entry[i].tensor.name,
                       j->entry[i].begin < at ? "overlaps the tensor before it"
                                              : "leaves a hole before it");
        at = j->entry[i].end;
    }
    if (at != j->data_size)
        return wgdn_fail(j->err, WGDN_EFORMAT,
                         "%s: %zu bytes of data at byte %zu, but the header accounts for %llu",
                         j->file->name, j->data_size, 8 + j->header_size, (unsigned long long)at);
    return WGDN_OK;
}

static bool is_tensor_hash(const char *key)
{
    return strncmp(key, WGDN_HASH_TENSOR, strlen(WGDN_HASH_TENSOR)) == 0;
}

static bool is_hash(const char *key)
{
    return is_tensor_hash(key) || strcmp(key, WGDN_HASH_SIGN) == 0 ||
           strcmp(key, WGDN_HASH_HEADER) == 0;
}

static const char *value_of(const job *j, const char *key)
{
    for (size_t i = 0; i < j->pairs; i++)
        if (strcmp(j->pair[i].key, key) == 0) return j->pair[i].value;
    return NULL;
}

/* Of a large tensor in a mapped file no more than a window is in memory for it. */
static void checksum(char text[WGDN_HASH_TEXT], const job *j, const wgdn_safetensors_entry *e)
{
    const size_t size = (size_t)(e->end - e->begin);
    wgdn_archive in = *j->a;
    in.sparing = wgdn_archive_window(&in, size) < size;
    wgdn_checksum_of(text, j->data + e->begin, size, &in, true);
}

/* Sorted alike, the i-th tensor and the i-th of the pairs that begin with xxh3: must belong. */
static wgdn_status check_tensors(const job *j)
{
    char text[WGDN_HASH_TEXT];
    size_t first = 0;
    while (first < j->pairs && !is_tensor_hash(j->pair[first].key))
        first++;
    for (size_t i = 0; i < j->entries; i++) {
        const wgdn_safetensors_entry *e = &j->entry[i];
        const wgdn_text_pair *p = &j->pair[first + i];
        checksum(text, j, e);
        if (strcmp(p->key + strlen(WGDN_HASH_TENSOR), e->tensor.name) != 0)
            return bad(j, e->tensor.name, "it has no checksum, though others have");
        if (strcmp(p->value, text) != 0)
            return bad(j, e->tensor.name, "the checksum of its data is wrong: the file is damaged");
    }
    return WGDN_OK;
}

#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
static const bool hashes_count = false; /* almost every mutation would end here */
#else
static const bool hashes_count = true;
#endif

/* With any hash in the file all must be there and right. Leaves entries and pairs sorted. */
static wgdn_status check_hashes(const job *j)
{
    char text[WGDN_HASH_TEXT];
    size_t all = 0, tensors = 0;
    for (size_t i = 0; i < j->pairs; i++) {
        all += is_hash(j->pair[i].key);
        tensors += is_tensor_hash(j->pair[i].key);
    }
    if (all == 0 || !hashes_count) return WGDN_OK;
    hash_text(text, safetensors_digest(j->entry, j->entries, j->pair, j->pairs));
    if (all != tensors + 2 || tensors != j->entries)
        return bad(j, metadata_key, "some checksums are there, but not all: the file is damaged");
    if (strcmp(value_of(j, WGDN_HASH_HEADER), text) != 0)
        return bad(j, WGDN_HASH_HEADER, "the checksum of the header is wrong: it is damaged");
    return j->a->unread ? WGDN_OK : check_tensors(j);
}

/* What the archive shows, in the header's order. Data that no pointer may address are moved. */
static wgdn_status fill_archive(const job *j)
{
    for (size_t i = 0; i < j->entries; i++) {
        wgdn_tensor *t = &j->a->tensor[i];
        const size_t size = (size_t)(j->entry[i].end - j->entry[i].begin);
        *t = j->entry[i].tensor;
        t->data = j->data + j->entry[i].begin;
        if (size && (uintptr_t)t->data % t->width != 0) {
            void *moved = wgdn_archive_room(j->a, size, j->file->name, j->err);
            if (!moved) return WGDN_ENOMEM;
            t->data = memcpy(moved, t->data, size);
        }
    }
    j->a->tensors = (int64_t)j->entries;
    for (size_t i = 0; i < j->pairs; i++)
        if (!is_hash(j->pair[i].key)) j->a->metadata[j->a->metadata_count++] = j->pair[i];
    return WGDN_OK;
}

/* For who checks tensors later: their checksums, behind the metadata, where there is room. */
static void keep_checksums(const job *j)
{
    wgdn_text_pair *kept = j->a->metadata + j->a->metadata_count;
    j->a->digest = safetensors_digest(j->entry, j->entries, j->pair, j->pairs);
    j->a->checksum = kept;
    for (size_t i = 0; i < j->pairs; i++)
        if (is_tensor_hash(j->pair[i].key))
            kept[j->a->checksums++] =
                (wgdn_text_pair){j->pair[i].key + strlen(WGDN_HASH_TENSOR), j->pair[i].value};
}

static wgdn_status read_root(job *j, json_t *root)
{
    json_t *metadata = json_object_get(root, metadata_key), *value;
    const char *name;
    wgdn_status st = WGDN_OK;
    if (!json_is_object(root)) return bad(j, "", "expected a JSON object");
    const size_t tensors = json_object_size(root) - (metadata != NULL);
    const size_t pairs = json_object_size(metadata);
    j->entry = wgdn_alloc_zero(tensors, sizeof *j->entry);
    j->pair = wgdn_alloc_zero(pairs, sizeof *j->pair);
    if (!j->entry || !j->pair)
        return wgdn_fail(j->err, WGDN_ENOMEM, "%s: %zu tensors", j->file->name, tensors);
    st = wgdn_archive_reserve(j->a, tensors, pairs, 0, j->err);
    json_object_foreach(root, name, value)
    {
        if (st != WGDN_OK) break;
        st = value == metadata ? read_metadata(j, value) : read_entry(j, name, value);
    }
    if (st == WGDN_OK) st = fill_archive(j);
    if (st == WGDN_OK) st = check_cover(j);
    if (st == WGDN_OK) st = check_hashes(j);
    if (st == WGDN_OK && j->a->unread) keep_checksums(j);
    return st;
}

wgdn_status wgdn_read_safetensors(wgdn_archive *a, const wgdn_bytes *file, wgdn_error *err)
{
    job j = {.a = a, .file = file, .err = err};
    wgdn_cursor c = wgdn_cursor_at(file->data, file->size, 0);
    const uint64_t size = wgdn_cursor_u64(&c);
    const unsigned char *text =
        size <= WGDN_SAFETENSORS_HEADER_MAX ? wgdn_cursor_run(&c, (size_t)size) : NULL;
    json_error_t why;
    wgdn_status st;

    if (!text)
        return wgdn_fail(err, WGDN_EFORMAT,
                         "%s: safetensors header of %llu bytes at byte 8; the file has %zu left "
                         "and %d is the most",
                         file->name, (unsigned long long)size, wgdn_cursor_left(&c),
                         WGDN_SAFETENSORS_HEADER_MAX);
    j.header_size = (size_t)size;
    j.data = file->data + c.at;
    j.data_size = wgdn_cursor_left(&c);
    json_t *root = wgdn_json_load(text, j.header_size, &why);
    if (root)
        st = read_root(&j, root);
    else if (json_error_code(&why) == json_error_out_of_memory)
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: no memory for its header", file->name);
    else
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: safetensors header, byte %d: %s", file->name,
                       8 + why.position, wgdn_quote(why.text, strlen(why.text)).text);
    wgdn_release(j.pair);
    wgdn_release(j.entry);
    json_decref(root);
    return st;
}

enum { ALIGN = 64 };

/* What is being written: entries in the caller's order, pairs with the hashes among them. */
typedef struct safetensors_write_job {
    const char *path;
    wgdn_safetensors_entry *entry, *sorted;
    size_t entries;
    wgdn_text_pair *pair;
    size_t pairs;
    char *json;
    wgdn_arrays memory; /* of all but json */
    wgdn_error *err;
} safetensors_write_job;

static wgdn_status no_memory(const safetensors_write_job *j)
{
    return wgdn_fail(j->err, WGDN_ENOMEM, "%s: no memory for the header of %zu tensors", j->path,
                     j->entries);
}

static wgdn_status check_tensor(const safetensors_write_job *j, wgdn_safetensors_entry *e,
                                size_t *bytes)
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

static wgdn_status check_metadata(const safetensors_write_job *j, const wgdn_text_pair *pair,
                                  int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const char *key = pair[i].key, *value = pair[i].value;
        bool good = !is_hash(key) && wgdn_utf8_valid(key, strlen(key)) &&
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

/* The widest types first: then every tensor stands where its type may, without any hole. */
static wgdn_status place_tensors(safetensors_write_job *j, const wgdn_tensor *t)
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
static wgdn_status make_pairs(safetensors_write_job *j, const wgdn_text_pair *metadata,
                              size_t count)
{
    size_t room = 0, n = 0;
    for (size_t i = 0; i < j->entries; i++)
        room += strlen(WGDN_HASH_TENSOR) + strlen(j->entry[i].tensor.name) + 1;
    j->pair = wgdn_arrays_add(&j->memory, count + j->entries + 2, sizeof *j->pair);
    char *hash = wgdn_arrays_add(&j->memory, j->entries + 1, WGDN_HASH_TEXT);
    char *name = wgdn_arrays_add(&j->memory, room, 1);
    if (j->memory.failed) return no_memory(j);
    if (count) memcpy(j->pair, metadata, count * sizeof *j->pair);
    n = count;
    for (size_t i = 0; i < j->entries; i++, hash += WGDN_HASH_TEXT) {
        const wgdn_safetensors_entry *e = &j->entry[i];
        const size_t size = strlen(WGDN_HASH_TENSOR) + strlen(e->tensor.name) + 1;
        snprintf(name, size, "%s%s", WGDN_HASH_TENSOR, e->tensor.name);
        wgdn_checksum_of(hash, e->tensor.data, (size_t)(e->end - e->begin), e->tensor.in, false);
        j->pair[n++] = (wgdn_text_pair){name, hash};
        name += size;
    }
    j->pair[n++] = (wgdn_text_pair){WGDN_HASH_SIGN, WGDN_HASH_SIGN_VALUE};
    hash_text(hash, safetensors_digest(j->sorted, j->entries, j->pair, n));
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

static wgdn_status make_json(safetensors_write_job *j)
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
static wgdn_status put(const safetensors_write_job *j, wgdn_output *o)
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
    safetensors_write_job j = {.path = path, .entries = (size_t)count, .err = err};
    wgdn_output *o = NULL;
    wgdn_status st = check_metadata(&j, metadata, metadata_count);
    if (st != WGDN_OK) return st;
    j.entry = wgdn_arrays_add_zero(&j.memory, j.entries, sizeof *j.entry);
    j.sorted = wgdn_arrays_add_zero(&j.memory, j.entries, sizeof *j.sorted);
    st = j.memory.failed ? no_memory(&j) : place_tensors(&j, t);
    if (st == WGDN_OK) st = make_pairs(&j, metadata, (size_t)metadata_count);
    if (st == WGDN_OK) st = make_json(&j);
    if (st == WGDN_OK) st = wgdn_output_open(&o, path, err);
    if (st == WGDN_OK) st = put(&j, o);
    if (st == WGDN_OK)
        st = wgdn_output_commit(o, err);
    else
        wgdn_output_abandon(o);
    wgdn_release(j.json);
    wgdn_arrays_release(&j.memory);
    return st;
}
