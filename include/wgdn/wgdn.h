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
 *     eval.h       downstream tasks: probes, SVMs, clusters, links, baselines
 *     ranks.h      processes that share one graph
 *
 * Conventions. A call is wgdn_noun_verb: its result comes first, then the object, then what else
 * goes in, then options, the error slot last. One that can fail returns a wgdn_status and leaves
 * its result untouched on failure. Calls that end in _from_, _read, _load, _fit, _train or _embed
 * give something to be freed; _get_ lends what belongs to its object and is valid as long as that.
 * Matrices are row-major, float, without padding. Handles are opaque, immutable once built unless
 * said otherwise, and may be shared between threads. Structs that begin with struct_size may grow
 * at their end: no call reads or writes beyond the size that the caller says. The library keeps no
 * state between calls and starts no threads of its own beyond OpenMP's; the number of threads
 * never changes a result.
 */
#ifndef WGDN_H
#define WGDN_H

#include <wgdn/base.h>
#include <wgdn/dataset.h>
#include <wgdn/embedding.h>
#include <wgdn/eval.h>
#include <wgdn/fit.h>
#include <wgdn/graph.h>
#include <wgdn/model.h>
#include <wgdn/ranks.h>
#include <wgdn/spectral.h>
#include <wgdn/train.h>

#endif
