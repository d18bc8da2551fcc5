/* SPDX-License-Identifier: Apache-2.0 */
/* Options that were given and change nothing: said on standard error, unless --quiet. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "cli.h"

/* After the options are settled and the data is there. Commands call the one that is theirs. */
void effects_train(const cli *c, const wgdn_train_options *o, const wgdn_dataset *d);
void effects_fit(const cli *c, const wgdn_fit_options *o, const wgdn_dataset *d);
void effects_estimate(const cli *c, const wgdn_train_options *t, const wgdn_fit_options *f,
                      const wgdn_dataset *d);
void effects_embed(const cli *c, bool graphs);
void effects_eval(const cli *c, const wgdn_eval_options *o, const char *task,
                  const wgdn_dataset *d);
void effects_plot(const cli *c, const char *kind);

#endif
