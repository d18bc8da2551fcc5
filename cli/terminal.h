/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Signals that ask for an end: at once where nothing is lost, else when the current step is done. */
/*
 * From now on SIGINT, SIGTERM and SIGHUP end the program with code 75, unless whoever started it had
 * them ignored (nohup); the same one again ends it the hard way. SIGXFSZ and SIGPIPE are ignored:
 * the write fails, and is reported like any other. tidy is called before the program ends at once.
 */
void interrupt_watch(void (*tidy)(void));
/* Between the two a signal is only noted: files are being made, or a checkpoint must be. May nest. */
void interrupt_hold(void);
void interrupt_release(void);
bool interrupt_asked(void);
void interrupt_silence(void); /* print no message */

/*
 * JSON on one line, written as it comes; commas look after themselves. The names keep clear of
 * those of the JSON library that the static libwgdn brings along.
 */
typedef struct json {
    FILE *to;
    bool comma; /* the next value needs a comma */
} json;

/* A line with one object. */
json json_begin(FILE *to);
void json_end(json *j);
/* key is NULL inside arrays. */
void json_put_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_put_close(json *j, char bracket);                 /* '}' or ']' */
void json_put_integer(json *j, const char *key, int64_t value);
void json_put_real(json *j, const char *key, double value); /* null when it is not finite */
void json_put_bool(json *j, const char *key, bool value);
void json_put_null(json *j, const char *key);
void json_put_text(json *j, const char *key, const char *text); /* NULL becomes null */
/*
 * Any bytes; NULL becomes null. What is not UTF-8 comes out as the lone surrogate U+DC80 .. U+DCFF for each byte, as
 * Python's surrogateescape has it, so that nothing is lost and the line stays valid.
 */
void json_put_bytes(json *j, const char *key, const char *bytes, size_t size);

/* A bar on the terminal for work that lasts longer than a second; elsewhere a line a minute. */
typedef struct progress {
    FILE *to;         /* NULL: stay silent */
    const char *what; /* "reading cora.tsv" */
    const char *unit; /* "B", "epochs", ... after the rate */
    double start, shown;
    double every; /* seconds between lines; 0: there is a bar */
    int64_t base; /* done before it started, by a run that is resumed */
    bool drawn;
} progress;

/* WGDN_PROGRESS in the environment has the seconds between lines; 0: none. */
void progress_start(progress *p, const char *what, const char *unit, bool quiet);
/* Call as often as you like: it draws ten times a second at most. total < 1: unknown. */
void progress_show(progress *p, int64_t done, int64_t total);
void progress_end(progress *p); /* wipes the bar */
/* The callback of calls of the library, with a progress as its user. */
int progress_watch(void *p, int64_t done, int64_t total);

/* Complaints of a rank, until all know that it failed. */
enum { COMPLAINTS_MAX = 1024 };

void complaints_keep(void); /* from now on */
const char *complaints_kept(void);
/* The root rank prints each line behind `who`; buffered lines are dropped. */
void complaints_print(const char *who, const char *text);

double seconds_now(void); /* since some moment before the program began */

/* Bytes and numbers as people read them. */
/* Length of the UTF-8 character at the start of `bytes`; 0 when there is none. */
size_t utf8_length(const char *bytes, size_t size);
/* A name on a terminal: control characters and bytes that are not UTF-8 as \xNN. */
void show_name(FILE *to, const char *bytes, size_t size);
/* A name for a picture, in `size` bytes: what is longer keeps its ends around an ellipsis; control
 * characters and bytes that are not UTF-8 become '?'. */
void show_cut(char *out, size_t size, const char *bytes, size_t length);
/* "1.5 GB", in powers of 1000. */
void show_bytes(char *text, size_t size, int64_t bytes);
/* "1 TiB": a limit, which is a power of 1024 times some number. */
void show_limit(char *text, size_t size, int64_t bytes);
/* "512", "2.1 billion", "70 trillion". */
void show_count(char *text, size_t size, int64_t count);

#endif
