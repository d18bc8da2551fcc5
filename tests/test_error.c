/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static void message_names_the_numbers(void)
{
    wgdn_error err = {WGDN_OK, ""};
    CHECK(wgdn_fail(&err, WGDN_ERANGE, "task: %d x %d", 3, 4) == WGDN_ERANGE);
    CHECK(err.code == WGDN_ERANGE);
    CHECK_TEXT(err.message, "task: 3 x 4");
}

static void long_messages_are_cut(void)
{
    wgdn_error err;
    CHECK(wgdn_fail(&err, WGDN_EINVAL, "%0999d", 1) == WGDN_EINVAL);
    CHECK(strlen(err.message) == sizeof err.message - 1);
}

static void no_slot_is_fine(void)
{
    CHECK(wgdn_fail(NULL, WGDN_ENOMEM, "nobody listens") == WGDN_ENOMEM);
}

static void every_status_has_words(void)
{
    for (int s = 0; s >= -10; s--)
        CHECK(strcmp(wgdn_status_text((wgdn_status)s), "unknown status") != 0);
    CHECK_TEXT(wgdn_status_text(WGDN_ESTOPPED), "stopped on request");
    CHECK_TEXT(wgdn_status_text((wgdn_status)-9999), "unknown status");
}

static void version_is_the_headers(void)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WGDN_VERSION_MAJOR, WGDN_VERSION_MINOR,
             WGDN_VERSION_PATCH);
    CHECK_TEXT(wgdn_version(), expected);
}

int main(void)
{
    RUN(message_names_the_numbers);
    RUN(long_messages_are_cut);
    RUN(no_slot_is_fine);
    RUN(every_status_has_words);
    RUN(version_is_the_headers);
    return check_result();
}
