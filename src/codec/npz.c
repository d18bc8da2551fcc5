/* SPDX-License-Identifier: Apache-2.0 */
/* .npz: a zip whose members are .npy files, named after their arrays. */
#include "archive_build.h"
#include "npy.h"
#include "unicode.h"
#include "zip.h"
#include "zip_write.h"

#include <stdio.h>
#include <string.h>

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

static bool is_array(const char *name)
{
    const size_t length = strlen(name);
    return length >= SUFFIX && strcmp(name + length - SUFFIX, suffix) == 0;
}

static bool is_folder(const wgdn_zip_member *m)
{
    return m->size == 0 && m->name[strlen(m->name) - 1] == '/';
}

/* Every member must be an array, and all of them together must fit. */
static wgdn_status check_members(const wgdn_zip *z, size_t limit, wgdn_error *err)
{
    size_t total = 0;
    for (int64_t i = 0; i < z->members; i++) {
        const wgdn_zip_member *m = &z->member[i];
        if (!is_array(m->name) && !is_folder(m))
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: zip member '%s' is no .npy, so this is no .npz%s", z->bytes->name,
                             wgdn_quote(m->name, strlen(m->name)).text,
                             wgdn_zip_find(z, "data.pkl") >= 0
                                 ? " but a PyTorch file, which pickles: save .safetensors"
                                 : "");
        if (!m->deflated) continue; /* borrowed, not unpacked */
        if (!wgdn_size_add(&total, total, m->size) || total > limit)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: unpacks to more than the %zu bytes allowed at member '%s'",
                             z->bytes->name, limit, wgdn_quote(m->name, strlen(m->name)).text);
    }
    return WGDN_OK;
}

/* The bytes of member i, owned by the archive or the file; *limit shrinks by what was unpacked. */
static wgdn_status unpack(wgdn_bytes *view, wgdn_archive *a, const wgdn_zip *z, int64_t i,
                          size_t *limit, wgdn_error *err)
{
    wgdn_bytes got = {0};
    if (!z->member[i].deflated) return wgdn_zip_borrow(view, z, i, err);
    wgdn_status st = wgdn_zip_extract(&got, z, i, *limit, err);
    if (st != WGDN_OK) return st;
    *limit -= got.size;
    *view = got;
    st = wgdn_archive_keep(a, &got, err);
    wgdn_bytes_free(&got);
    return st;
}

static wgdn_status read_member(wgdn_archive *a, const wgdn_zip *z, int64_t i, size_t *limit,
                               wgdn_error *err)
{
    const char *member = z->member[i].name;
    wgdn_tensor *t = &a->tensor[a->tensors];
    wgdn_npy_header h;
    wgdn_bytes view;
    wgdn_status st = unpack(&view, a, z, i, limit, err);
    if (st != WGDN_OK) return st;
    char label[192];
    snprintf(label, sizeof label, "%.120s: %s", z->bytes->name,
             wgdn_quote(member, strlen(member)).text);
    view.name = label;
    const char *name = wgdn_archive_text(a, member, strlen(member) - SUFFIX, err);
    if (!name) return WGDN_ENOMEM;
    st = wgdn_npy_header_read(&h, &view, err);
    if (st == WGDN_OK && h.object) {
        a->left_out[a->left_out_count++] = (wgdn_text_pair){name, wgdn_npy_object_reason};
        return WGDN_OK;
    }
    t->name = name;
    if (st == WGDN_OK) st = wgdn_read_npy(a, t, &view, limit, err);
    if (st == WGDN_OK) a->tensors++;
    return st;
}

wgdn_status wgdn_read_npz(wgdn_archive *a, const wgdn_bytes *file, size_t limit, wgdn_error *err)
{
    wgdn_zip z = {0};
    wgdn_status st = wgdn_zip_open(&z, file, err);
    if (st != WGDN_OK) return st;
    st = check_members(&z, limit, err);
    if (st == WGDN_OK) st = wgdn_archive_reserve(a, (size_t)z.members, 0, (size_t)z.members, err);
    for (int64_t i = 0; st == WGDN_OK && i < z.members; i++)
        if (is_array(z.member[i].name)) st = read_member(a, &z, i, &limit, err);
    if (st == WGDN_OK && a->tensors == 0 && a->left_out_count > 0)
        st = wgdn_npy_refuse_object(file->name, err);
    wgdn_zip_free(&z);
    return st;
}

static wgdn_status add_tensor(wgdn_zip_writer *w, const wgdn_tensor *t, wgdn_error *err)
{
    wgdn_npy_image m = {.block = NULL};
    const size_t length = strlen(t->name);
    char *name = wgdn_alloc(length + sizeof suffix, 1);
    wgdn_status st;
    if (!name) return wgdn_fail(err, WGDN_ENOMEM, "npz: a name of %zu bytes", length);
    memcpy(name, t->name, length);
    memcpy(name + length, suffix, sizeof suffix);
    st = wgdn_npy_image_make(&m, t, err);
    if (st == WGDN_OK) st = wgdn_zip_add(w, name, m.head, m.head_size, m.data, m.data_size, err);
    wgdn_release(m.block);
    wgdn_release(name);
    return st;
}

wgdn_status wgdn_write_npz(const char *path, const wgdn_tensor *t, int64_t count, wgdn_error *err)
{
    wgdn_zip_writer w = {0};
    wgdn_status st = wgdn_zip_begin(&w, path, err);
    for (int64_t i = 0; st == WGDN_OK && i < count; i++)
        st = add_tensor(&w, &t[i], err);
    if (st == WGDN_OK) return wgdn_zip_commit(&w, err);
    wgdn_zip_abandon(&w);
    return st;
}
