/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a path has, or is to have. */
#define _DEFAULT_SOURCE
#include "codec/system.h"
#include "codec/unpack.h"
#include "formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_auto(const char *name)
{
    return !name || strcmp(name, "auto") == 0;
}

/* Where .mtx.gz is read, so is .mtx.zst and the like. */
static bool ends_packed(const char *path, const char *suffix)
{
    const size_t size = strlen(suffix) - 3, stem = wgdn_packing_stem(path);
    return path[stem] && stem >= size && strncasecmp(path + stem - size, suffix, size) == 0;
}

static bool has_suffix(const wgdn_format *f, const char *path)
{
    for (const char *const *s = f->info.suffixes; *s; s++)
        if (wgdn_path_ends(path, *s) || (wgdn_path_ends(*s, ".gz") && ends_packed(path, *s)))
            return true;
    return false;
}

/* "a, b or c" */
typedef struct listing {
    char text[160];
    size_t used;
    const char *held; /* the last one, until it is known to be that */
} listing;

static void list(listing *l, const char *word, const char *between)
{
    if (l->held && l->used < sizeof l->text)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                                    l->used ? between : "", l->held);
    l->held = word;
}

static listing list_names(const wgdn_format *const *all, bool written)
{
    listing l = {0};
    for (; *all; all++)
        if (written ? (*all)->info.writes : (*all)->info.reads) list(&l, (*all)->info.name, ", ");
    list(&l, NULL, " or ");
    return l;
}

static listing list_suffixes(const wgdn_format *const *all)
{
    listing l = {0};
    for (; *all; all++)
        for (const char *const *s = (*all)->info.suffixes; (*all)->info.writes && *s; s++)
            if (!wgdn_path_ends(*s, ".gz")) list(&l, *s, ", ");
    list(&l, NULL, " or ");
    return l;
}

static const wgdn_format *find(const wgdn_format *const *all, const char *name, bool written)
{
    for (; *all; all++)
        if ((written ? (*all)->info.writes : (*all)->info.reads) &&
            strcmp((*all)->info.name, name) == 0)
            return *all;
    return NULL;
}

static wgdn_status unknown(const wgdn_format *const *all, const char *name, bool written,
                           wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL, "format = '%.40s': it may be auto, %s", name,
                     list_names(all, written).text);
}

/* ---- reading ---- */

/* The first format that takes the path by its name, or as a folder; NULL if none does. */
static wgdn_status by_name(const wgdn_format **out, const wgdn_format *const *all, bool folder,
                           const char *path, wgdn_error *err)
{
    *out = NULL;
    for (; *all; all++) {
        bool is = (*all)->info.reads && (folder ? (*all)->folders : has_suffix(*all, path));
        const wgdn_status st = is && (*all)->probe ? (*all)->probe(&is, path, err) : WGDN_OK;
        if (st) return st;
        if (!is) continue;
        *out = *all;
        return WGDN_OK;
    }
    return WGDN_OK;
}

/* The one whose first bytes these are; NULL if it is none's. */
static wgdn_status by_start(const wgdn_format **out, const wgdn_format *const *all,
                            const char *path, wgdn_error *err)
{
    wgdn_start s;
    const wgdn_status st = wgdn_source_start(&s, path, err);
    if (st) return st;
    const wgdn_text start = wgdn_text_of(s.byte, s.size);
    *out = NULL;
    for (; !*out && *all; all++) {
        const size_t length = (*all)->magic ? strlen((*all)->magic) : 0;
        if (((*all)->look && (*all)->look(start)) ||
            (length && length <= start.size && memcmp(start.at, (*all)->magic, length) == 0))
            *out = *all;
    }
    return WGDN_OK;
}

wgdn_status wgdn_format_to_read(const wgdn_format **out, const wgdn_format *const *all,
                                const char *name, const char *path, wgdn_error *err)
{
    struct stat s;
    if (!is_auto(name)) {
        *out = find(all, name, false);
        return *out ? WGDN_OK : unknown(all, name, false, err);
    }
    if (wgdn_system_stat(path, &s) != 0)
        return wgdn_fail(err, WGDN_EIO, "%s: cannot be opened: %s", wgdn_show_name(path).text,
                         strerror(errno));
    wgdn_status st = by_name(out, all, S_ISDIR(s.st_mode), path, err);
    /* Names like .txt say little, and a pipe can be read once. */
    if (!st && (!*out || *out == all[0]) && S_ISREG(s.st_mode)) st = by_start(out, all, path, err);
    if (!st && !*out) *out = all[0];
    return st;
}

/* ---- writing ---- */

wgdn_status wgdn_format_to_write(const wgdn_format **out, const wgdn_format *const *all,
                                 const char *name, const char *path, wgdn_error *err)
{
    *out = NULL;
    if (!is_auto(name)) {
        *out = find(all, name, true);
        return *out ? WGDN_OK : unknown(all, name, true, err);
    }
    for (const wgdn_format *const *f = all; !*out && *f; f++)
        if ((*f)->info.writes && has_suffix(*f, path)) *out = *f;
    if (*out) return WGDN_OK;
    return wgdn_fail(err, WGDN_EINVAL, "%s: the name does not say which format; end it with %s",
                     wgdn_show_name(path).text, list_suffixes(all).text);
}
