/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli.h"

/*
 * DONE, or USAGE after a complaint: an output is the same file as an input or as another output,
 * through links and other spellings, too, or a text file in a folder that is an input; or FAILED:
 * it cannot be created, another user's link is in its place, or another process writes it. Then the
 * root rank has locked them all (outputs.h). Nothing has been read or written yet.
 */
int outputs_check(const cli *c);

/* One run an output: FILE.wgdn-lock beside it, locked while the run lasts. */
/* Give up all that this process took, and remove their files; at the end. */
void lock_release(void);
/* The same in a signal handler. */
void lock_forget(void);

#endif
