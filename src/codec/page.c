/* SPDX-License-Identifier: Apache-2.0 */
/* Writes lines of text fields through a buffer, and compresses them if the file name ends in .gz. */
#include "page.h"
#include "source.h"

#include <string.h>
#include <zlib.h>

/* A gzip stream. Its header has no time and no name, so equal text gives equal bytes. */
typedef struct wgdn_gzip {
    z_stream stream;
    unsigned char packed[1 << 16];
} wgdn_gzip;

static wgdn_status gzip_open(wgdn_page *p, const char *path)
{
    enum { LEVEL = 6, GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    p->gzip = wgdn_alloc_zero(1, sizeof *p->gzip);
    if (p->gzip && deflateInit2(&p->gzip->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                                Z_DEFAULT_STRATEGY) == Z_OK)
        return WGDN_OK;
    wgdn_release(p->gzip);
    p->gzip = NULL;
    return wgdn_fail(p->err, WGDN_ENOMEM, "%s: compressing it", wgdn_show_name(path).text);
}

static void gzip_close(wgdn_gzip *g)
{
    if (g) (void)deflateEnd(&g->stream);
    wgdn_release(g);
}

static wgdn_status gzip_write(wgdn_page *p, const void *text, size_t size, int flush)
{
    z_stream *z = &p->gzip->stream;
    wgdn_status st = WGDN_OK;
    z->next_in = (unsigned char *)(uintptr_t)text; /* zlib does not write to it */
    z->avail_in = (uInt)size;
    do {
        z->next_out = p->gzip->packed;
        z->avail_out = sizeof p->gzip->packed;
        (void)deflate(z, flush);
        st = wgdn_output_write(p->out, p->gzip->packed, sizeof p->gzip->packed - z->avail_out,
                               p->err);
    } while (!st && z->avail_out == 0);
    return st;
}

static void write_text(wgdn_page *p, const void *text, size_t size)
{
    enum { MOST = 1 << 30 }; /* bytes that zlib takes at once */
    const char *at = text;
    for (size_t left = size; !p->st && left > 0;) {
        const size_t part = p->gzip && left > MOST ? MOST : left;
        p->st = p->gzip ? gzip_write(p, at, part, Z_NO_FLUSH)
                        : wgdn_output_write(p->out, at, part, p->err);
        at += part;
        left -= part;
    }
}

static void flush(wgdn_page *p)
{
    write_text(p, p->text, p->used);
    p->used = 0;
}

void wgdn_page_put(wgdn_page *p, const void *text, size_t size)
{
    if (size > sizeof p->text - p->used) flush(p);
    if (size > sizeof p->text) {
        write_text(p, text, size);
        return;
    }
    if (size) memcpy(p->text + p->used, text, size);
    p->used += size;
}

void wgdn_page_word(wgdn_page *p, const char *word)
{
    wgdn_page_put(p, word, strlen(word));
}

void wgdn_page_float(wgdn_page *p, float value)
{
    char text[WGDN_FLOAT_TEXT];
    if (value == 0)
        wgdn_page_put(p, "0", 1);
    else
        wgdn_page_put(p, text, wgdn_print_float(text, value));
}

/* In quotes if a reader would take it for something else. */
void wgdn_page_field(wgdn_page *p, wgdn_text t)
{
    bool plain = t.size > 0;
    for (size_t i = 0; i < t.size && plain; i++) {
        const unsigned char c = t.at[i];
        plain = c != '\t' && c != (unsigned char)p->between && c != '\n' && c != '\r' && c != '"' &&
                !(i == 0 && (c == '#' || c == '%' || c == ' ' || c == 0xef));
    }
    if (plain) {
        wgdn_page_put(p, t.at, t.size);
        return;
    }
    wgdn_page_put(p, "\"", 1);
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] == '"') wgdn_page_put(p, "\"", 1);
        wgdn_page_put(p, t.at + i, 1);
    }
    wgdn_page_put(p, "\"", 1);
}

wgdn_status wgdn_page_open(wgdn_page **out, const char *path, wgdn_error *err)
{
    wgdn_page *p = wgdn_alloc(1, sizeof *p);
    if (!p) return wgdn_fail(err, WGDN_ENOMEM, "%s: writing it", wgdn_show_name(path).text);
    p->out = NULL;
    p->between = '\t';
    p->gzip = NULL;
    p->used = 0;
    p->err = err;
    p->st = wgdn_path_ends(path, ".gz") ? gzip_open(p, path) : WGDN_OK;
    if (!p->st) p->st = wgdn_output_open(&p->out, path, err);
    if (p->st) {
        const wgdn_status st = p->st;
        gzip_close(p->gzip);
        wgdn_release(p);
        return st;
    }
    *out = p;
    return WGDN_OK;
}

wgdn_status wgdn_page_close(wgdn_page *p)
{
    flush(p);
    if (!p->st && p->gzip) p->st = gzip_write(p, "", 0, Z_FINISH);
    wgdn_status st = p->st;
    if (st)
        wgdn_output_abandon(p->out);
    else
        st = wgdn_output_commit(p->out, p->err);
    gzip_close(p->gzip);
    wgdn_release(p);
    return st;
}
