/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "source.h"

#include "system.h"
#include "text.h"
#include "zip.h"

#include <errno.h>
#include <string.h>

/* The one file in a zip; folders have no size. */
static wgdn_status only_member(int64_t *at, const wgdn_zip *z, const char *path, wgdn_error *err)
{
    int64_t files = 0;
    for (int64_t i = 0; i < z->members; i++) {
        const size_t size = strlen(z->member[i].name);
        if (size > 0 && z->member[i].name[size - 1] == '/') continue;
        *at = i;
        files++;
    }
    if (files == 1) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT, "%s: a zip of %lld files: expected one text file in it",
                     wgdn_show_name(path).text, (long long)files);
}

wgdn_status wgdn_path_exists(bool *there, const char *path, wgdn_error *err)
{
    struct stat s;
    *there = wgdn_system_stat(path, &s) == 0;
    if (*there || errno == ENOENT || errno == ENOTDIR) return WGDN_OK;
    return wgdn_fail(err, WGDN_EIO, "%s: cannot be examined: %s", wgdn_show_name(path).text,
                     strerror(errno));
}

bool wgdn_path_ends(const char *path, const char *suffix)
{
    const size_t size = strlen(path), tail = strlen(suffix);
    return size >= tail && wgdn_text_is(wgdn_text_of(path + size - tail, tail), suffix);
}

bool wgdn_path_is_archive(const char *path)
{
    return wgdn_path_ends(path, ".npy") || wgdn_path_ends(path, ".npz") ||
           wgdn_path_ends(path, ".safetensors");
}

wgdn_status wgdn_source_read(wgdn_source *s, const char *path, int64_t max_bytes, wgdn_error *err)
{
    const size_t limit = (size_t)max_bytes;
    int64_t at = 0;
    *s = (wgdn_source){.name = path};
    wgdn_status st = wgdn_bytes_read(&s->file, path, limit, err);
    if (st) return st;
    if (s->file.size < 4 || memcmp(s->file.data, "PK\3\4", 4) != 0) {
        s->data = s->file.data;
        s->size = s->file.size;
        return WGDN_OK;
    }
    wgdn_zip *z = wgdn_alloc_zero(1, sizeof *z);
    if (!z) {
        st = wgdn_fail(err, WGDN_ENOMEM, "%s: the zip's directory", wgdn_show_name(path).text);
        goto done;
    }
    st = wgdn_zip_open(z, &s->file, err);
    if (st) {
        wgdn_release(z);
        goto done;
    }
    s->zip = z;
    st = only_member(&at, z, path, err);
    if (!st) st = wgdn_zip_extract(&s->member, z, at, limit, err);
    s->data = s->member.data;
    s->size = s->member.size;

done:
    if (st) wgdn_source_free(s);
    return st;
}

void wgdn_source_free(wgdn_source *s)
{
    wgdn_bytes_free(&s->member);
    if (s->zip) wgdn_zip_free(s->zip);
    wgdn_release(s->zip);
    wgdn_bytes_free(&s->file);
    *s = (wgdn_source){0};
}
