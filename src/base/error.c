/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <stdio.h>
#include <string.h>

#define STRING(x) #x
#define VERSION(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *wgdn_version(void)
{
    return VERSION(WGDN_VERSION_MAJOR, WGDN_VERSION_MINOR, WGDN_VERSION_PATCH);
}

const char *wgdn_status_text(wgdn_status status)
{
    switch (status) {
    case WGDN_OK: return "ok";
    case WGDN_EINVAL: return "argument out of range";
    case WGDN_ENOMEM: return "out of memory";
    case WGDN_ERANGE: return "size out of range";
    case WGDN_EENGINE: return "dense engine failed";
    case WGDN_EIO: return "input failed";
    case WGDN_EFORMAT: return "bad input";
    case WGDN_ENOSUPPORT: return "not built in";
    case WGDN_ESTOPPED: return "stopped on request";
    case WGDN_ENUMBER: return "number not finite";
    case WGDN_EWRITE: return "output failed";
    case WGDN_EHEALTH: return "training diverged or collapsed";
    }
    return "unknown status";
}

void wgdn_error_set(wgdn_error *err, wgdn_status code, const char *format, ...)
{
    va_list args;
    if (!err) return;
    va_start(args, format);
    err->code = code;
    const int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (code == WGDN_ENOMEM && length >= 0 && (size_t)length < sizeof err->message)
        wgdn_memory_why(err->message + length, sizeof err->message - (size_t)length);
}

wgdn_status wgdn_result_give(void *out, const void *made, size_t size, wgdn_error *err)
{
    const size_t first = sizeof(size_t);
    size_t given;
    memcpy(&given, out, first);
    if (given < first)
        return wgdn_fail(err, WGDN_EINVAL, "the result's struct_size is %zu: it is not set", given);
    memcpy((char *)out + first, (const char *)made + first, (given < size ? given : size) - first);
    return WGDN_OK;
}

void wgdn_result_ask(void *asked, const void *out, size_t size)
{
    size_t given;
    memcpy(&given, out, sizeof given);
    memset(asked, 0, size);
    memcpy(asked, out, given < size ? given : size);
}
