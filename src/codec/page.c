/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include <string.h>

static void flush(wgdn_page *p)
{
    if (!p->st && p->used) p->st = wgdn_output_write(p->out, p->text, p->used, p->err);
    p->used = 0;
}

void wgdn_page_put(wgdn_page *p, const void *text, size_t size)
{
    if (size > sizeof p->text - p->used) flush(p);
    if (size > sizeof p->text) {
        if (!p->st) p->st = wgdn_output_write(p->out, text, size, p->err);
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
    p->used = 0;
    p->err = err;
    p->st = wgdn_output_open(&p->out, path, err);
    if (p->st) {
        const wgdn_status st = p->st;
        wgdn_release(p);
        return st;
    }
    *out = p;
    return WGDN_OK;
}

wgdn_status wgdn_page_close(wgdn_page *p)
{
    flush(p);
    wgdn_status st = p->st;
    if (st)
        wgdn_output_abandon(p->out);
    else
        st = wgdn_output_commit(p->out, p->err);
    wgdn_release(p);
    return st;
}
