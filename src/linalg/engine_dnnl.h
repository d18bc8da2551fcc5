/* SPDX-License-Identifier: Apache-2.0 */
/* What the files over oneDNN share. */
#ifndef WGDN_LINALG_ENGINE_DNNL_H
#define WGDN_LINALG_ENGINE_DNNL_H

#include <signal.h>

#endif
