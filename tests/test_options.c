/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static void defaults(void)
{
    wgdn_compute_options o, read;
    wgdn_compute_options_init(&o);
    CHECK(o.struct_size == sizeof o);
    CHECK(o.threads == 0);
    CHECK(wgdn_compute_options_read(&read, NULL, NULL) == WGDN_OK);
    CHECK(read.threads == 0 && read.struct_size == sizeof read);
}

static void ranges(void)
{
    wgdn_compute_options o, read;
    wgdn_error err;
    wgdn_compute_options_init(&o);
    o.threads = 4096;
    CHECK(wgdn_compute_options_read(&read, &o, &err) == WGDN_OK && read.threads == 4096);
    o.threads = -1;
    CHECK(wgdn_compute_options_read(&read, &o, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "compute options: threads = -1 is not within 0 .. 4096");
}

static void a_struct_that_nobody_set_up(void)
{
    const wgdn_compute_options zero = {0};
    wgdn_compute_options read;
    wgdn_error err;
    CHECK(wgdn_compute_options_read(&read, &zero, &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "_init") != NULL);
}

/* A program compiled when the struct had no fields yet, and one from the future. */
static void other_versions(void)
{
    union {
        wgdn_compute_options now;
        char room[sizeof(wgdn_compute_options) + 64];
    } future;
    wgdn_compute_options old, read;

    memset(&old, 0x7f, sizeof old);
    wgdn_compute_options_init_sized(&old, sizeof(size_t));
    CHECK(old.threads == 0x7f7f7f7f); /* beyond what it knows: untouched */
    CHECK(wgdn_compute_options_read(&read, &old, NULL) == WGDN_OK && read.threads == 0);

    wgdn_compute_options_init_sized(&future.now, sizeof future);
    future.now.threads = 3;
    CHECK(wgdn_compute_options_read(&read, &future.now, NULL) == WGDN_OK && read.threads == 3);
}

int main(void)
{
    RUN(defaults);
    RUN(ranges);
    RUN(a_struct_that_nobody_set_up);
    RUN(other_versions);
    return check_result();
}
