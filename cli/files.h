/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli.h"

/*
 * Read what a path and the options name, with a progress bar; - is standard input. Gives an exit
 * code; what went wrong has been said.
 */
int dataset_read(wgdn_dataset **out, const cli *c, const char *path);
/* The default scratch folder is that of the output; its name goes to `folder`. */
void dataset_scratch(cli *c, const char *output, char *folder, size_t size);
/* From now on data is read as that which a model was made of. DONE, or a complaint. */
int dataset_encode(cli *c, const wgdn_model *m);
/* What is known of a dataset, a model and this machine. */
wgdn_dataset_info dataset_info(const wgdn_dataset *d);
wgdn_model_info model_info(const wgdn_model *m);
wgdn_machine machine_info(void);
/* DONE, or BAD_INPUT after a complaint that there is no such file. */
int path_check(const char *path);

/*
 * Where an input is -, let it be standard input: kept, so that it can be looked at and read again
 * like a file. There can be one. Gives an exit code; what went wrong has been said.
 */
int input_open(cli *c);
/* How to call a path in what is printed: standard input is -. */
const char *input_name(const char *path);
const char *path_name(const char *path); /* without its folder */
/*
 * The files of an option: "a.csv,b.npy,structure" are two and a word, unless there is a file of that
 * whole name. Visits each until one gives something other than DONE, and gives that.
 */
int input_each(const char *list, int (*visit)(void *user, const char *path), void *user);

/* By wgdn_file_kind_of(); --vectors and --no-vectors decide for the user. */
bool is_vectors(const cli *c, const char *path);
bool is_model(const char *path);
bool is_file(const char *path); /* a regular one, which can be read twice */

/* Training options: defaults, then preset, configuration file and flags. An exit code. */
int settings_read(wgdn_train_options *o, const cli *c);

/* The same for evaluation; preset and configuration file by their section [eval]. */
int eval_settings_read(wgdn_eval_options *o, const cli *c);

/*
 * Whether a run fits into what memory there is; says so if not. The estimate is left in *needs.
 */
int settings_fit(wgdn_train_needs *needs, const cli *c, const wgdn_dataset *d,
                 const wgdn_train_options *o);

/* Vectors of a dataset from a model or a file. */
/* Each returns an exit code after printing what failed. */
int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads);
/* The same with every option. */
int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o);
int vectors_read(wgdn_embedding **e, const char *path);
/* The same, with advice if the file holds a graph. */
int vectors_wanted(wgdn_embedding **e, const char *path);
/* The vectors of the first operand, and a dataset of their ids with the labels that --labels has. */
int vectors_alone(wgdn_dataset **d, wgdn_embedding **e, const cli *c);
/* The id of a row in `text`, cut where it is longer; its length. */
enum { ID_ROOM = 65536 };
size_t vectors_id(char text[ID_ROOM], const wgdn_embedding *e, int64_t row);
/* The k nearest of all rows to each of `count` rows. index and score: count x k. */
int vectors_search(int64_t *index, float *score, const wgdn_embedding *e, const int64_t *row,
                   int64_t count, int64_t k, wgdn_similarity metric, int threads);
/* The format of a table of results by the name of its file, which may be NULL; - is CSV. */
int table_settle(const char **format, const cli *c, const char *path);
/* Rejects a --numbers that the format cannot hold. */
int vectors_check_numbers(const cli *c, const char *format);
/* To a path, - is standard output; --no-header and --numbers count. */
int vectors_write(const cli *c, const wgdn_embedding *e, const char *path, const char *format);

/* Ids from the command line or from a file with one on a line. */
typedef struct id_list {
    const char **id;
    int64_t count;
    char *text; /* of the file, or NULL */
} id_list;
int id_list_no_memory(void); /* complains; an exit code */
/* Each DONE, or another exit code after a complaint. */
int id_list_take(id_list *l, const char **word, int64_t count);
int id_list_read(id_list *l, const char *path); /* - is standard input; empty lines are none */
void id_list_free(id_list *l);

#endif
