/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <locale.h>

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

/* As short as reads back, with a decimal point whatever the locale has. */
static void numbers(void)
{
    const struct {
        double value;
        const char *text;
    } known[] = {{0.98, "0.98"},     {0.1 + 0.2, "0.30000000000000004"},
                 {200, "200"},       {1e5, "100000"},
                 {1e9, "1e9"},       {1e-5, "1e-5"},
                 {0, "0"},           {-1.5e-300, "-1.5e-300"},
                 {0.0001, "0.0001"}, {2147483647, "2147483647"}};
    const char *const none[] = {"", " 1", "1 ", "1,5", "0.5x", "."};
    const char *const locales[] = {"C", "de_DE.UTF-8"};
    for (int l = 0; l < 2 && setlocale(LC_NUMERIC, locales[l]); l++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            char text[64];
            double back = 1;
            wgdn_number_text(text, sizeof text, known[i].value);
            CHECK_TEXT(text, known[i].text);
            CHECK(wgdn_number_read(&back, text) && back == known[i].value);
        }
    setlocale(LC_NUMERIC, "C");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double value;
        CHECK(!wgdn_number_read(&value, none[i]));
    }
}

/* A well-known second name, in a text as well as by itself. */
static void aliases(void)
{
    wgdn_train_options o;
    char text[32];
    wgdn_train_options_init(&o);
    CHECK(wgdn_train_options_set(&o, "lr", "0.25", NULL) == WGDN_OK && o.learning_rate == 0.25);
    CHECK(wgdn_train_options_get(text, sizeof text, &o, "learning-rate", NULL) == WGDN_OK);
    CHECK_TEXT(text, "0.25");
}

int main(void)
{
    RUN(defaults);
    RUN(ranges);
    RUN(a_struct_that_nobody_set_up);
    RUN(other_versions);
    RUN(numbers);
    RUN(aliases);
    return check_result();
}
