/* SPDX-License-Identifier: Apache-2.0 */
/* For variants: how many 32-bit numbers a register holds at the CPU level they are compiled for. */
#ifndef WGDN_BASE_LANES_H
#define WGDN_BASE_LANES_H

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX2__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

#endif
