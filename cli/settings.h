/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_CLI_SETTINGS_H
#define WGDN_CLI_SETTINGS_H

#include "cli.h"

/* Training options: defaults, then preset, configuration file and flags. An exit code. */
int settings_read(wgdn_train_options *o, const cli *c);

/* The same for evaluation; preset and configuration file by their section [eval]. */
int eval_settings_read(wgdn_eval_options *o, const cli *c);

/*
 * Whether a run fits into what memory there is; says so if not. The estimate is left in *needs.
 */
int settings_fit(wgdn_train_needs *needs, const cli *c, const wgdn_dataset *d,
                 const wgdn_train_options *o);

#endif
