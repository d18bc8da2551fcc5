/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A main for targets built without libFuzzer: run every file, and every file of every folder. After
 * -found, files that hold many inputs, each behind its size and a line feed (fuzz/keep).
 */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include "io/source.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees its end */
    FUZZ_EXPECT(exact);
    if (size) memcpy(exact, data, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* The inputs of one file, one behind the other. */
static int run_found(const uint8_t *data, size_t size)
{
    int count = 0;
    for (size_t at = 0; at < size; count++) {
        size_t length = 0;
        for (; at < size && data[at] >= '0' && data[at] <= '9'; at++)
            length = length * 10 + (size_t)(data[at] - '0');
        FUZZ_EXPECT(at < size && data[at] == '\n' && length <= size - at - 1);
        run(data + at + 1, length);
        at += length + 1;
    }
    return count;
}

static int run_file(const char *path, bool found)
{
    wgdn_error err;
    wgdn_bytes b = {0};
    int count = 1;
    if (wgdn_bytes_map(&b, path, &err) != WGDN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 0;
    }
    if (found)
        count = run_found(b.data, b.size);
    else
        run(b.data, b.size);
    wgdn_bytes_free(&b);
    return count;
}

static int run_path(const char *path)
{
    char file[4096];
    int count = 0;
    DIR *folder = opendir(path);
    if (!folder) return run_file(path, false);
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        count += run_file(file, false);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    bool found = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-found") == 0)
            found = true;
        else
            count += found ? run_file(argv[i], true) : run_path(argv[i]);
    printf("%d inputs\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
