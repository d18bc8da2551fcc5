/* SPDX-License-Identifier: Apache-2.0 */
/* Files under way to a name: beside it, locked while somebody writes them. */
#ifndef WGDN_IO_OUTPUT_FILE_H
#define WGDN_IO_OUTPUT_FILE_H

#include "source.h"

enum { WGDN_TEMPORARY_EXTRA = 24 }; /* bytes that a name gets beyond its target's, NUL included */

#endif
