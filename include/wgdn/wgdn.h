/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file wgdn.h
 * Vectors of graph nodes and of whole graphs, without labels: read, embed, write.
 *
 *     wgdn_error err;
 *     wgdn_dataset *data = NULL;
 *     wgdn_model *model = NULL;
 *     wgdn_embedding *vectors = NULL;
 *     wgdn_status st = wgdn_dataset_read(&data, "edges.tsv", NULL, &err);
 *     if (!st) st = wgdn_model_fit(&model, data, NULL, &err);
 *     if (!st) st = wgdn_model_embed(&vectors, model, data, NULL, &err);
 *     if (!st) st = wgdn_embedding_write(vectors, "vectors.npz", NULL, &err);
 *     if (st) fprintf(stderr, "%s\n", err.message);
 *     wgdn_embedding_free(vectors), wgdn_model_free(model), wgdn_dataset_free(data);
 *
 *     base.h       status, error, options, presets, the machine
 *     graph.h      a graph, its Laplacian and polynomial filters
 *     spectral.h   kernels, restoration, spectra
 *     dataset.h    a graph with features, labels, splits and ids: read and written
 *     model.h      models: what they are, embedding, their files
 *     fit.h        the closed form: vectors in seconds
 *     train.h      training the autoencoder, what that needs
 *     embedding.h  vectors and their ids: written, read, searched, projected to the plane
 *     recommend.h  what to offer whom: lists of likely new neighbors
 *     eval.h       downstream tasks: probes, SVMs, clusters, links, baselines
 *     cluster.h    groups of nodes, found without labels
 *     predict.h    labels or numbers of the nodes that have none
 *     ranks.h      processes that share one graph
 *
 * Conventions. A call is wgdn_noun_verb. Its result comes first, then the object, then other inputs,
 * then options, then the error. A call that can fail returns a wgdn_status and leaves its result
 * untouched on failure. Calls that end in _from_X, _read, _load, _fit, _train or _embed return
 * something to be freed. A call with _get_ borrows from its object, and what it returns is valid as
 * long as the object; _describe fills a struct. Structs for options, results and reports are set up by
 * their _init and begin with struct_size: they may grow at their end, and no call reads or writes
 * beyond the size that the caller was compiled with. A callback takes its `user` pointer first, and
 * a progress callback that returns something else than 0 stops the call. "Fit" means the closed
 * form, "approximation" a polynomial, and "estimate" memory and time. Matrices are row-major, float,
 * without padding. Handles are opaque, immutable unless stated otherwise, and may be shared between
 * threads. The library keeps no state between calls; the number of threads never changes a result.
 */
#ifndef WGDN_H
#define WGDN_H

#include <wgdn/base.h>
#include <wgdn/cluster.h>
#include <wgdn/dataset.h>
#include <wgdn/embedding.h>
#include <wgdn/eval.h>
#include <wgdn/fit.h>
#include <wgdn/graph.h>
#include <wgdn/model.h>
#include <wgdn/predict.h>
#include <wgdn/ranks.h>
#include <wgdn/recommend.h>
#include <wgdn/spectral.h>
#include <wgdn/train.h>

#endif
