/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of its own for each test program, and sweeps over failing file operations. */
#ifndef WGDN_SCRATCH_H
#define WGDN_SCRATCH_H

#include "check.h"
#include "io/source.h"

#include <dirent.h>
#include <unistd.h>

enum { SCRATCH_PATH = 512 };
static char scratch_folder[SCRATCH_PATH / 2];

static inline void scratch_begin(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/wgdn-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(scratch_folder)) {
        perror(scratch_folder);
        exit(EXIT_FAILURE);
    }
}

typedef struct scratch_name {
    char text[SCRATCH_PATH];
} scratch_name;

static inline scratch_name scratch(const char *name)
{
    scratch_name path;
    snprintf(path.text, sizeof path.text, "%s/%s", scratch_folder, name);
    return path;
}

/* How many files there are, after removing them if so wished. */
static inline int scratch_files(bool remove_them)
{
    DIR *folder = opendir(scratch_folder);
    int files = 0;
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (remove_them) (void)unlink(scratch(e->d_name).text);
        files++;
    }
    if (folder) closedir(folder);
    return files;
}

static inline void scratch_end(void)
{
    (void)scratch_files(true);
    (void)rmdir(scratch_folder);
}

static inline void scratch_write(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(scratch(name).text, "wb");
    CHECK(f && fwrite(data, 1, size, f) == size);
    if (f) fclose(f);
}

/* Run a call with 0, 1, 2, ... file operations allowed until it succeeds; else WGDN_EIO or WGDN_EWRITE. */
#define CHECK_FILE_OPERATIONS(call, undo)                                              \
    do {                                                                               \
        const int64_t check_live = wgdn_alloc_live();                                  \
        wgdn_status check_io = WGDN_EIO;                                               \
        for (int64_t check_n = 0; check_io != WGDN_OK && check_n < 10000; check_n++) { \
            wgdn_io_allow(check_n);                                                    \
            check_io = (call);                                                         \
            wgdn_io_allow(-1);                                                         \
            if (check_io == WGDN_OK) {                                                 \
                CHECK(check_n > 0);                                                    \
                undo;                                                                  \
            } else {                                                                   \
                CHECK(check_io == WGDN_EIO || check_io == WGDN_EWRITE);                \
            }                                                                          \
            CHECK(wgdn_alloc_live() == check_live);                                    \
        }                                                                              \
        CHECK(check_io == WGDN_OK);                                                    \
    } while (0)

#endif
