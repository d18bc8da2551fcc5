/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_LINES_H
#define WGDN_IO_LINES_H

#include "archive.h"
#include "base/base.h"
#include "source.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* Lines of separated fields: TSV, CSV, semicolons, spaces. */
/* The callback for progress; tell is NULL if there is none. */
typedef struct wgdn_watch {
    int (*tell)(void *user, int64_t done, int64_t total); /* in bytes; returns non-zero to stop */
    void *user;
    int64_t told; /* bytes at the last call */
} wgdn_watch;

/* Reports progress every megabyte. Returns WGDN_ESTOPPED, naming the line, if the caller stops the reading. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_watch_tell(wgdn_watch *w, int64_t done,
                                                          int64_t total, const char *name,
                                                          int64_t line, wgdn_error *err)
{
    enum { TELL_EVERY = 1 << 20 };
    if (!w->tell || done - w->told < TELL_EVERY) return WGDN_OK;
    w->told = done;
    if (w->tell(w->user, done, total) == 0) return WGDN_OK;
    return wgdn_fail_at(err, WGDN_ESTOPPED, name, line, "stopped on request");
}

/* Whether the first row of a text names its columns. */
typedef enum wgdn_header { WGDN_HEADER_AUTO, WGDN_HEADER_NO, WGDN_HEADER_YES } wgdn_header;

/* ---- separators ---- */

/* Any single byte that cannot be in the way, or tab, blanks, comma, semicolon, pipe in words. */
bool wgdn_separator_parse(char *out, const char *text);
const char *wgdn_separator_word(char separator); /* "commas"; NULL for one without a name */

/* A text to be read row by row. */
typedef struct wgdn_input {
    const void *data;
    size_t size;
    const char *name; /* of the file, for messages */
    wgdn_header header;
    wgdn_watch watch;
    char separator; /* ' ' for blanks; 0: detect it in the first lines */
    char decimal;   /* ',' or '.'; 0: detect it in the first lines */
    const char *id; /* of tables: heading or number of the column of ids; NULL: detect it */
    int64_t id_at;  /* the column of ids that a look at the values found, from 1 on; 0: no look */
    bool id_named;  /* row 1 has a heading over it */
} wgdn_input;

static inline wgdn_input wgdn_input_of(const wgdn_bytes *b)
{
    return (wgdn_input){.data = b->data, .size = b->size, .name = b->name};
}

/*
 * Walks over text in memory, which must outlive it. Blank lines and lines that start with # or %
 * are passed over; a byte order mark is skipped; lines end in LF or CRLF. The separator is found as
 * lines.c says. Except between blanks, a field may stand in double quotes, with "" for a quote,
 * and may then hold anything.
 */
typedef struct wgdn_lines {
    const char *name;
    const unsigned char *at, *end;
    char separator, decimal;
    int64_t line;             /* where the current row starts, from 1 */
    int64_t next;             /* the line number at `at` */
    const unsigned char *row; /* the first byte of the current row */
    wgdn_text *field;         /* the current row, until the next call */
    int64_t fields, room;
    unsigned char *scratch; /* fields whose quotes had to be undone */
    int64_t scratch_used, scratch_room;
    wgdn_watch watch;
    const unsigned char *start;
} wgdn_lines;

void wgdn_lines_open(wgdn_lines *l, const wgdn_input *in);

/* Harmless on a zeroed one. */
static inline void wgdn_lines_close(wgdn_lines *l)
{
    wgdn_release(l->scratch);
    wgdn_release(l->field);
    *l = (wgdn_lines){0};
}

/*
 * The next row, or *more = false at the end. Fails for an open quote, for lack of memory, and when
 * the watcher says stop.
 */
WGDN_MUST_CHECK wgdn_status wgdn_lines_next(wgdn_lines *l, bool *more, wgdn_error *err);
/* Whether there is a next row, for loops over them; false once *st is a failure. */
static inline bool wgdn_lines_more(wgdn_lines *l, wgdn_status *st, wgdn_error *err)
{
    bool more = false;
    if (!*st) *st = wgdn_lines_next(l, &more, err);
    return !*st && more;
}
/* Puts the current row back: the next call returns it again. */
static inline void wgdn_lines_again(wgdn_lines *l)
{
    l->at = l->row;
    l->next = l->line;
}

/* wgdn_text_number() with the decimal point or comma of these lines. */
bool wgdn_lines_number(const wgdn_lines *l, wgdn_text t, double *out);

/* WGDN_EFORMAT as "name:line:column: ..."; field < 0 leaves the column out. */
__attribute__((format(printf, 4, 5))) wgdn_status wgdn_lines_fail(const wgdn_lines *l,
                                                                  int64_t field, wgdn_error *err,
                                                                  const char *format, ...);

/* Metadata of a file that is being written: keys and values as text, options included. */
enum { WGDN_PAIRS_MAX = 96, WGDN_PAIR_TEXT = 160 };

typedef struct wgdn_pairs {
    wgdn_text_pair pair[WGDN_PAIRS_MAX];
    char key[WGDN_PAIRS_MAX][64], value[WGDN_PAIRS_MAX][WGDN_PAIR_TEXT];
    int count;
} wgdn_pairs;

/* prefix and key together are the key. */
static inline void wgdn_pairs_add(wgdn_pairs *p, const char *prefix, const char *key,
                                  const char *value)
{
    const int i = p->count++;
    snprintf(p->key[i], sizeof p->key[i], "%s%s", prefix, key);
    snprintf(p->value[i], sizeof p->value[i], "%s", value);
    p->pair[i] = (wgdn_text_pair){p->key[i], p->value[i]};
}

/* A long value, which is borrowed; NULL: none. */
static inline void wgdn_pairs_lend(wgdn_pairs *p, const char *key, const char *value)
{
    if (value) p->pair[p->count++] = (wgdn_text_pair){key, value};
}
/* Whether an option changes how a result is computed but not the result: threads, workspace. */
static inline bool wgdn_how_not_what(const char *name)
{
    return strcmp(name, "threads") == 0 || strcmp(name, "workspace") == 0;
}

/* Adds all other options as "option.NAME". */
WGDN_MUST_CHECK wgdn_status wgdn_pairs_add_options(wgdn_pairs *p, wgdn_options_kind kind,
                                                   const void *o, wgdn_error *err);
/* Reads such options from a file; o must hold the defaults. */
WGDN_MUST_CHECK wgdn_status wgdn_pairs_read_options(void *o, wgdn_options_kind kind,
                                                    const wgdn_archive *a, const char *path,
                                                    wgdn_error *err);
/* Refuses a file of another version than 1, which a newer library may read. */
WGDN_MUST_CHECK static inline wgdn_status wgdn_pairs_version(const wgdn_archive *a,
                                                             const char *path, wgdn_error *err)
{
    const char *version = wgdn_archive_metadata(a, "wgdn.version");
    if (version && strcmp(version, "1") == 0) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT,
                     "%s: its version is %.20s; this library reads version 1: use a newer library",
                     path, version ? version : "missing");
}

/* A matrix of floats as a tensor. */
static inline wgdn_tensor wgdn_tensor_of(const char *name, const float *data, int64_t rows,
                                         int64_t cols)
{
    return (wgdn_tensor){.name = name,
                         .dtype = WGDN_F32,
                         .rank = 2,
                         .shape = {rows, cols},
                         .width = sizeof *data,
                         .data = data};
}
/* A tensor of that shape from a file into its place. */
WGDN_MUST_CHECK wgdn_status wgdn_tensor_fetch(float *to, const wgdn_archive *a,
                                              const wgdn_tensor *shape, const char *path,
                                              wgdn_error *err);

#endif
