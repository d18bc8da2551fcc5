/* SPDX-License-Identifier: Apache-2.0 */
/* Last words of a process that the system ends for what others did. */
#ifndef CLI_CRASH_H
#define CLI_CRASH_H

/* From here on; a fault of the program itself ends it as ever. */
void crash_watch(void);

#endif
