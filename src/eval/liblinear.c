/* SPDX-License-Identifier: Apache-2.0 */
/* Logistic regression by LIBLINEAR, where the build has it. */
#include "eval.h"

wgdn_status wgdn_liblinear_run(wgdn_outcome *out, const wgdn_probe_input *in,
                               const wgdn_parts *parts, wgdn_error *err)
{
    (void)out;
    (void)in;
    (void)parts;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "this build has no LIBLINEAR (Debian: liblinear-dev); the classifier adam is "
                     "always there");
}
