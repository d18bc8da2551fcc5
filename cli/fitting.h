/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form, for the commands that fit it. */
#ifndef WGDN_CLI_FITTING_H
#define WGDN_CLI_FITTING_H

#include "cli.h"
#include "json.h"

enum { FITTING_PATH = 4096 };

/*
 * Fit options of the command line. --features FILE,structure, whichever option of that name the
 * command takes, is taken apart: the file's name goes to `path`, which must live as long as the
 * options are looked at.
 */
int fitting_settings(wgdn_fit_options *o, cli *c, char path[FITTING_PATH]);
/* Fit with a bar, and explain if asked to. An exit code. */
int fitting_run(wgdn_model **m, const cli *c, const wgdn_dataset *d, const wgdn_fit_options *o);
/* What a fitted model is made of, and why. */
void fitting_explain(FILE *to, const wgdn_model *m);
void fitting_json(json *j, const wgdn_model *m);

#endif
