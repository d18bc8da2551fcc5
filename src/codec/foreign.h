/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other programs that are not read: named, with the command that turns them into CSV. */
#ifndef WGDN_FOREIGN_H
#define WGDN_FOREIGN_H

#include "zip.h"

/* WGDN_EFORMAT if the first bytes are such a file's. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse(const unsigned char *data, size_t size,
                                                const char *path, wgdn_error *err);
/* Likewise for what is a zip: workbooks and PyTorch's files. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse_zip(const wgdn_zip *z, const char *path,
                                                    wgdn_error *err);

#endif
