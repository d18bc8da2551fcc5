/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the spectrum the energy of a matrix lies, and what of it is noise. */
#ifndef CLI_CMD_PLOT_H
#define CLI_CMD_PLOT_H

#include "cli.h"

enum { ENERGY_BINS = 50, ENERGY_STEPS = 2 * ENERGY_BINS }; /* between 0 and 2 */

typedef struct energy {
    double edge[ENERGY_STEPS], share[ENERGY_STEPS]; /* steps; per cent in each bin */
    wgdn_estimate estimate;
} energy;

#endif
