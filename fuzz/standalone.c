/* SPDX-License-Identifier: Apache-2.0 */
/* A main for targets built without libFuzzer: run every file, and every file of every folder. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include "codec/bytes.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static int run_file(const char *path)
{
    wgdn_error err;
    wgdn_bytes b = {0};
    if (wgdn_bytes_map(&b, path, &err) != WGDN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 0;
    }
    uint8_t *exact = malloc(b.size ? b.size : 1); /* so that a sanitizer sees its end */
    FUZZ_EXPECT(exact);
    memcpy(exact, b.data, b.size);
    (void)LLVMFuzzerTestOneInput(exact, b.size);
    free(exact);
    wgdn_bytes_free(&b);
    return 1;
}

static int run_path(const char *path)
{
    char file[4096];
    int count = 0;
    DIR *folder = opendir(path);
    if (!folder) return run_file(path);
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.') continue;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        count += run_file(file);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++)
        count += run_path(argv[i]);
    printf("%d inputs\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
