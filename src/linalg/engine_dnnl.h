/* SPDX-License-Identifier: Apache-2.0 */
/* What the files over oneDNN share. */
#ifndef WGDN_LINALG_ENGINE_DNNL_H
#define WGDN_LINALG_ENGINE_DNNL_H

#include <signal.h>

/* Around every product: signals that can wait do wait (engine_dnnl.c says why). */
void wgdn_engine_hold_signals(sigset_t *former);
void wgdn_engine_let_signals(const sigset_t *former);

#endif
