/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "interrupt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int copy_out(const char *path)
{
    char block[1 << 16];
    size_t size = 0;
    FILE *from = fopen(path, "r");
    bool good = from != NULL;
    while (good && (size = fread(block, 1, sizeof block, from)) > 0)
        good = fwrite(block, 1, size, stdout) == size;
    good = good && !ferror(from) && fflush(stdout) == 0;
    const bool unread = !good && errno == EPIPE; /* as 'head' does when it has enough */
    if (!good && !unread) complain("standard output: cannot be written: %s", strerror(errno));
    if (from) fclose(from);
    return good ? DONE : unread ? NO_READER : FAILED;
}

static int through_folder(int (*write)(const char *path, void *user), void *user)
{
    char folder[512], file[560];
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/wgdn.XXXXXX", root && *root ? root : "/tmp");
    if (!mkdtemp(folder)) {
        complain("%s: cannot create a temporary folder: %s", folder, strerror(errno));
        return FAILED;
    }
    snprintf(file, sizeof file, "%s/out", folder);
    int code = write(file, user);
    if (code == DONE) code = copy_out(file);
    (void)unlink(file);
    (void)rmdir(folder);
    return code;
}

int deliver_file(const char *path, int (*write)(const char *path, void *user), void *user)
{
    interrupt_hold();
    const int code = strcmp(path, "-") != 0 ? write(path, user) : through_folder(write, user);
    interrupt_release();
    return code;
}
