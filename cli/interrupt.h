/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and SIGTERM: stop at once where nothing is lost, else when the current step is done. */
#ifndef WGDN_CLI_INTERRUPT_H
#define WGDN_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the program ends with code 75; a second signal ends it the hard way. */
void interrupt_watch(void);
/* Between the two a signal is only noted: files are being made, or a checkpoint must be. */
void interrupt_silence(void); /* say nothing when it comes */
void interrupt_hold(void);
void interrupt_release(void);
bool interrupt_asked(void);

#endif
