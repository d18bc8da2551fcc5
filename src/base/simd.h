/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For loops that are compiled once per CPU level: LANES(...) lets the compiler keep a sum in as many
 * lanes as the level has, so that the order of the sum depends on the level and the length alone.
 */
#ifndef WGDN_BASE_SIMD_H
#define WGDN_BASE_SIMD_H

#ifdef WGDN_PLAIN
#define LANES(clause)
#else
#define PRAGMA(text) _Pragma(#text)
#define LANES(clause) PRAGMA(omp simd clause)
#endif

#endif
