/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_CMD_EMBED_H
#define CLI_CMD_EMBED_H

#include "cli.h"
#include "terminal.h"

/* --explain: how a run will be computed. */
/* As a table for people; an exit code. */
int explain_text(FILE *to, const wgdn_dataset *d, const wgdn_train_options *o);
/* As members of the object that is open. */
int explain_json(json *j, const wgdn_dataset *d, const wgdn_train_options *o);

/* The closed form, for the commands that fit it. */
enum { FITTING_PATH = 4096 };

/*
 * Fit options of the command line. --features FILE,structure, whichever option of that name the
 * command takes, is taken apart: the file's name goes to `path`, which must live as long as the
 * options are looked at.
 */
int fitting_settings(wgdn_fit_options *o, cli *c, char path[FITTING_PATH]);
/* The model and the vectors of a dataset, with a progress bar and --explain; an exit code. */
int fitting_embed(wgdn_embedding **e, wgdn_model **m, const cli *c, const wgdn_dataset *d,
                  const wgdn_fit_options *o);
/* What a fitted model is made of, and why. */
void fitting_explain(FILE *to, const wgdn_model *m);
void fitting_json(json *j, const wgdn_model *m);

#endif
