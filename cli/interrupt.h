/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask for an end: at once where nothing is lost, else when the current step is done. */
#ifndef WGDN_CLI_INTERRUPT_H
#define WGDN_CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP end the program with code 75, unless whoever started it had
 * them ignored (nohup); the same one again ends it the hard way. SIGXFSZ and SIGPIPE are ignored:
 * the write fails, and is told like any other. tidy is called before the program ends at once.
 */
void interrupt_watch(void (*tidy)(void));
/* Between the two a signal is only noted: files are being made, or a checkpoint must be. May nest. */
void interrupt_hold(void);
void interrupt_release(void);
bool interrupt_asked(void);
void interrupt_silence(void); /* say nothing when it comes */

#endif
