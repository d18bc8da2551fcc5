/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a file to vectors to neighbors: read a graph, train a model, embed the nodes, write the
 * vectors beside their ids, and print the nodes nearest to one of them.
 *
 *     example_embed edges.tsv vectors.npz [id]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wgdn/wgdn.h>

enum { NEAREST = 6 }; /* the node itself and five others */

static wgdn_status print_neighbors(const wgdn_embedding *all, int64_t row, wgdn_error *err)
{
    const int64_t dim = wgdn_embedding_dim(all), rows = wgdn_embedding_rows(all);
    const int64_t k = rows < NEAREST ? rows : NEAREST;
    int64_t nearest[NEAREST];
    float score[NEAREST];
    char id[256];
    wgdn_embedding *query = NULL;
    wgdn_status st = wgdn_embedding_from_values(&query, wgdn_embedding_get_values(all) + row * dim,
                                                1, dim, NULL, err);
    if (!st)
        st =
            wgdn_embedding_search(nearest, score, all, query, k, WGDN_SIMILARITY_COSINE, NULL, err);
    for (int64_t i = 0; !st && i < k; i++)
        if (nearest[i] != row && wgdn_embedding_id(id, sizeof id, all, nearest[i]) >= 0)
            printf("%s\t%.3f\n", id, score[i]);
    wgdn_embedding_free(query);
    return st;
}

int main(int argc, char **argv)
{
    wgdn_dataset *data = NULL;
    wgdn_model *model = NULL;
    wgdn_embedding *vectors = NULL;
    wgdn_train_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_status st;

    if (argc < 3) {
        fprintf(stderr, "usage: %s edges.tsv vectors.npz [id]\n", argv[0]);
        return 2;
    }
    wgdn_train_options_init(&o);
    o.dim = 32;
    o.epochs = 50;
    st = wgdn_dataset_read(&data, argv[1], NULL, &err);
    if (!st) st = wgdn_model_train(&model, data, &o, NULL, &err);
    if (!st) st = wgdn_model_embed(&vectors, model, data, NULL, &err);
    if (!st) st = wgdn_embedding_write(vectors, argv[2], NULL, &err);
    if (!st) {
        const int64_t row = argc > 3 ? wgdn_embedding_find(vectors, argv[3], strlen(argv[3])) : 0;
        if (row < 0)
            fprintf(stderr, "%s has no node '%s'\n", argv[1], argv[3]);
        else
            st = print_neighbors(vectors, row, &err);
    }
    if (st) fprintf(stderr, "%s: %s\n", wgdn_status_text(st), err.message);
    wgdn_embedding_free(vectors);
    wgdn_model_free(model);
    wgdn_dataset_free(data);
    return st ? EXIT_FAILURE : EXIT_SUCCESS;
}
