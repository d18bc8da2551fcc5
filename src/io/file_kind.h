/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_IO_FILE_KIND_H
#define WGDN_IO_FILE_KIND_H

#include "zip.h"

/* Files of other programs that are not read: named, with the command that turns them into CSV. */
/* WGDN_EFORMAT if the first bytes are such a file's. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse(const unsigned char *data, size_t size,
                                                const char *path, wgdn_error *err);
/* What such a file is called; NULL if it is none. */
const char *wgdn_foreign_name(const unsigned char *data, size_t size);
/* Likewise for what is a zip: workbooks and PyTorch's files. */
WGDN_MUST_CHECK wgdn_status wgdn_foreign_refuse_zip(const wgdn_zip *z, const char *path,
                                                    wgdn_error *err);

#endif
