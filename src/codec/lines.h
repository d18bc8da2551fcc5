/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of separated fields: TSV, CSV, semicolons, spaces. */
#ifndef WGDN_LINES_H
#define WGDN_LINES_H

#include "bytes.h"
#include "text.h"

/* Whom to tell how far the reading is; tell is NULL where nobody wants to know. */
typedef struct wgdn_watch {
    int (*tell)(void *user, int64_t done, int64_t total); /* bytes; not 0: stop */
    void *user;
} wgdn_watch;

/* Whether the first row of a text names its columns. */
typedef enum wgdn_header { WGDN_HEADER_AUTO, WGDN_HEADER_NO, WGDN_HEADER_YES } wgdn_header;

/* A text to be read row by row. */
typedef struct wgdn_input {
    const void *data;
    size_t size;
    const char *name; /* of the file, for messages */
    wgdn_header header;
    wgdn_watch watch;
    char separator; /* ' ' for blanks; 0: the one that the first lines show */
    char decimal;   /* ',' or '.'; 0: a comma only where the first lines show it */
    const char *id; /* of tables: heading or number of the column of ids; NULL: look */
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
 * separator.h says. Except between blanks, a field may stand in double quotes, with "" for a quote,
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
    const unsigned char *start, *told;
} wgdn_lines;

void wgdn_lines_open(wgdn_lines *l, const wgdn_input *in);
void wgdn_lines_close(wgdn_lines *l); /* also when it was never opened, if zeroed */

/*
 * The next row, or *more = false at the end. Fails for an open quote, for lack of memory, and when
 * the watcher says stop.
 */
WGDN_MUST_CHECK wgdn_status wgdn_lines_next(wgdn_lines *l, bool *more, wgdn_error *err);
/* Put the current row back: the next call gives it again. */
void wgdn_lines_again(wgdn_lines *l);

/* wgdn_text_number() with the decimal point or comma of these lines. */
bool wgdn_lines_number(const wgdn_lines *l, wgdn_text t, double *out);

/* WGDN_EFORMAT as "name:line:column: ..."; field < 0 leaves the column out. */
__attribute__((format(printf, 4, 5))) wgdn_status wgdn_lines_fail(const wgdn_lines *l,
                                                                  int64_t field, wgdn_error *err,
                                                                  const char *format, ...);

#endif
