/* SPDX-License-Identifier: Apache-2.0 */
/* What the jobs share: tables of results. */
#ifndef WGDN_JOBS_JOBS_H
#define WGDN_JOBS_JOBS_H

#include "io/text.h"

/* ---- tables of results: job_table.c ---- */

typedef enum wgdn_job_cell {
    WGDN_JOB_TEXT,
    WGDN_JOB_INTEGER,
    WGDN_JOB_REAL,
} wgdn_job_cell;

typedef struct wgdn_job_column {
    wgdn_text name; /* borrowed until the table is closed */
    wgdn_job_cell cell;
} wgdn_job_column;

/*
 * A file of rows with named columns: CSV, TSV and JSON lines, written as rows arrive, or .npz, an
 * array for each column, kept until the end. Cells are put one after another, row after row, each by
 * the call of its column's kind. The first failure is kept until the table is closed.
 */
typedef struct wgdn_job_table wgdn_job_table;

/* "csv", "tsv", "jsonl" or "npz" for a name that ends so, perhaps with .gz; WGDN_EINVAL for others. */
WGDN_MUST_CHECK wgdn_status wgdn_job_format(const char **out, const char *path, wgdn_error *err);
/* format: one of these; NULL: by the name. The columns are copied, their names are not. */
WGDN_MUST_CHECK wgdn_status wgdn_job_table_open(wgdn_job_table **out, const char *path,
                                                const char *format, const wgdn_job_column *column,
                                                int64_t columns, wgdn_error *err);
void wgdn_job_put_text(wgdn_job_table *t, wgdn_text x);
void wgdn_job_put_integer(wgdn_job_table *t, int64_t x);
void wgdn_job_put_real(wgdn_job_table *t, double x); /* as a float; null or empty if not finite */
/* Writes what is left, or nothing after a failure; frees t. */
WGDN_MUST_CHECK wgdn_status wgdn_job_table_close(wgdn_job_table *t);
void wgdn_job_table_abandon(wgdn_job_table *t); /* leaves no file; NULL is fine */

#endif
