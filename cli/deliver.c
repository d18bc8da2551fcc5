/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a command to standard output or to a file, which is whole or not there. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "interrupt.h"

#include <errno.h>
#include <string.h>

static int deliver_out(const char *data, size_t size)
{
    if (fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0) return DONE;
    if (errno == EPIPE) return NO_READER;
    complain("standard output: cannot be written: %s", strerror(errno));
    return FAILED;
}

static int put_file(const char *path, const char *data, size_t size)
{
    wgdn_error err = {0};
    const wgdn_status st = wgdn_file_write(path, data, size, &err);
    return st ? complain_status(st, &err) : DONE;
}

int deliver(const char *path, const char *data, size_t size)
{
    interrupt_hold();
    const int code = strcmp(path, "-") == 0 ? deliver_out(data, size) : put_file(path, data, size);
    interrupt_release();
    return code;
}
