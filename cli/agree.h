/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks tell each other before they go on. */
#ifndef WGDN_CLI_AGREE_H
#define WGDN_CLI_AGREE_H

#include "args/command.h"

/* DONE where all ranks have the same number, from 0 on; else USAGE, and a message that names one. */
int ranks_same(const cli *c, int number, const char *what);

/* ---- message.c: complaints of a rank until all know that it failed ---- */

enum { COMPLAINTS_MAX = 1024 };

void complaints_keep(void); /* from now on */
const char *complaints_kept(void);
/* Lines of text, each with who said it, by the root rank; what was kept is gone. */
void complaints_print(const char *who, const char *text);

#endif
