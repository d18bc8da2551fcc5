/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A made-up dataset as a packed file, for programs that read files.
 *
 *     write_graph (rmat:EDGES | arxiv-sized | pubmed-sized) FILE.safetensors [FEATURES]
 *     write_graph rmat:EDGES FILE.txt [FIRST END]
 *     write_graph rmat:EDGES FILE.npy [FEATURES]
 *
 * The second writes an edge list of any length, or the part of it from edge FIRST to before END; the
 * third features for it, which neighbors share.
 */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wgdn_dataset *make(const char *what, int64_t features)
{
    const char *preset;
    if (strncmp(what, "rmat:", 5) == 0 && atof(what + 5) >= 1000)
        return synthetic_rmat((int64_t)atof(what + 5), features);
    return synthetic_sized(what, &preset);
}

static int write_text(int argc, char **argv)
{
    const int64_t edges = (int64_t)atof(argv[1] + 5);
    const int64_t first = argc > 4 ? (int64_t)atof(argv[3]) : 0;
    const int64_t end = argc > 4 ? (int64_t)atof(argv[4]) : edges;
    FILE *to = fopen(argv[2], "w");
    const bool good = to && edges >= 1000 && synthetic_rmat_text(to, edges, first, end);
    if (to && fclose(to) == 0 && good) return 0;
    fprintf(stderr, "write_graph: %s cannot be written\n", argv[2]);
    return EXIT_FAILURE;
}

static int write_features(const char *what, const char *path, int64_t width)
{
    FILE *to = fopen(path, "w");
    const bool good = to && atof(what + 5) >= 1000 && width > 0 &&
                      synthetic_rmat_features(to, (int64_t)atof(what + 5), width);
    if (to && fclose(to) == 0 && good) return 0;
    fprintf(stderr, "write_graph: %s cannot be written\n", path);
    return EXIT_FAILURE;
}

static bool ends_in(const char *name, const char *suffix)
{
    const size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, suffix) == 0;
}

int main(int argc, char **argv)
{
    const int64_t features = argc > 3 ? atoll(argv[3]) : 128;
    if (argc > 2 && strncmp(argv[1], "rmat:", 5) == 0 && ends_in(argv[2], ".txt"))
        return write_text(argc, argv);
    if (argc > 2 && strncmp(argv[1], "rmat:", 5) == 0 && ends_in(argv[2], ".npy"))
        return write_features(argv[1], argv[2], features);
    wgdn_dataset *d = argc > 2 && features > 0 ? make(argv[1], features) : NULL;
    wgdn_error err;
    if (!d) {
        fprintf(stderr, "usage: write_graph (rmat:EDGES | arxiv-sized | pubmed-sized) "
                        "FILE.safetensors [FEATURES]\n"
                        "       write_graph rmat:EDGES FILE.txt [FIRST END]\n"
                        "       write_graph rmat:EDGES FILE.npy [FEATURES]\n");
        return 2;
    }
    if (wgdn_dataset_write(d, argv[2], "safetensors", &err)) {
        fprintf(stderr, "write_graph: %s\n", err.message);
        return EXIT_FAILURE;
    }
    wgdn_dataset_free(d);
    return 0;
}
