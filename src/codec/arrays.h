/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of any number type as arrays of the one type that is wanted. */
#ifndef WGDN_ARRAYS_H
#define WGDN_ARRAYS_H

#include "archive.h"
#include "text.h"

/*
 * *out has wgdn_tensor_count(t) elements: the tensor's own memory (*borrowed = true) if type and
 * alignment are right, else a copy; borrowed NULL always copies. Integers that do not fit, and values
 * that are not integers, are refused. name is the file's.
 */
WGDN_MUST_CHECK wgdn_status wgdn_array_floats(float **out, bool *borrowed, const wgdn_tensor *t,
                                              const char *name, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_array_int64(int64_t **out, bool *borrowed, const wgdn_tensor *t,
                                             const char *name, wgdn_error *err);
WGDN_MUST_CHECK wgdn_status wgdn_array_int32(int32_t **out, bool *borrowed, const wgdn_tensor *t,
                                             const char *name, wgdn_error *err);

/* Text element k, without the padding. */
wgdn_text wgdn_tensor_text(const wgdn_tensor *t, int64_t k);

#endif
