/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A made-up dataset as a packed file, for programs that read files.
 *
 *     write_graph (rmat:EDGES | arxiv-sized | pubmed-sized) FILE.safetensors [FEATURES]
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

int main(int argc, char **argv)
{
    const int64_t features = argc > 3 ? atoll(argv[3]) : 128;
    wgdn_dataset *d = argc > 2 && features > 0 ? make(argv[1], features) : NULL;
    wgdn_error err;
    if (!d) {
        fprintf(stderr, "usage: write_graph (rmat:EDGES | arxiv-sized | pubmed-sized) "
                        "FILE.safetensors [FEATURES]\n");
        return 2;
    }
    if (wgdn_dataset_write(d, argv[2], "safetensors", &err)) {
        fprintf(stderr, "write_graph: %s\n", err.message);
        return EXIT_FAILURE;
    }
    wgdn_dataset_free(d);
    return 0;
}
