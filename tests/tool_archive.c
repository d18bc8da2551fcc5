/* SPDX-License-Identifier: Apache-2.0 */
/* Read an archive of arrays and write it again: tool_archive IN OUT, the format by OUT's ending. */
#include "io/archive.h"

#include <stdio.h>
#include <string.h>

static bool ends(const char *path, const char *suffix)
{
    const size_t length = strlen(path), size = strlen(suffix);
    return length >= size && strcmp(path + length - size, suffix) == 0;
}

static wgdn_status write_as(const char *path, const wgdn_archive *a, wgdn_error *err)
{
    if (ends(path, ".npz")) return wgdn_write_npz(path, a->tensor, a->tensors, err);
    if (ends(path, ".safetensors"))
        return wgdn_write_safetensors(path, a->tensor, a->tensors, a->metadata, a->metadata_count,
                                      err);
    if (ends(path, ".npy") && a->tensors == 1) return wgdn_write_npy(path, a->tensor, err);
    return wgdn_fail(err, WGDN_EINVAL, "%s: .npy for one array, .npz or .safetensors", path);
}

int main(int argc, char **argv)
{
    wgdn_archive a = {0};
    wgdn_error err = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: tool_archive IN OUT\n");
        return 2;
    }
    wgdn_status st = wgdn_archive_open(&a, argv[1], &err);
    if (st == WGDN_OK) st = write_as(argv[2], &a, &err);
    if (st != WGDN_OK) fprintf(stderr, "%s\n", err.message);
    wgdn_archive_free(&a);
    return st == WGDN_OK ? 0 : 3;
}
