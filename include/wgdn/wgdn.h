/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file wgdn.h
 * The whole public interface of libwgdn: embeddings of graph nodes by Wiener graph deconvolution.
 *
 * Conventions. The result comes first, the error slot last; a call that can fail returns a
 * wgdn_status and leaves its result untouched on failure. Matrices are row-major, float, without
 * padding. Handles are opaque, immutable once built unless said otherwise, and may be shared
 * between threads. The library keeps no state between calls and starts no threads of its own
 * beyond OpenMP's; the number of threads never changes a result.
 */
#ifndef WGDN_H
#define WGDN_H

#include <wgdn/base.h>
#include <wgdn/dataset.h>
#include <wgdn/embedding.h>
#include <wgdn/eval.h>
#include <wgdn/graph.h>
#include <wgdn/model.h>
#include <wgdn/ranks.h>
#include <wgdn/spectral.h>

#endif
