/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion scripts, one file a shell. Each offers, for a command, its options and what may follow
 * them or stand as an operand: words, files with certain endings (any file where none has one), or
 * folders.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli.h"

#endif
