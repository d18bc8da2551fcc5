/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: how a run will be computed. */
#ifndef WGDN_CLI_EXPLAIN_H
#define WGDN_CLI_EXPLAIN_H

#include "cli.h"
#include "json.h"

/* As a table for people; an exit code. */
int explain_text(FILE *to, const wgdn_dataset *d, const wgdn_train_options *o);
/* As members of the object that is open. */
int explain_json(json *j, const wgdn_dataset *d, const wgdn_train_options *o);

#endif
