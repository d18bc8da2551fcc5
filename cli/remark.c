/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <stdarg.h>

void remark(const cli *c, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_root(c) && !option_on(&c->values, OPT_QUIET)) complain_now("note: %s", text);
}
