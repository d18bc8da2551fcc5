/* SPDX-License-Identifier: Apache-2.0 */
/* A long reading tells how far it is, and stops when it is told to. */
#define _DEFAULT_SOURCE
#include "scratch.h"

enum { LINES = 400000 };

typedef struct listener {
    int calls, stop_at;
    int64_t last, total;
    bool ascending;
} listener;

static int listen(void *user, int64_t done, int64_t total)
{
    listener *l = user;
    if (done <= l->last || done > total) l->ascending = false;
    l->last = done;
    l->total = total;
    return ++l->calls == l->stop_at;
}

static wgdn_status read_with(listener *l, int threads, const char *path, wgdn_dataset **d,
                             wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_dataset_options_init(&o);
    o.threads = threads;
    o.progress = listen;
    o.progress_user = l;
    return wgdn_dataset_read(d, path, &o, err);
}

/* Integers are read by several threads, names by one. */
static void tells_and_stops(const char *format)
{
    const scratch_name path = scratch("edges.tsv");
    wgdn_dataset *d = NULL;
    wgdn_error err;
    listener l = {.ascending = true}, many = l, impatient = {.stop_at = 2};
    FILE *f = fopen(path.text, "w");
    int64_t size = 0;
    for (int i = 0; f && i < LINES; i++)
        size += fprintf(f, format, i, i / 2);
    if (f) fclose(f);

    CHECK(read_with(&l, 1, path.text, &d, &err) == WGDN_OK);
    CHECK(l.ascending && l.calls >= 3);
    CHECK(l.total == size);
    wgdn_dataset_free(d);
    d = NULL;
    CHECK(read_with(&many, 3, path.text, &d, &err) == WGDN_OK);
    CHECK(many.ascending); /* how often depends on who gets the work */
    wgdn_dataset_free(d);
    d = NULL;

    const int64_t live = wgdn_alloc_live();
    CHECK(read_with(&impatient, 1, path.text, &d, &err) == WGDN_ESTOPPED);
    CHECK(impatient.calls == 2);
    CHECK(!d && wgdn_alloc_live() == live);
}

static void integers(void)
{
    tells_and_stops("%d\t%d\n");
}

static void names(void)
{
    tells_and_stops("n%d\tn%d\n");
}

int main(void)
{
    scratch_begin();
    RUN(integers);
    RUN(names);
    scratch_end();
    return check_result();
}
