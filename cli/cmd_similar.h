/* SPDX-License-Identifier: Apache-2.0 */
/* Ids to ask for, from the command line or a file. */
#ifndef CLI_CMD_SIMILAR_H
#define CLI_CMD_SIMILAR_H

#include "cli.h"

typedef struct id_list {
    const char **id;
    int64_t count;
    char *text; /* of the file, or NULL */
} id_list;

/* Each DONE, or another exit code after a complaint. */
int id_list_take(id_list *l, const char **word, int64_t count);
/* One on a line, - is standard input; empty lines are none. */
int id_list_read(id_list *l, const char *path);
int id_list_no_memory(void); /* complains; an exit code */
void id_list_free(id_list *l);

#endif
