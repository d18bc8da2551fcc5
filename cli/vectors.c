/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <string.h>

int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads)
{
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.task = task;
    o.pool = pool;
    o.threads = threads;
    return vectors_embed_with(e, m, d, &o);
}

int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_model_embed(e, m, d, o, &err);
    return st ? complain_status(st, &err) : DONE;
}

int vectors_read(wgdn_embedding **e, const char *path)
{
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_embedding_read(e, path, &err);
    return st ? complain_status(st, &err) : DONE;
}

typedef struct writing {
    const wgdn_embedding *e;
    char format[64];
} writing;

static int write_at(const char *path, void *user)
{
    const writing *w = user;
    wgdn_error err = {WGDN_OK, ""};
    const wgdn_status st = wgdn_embedding_write(w->e, path, w->format, &err);
    return st ? complain_status(st, &err) : DONE;
}

int vectors_write(const cli *c, const wgdn_embedding *e, const char *path, const char *format)
{
    const bool text = strcmp(format, "tsv") == 0 || strcmp(format, "csv") == 0;
    const bool bare = option_on(&c->values, OPT_NO_HEADER);
    writing w = {.e = e};
    if (bare && !text) remark(c, "--no-header has no effect with --to %s", format);
    snprintf(w.format, sizeof w.format, "%s%s", format, bare && text ? ":no-header" : "");
    return deliver_file(path, write_at, &w);
}
