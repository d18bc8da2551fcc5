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

#endif
