/* SPDX-License-Identifier: Apache-2.0 */
/* What everything stands on: allocation, errors, options, random numbers, structs, locales. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "scratch.h"
#include "support.h"
#include "vectors.h"

#include <Random123/philox.h>
#include <locale.h>
#include <wgdn/wgdn.h>

/* ---- alloc ---- */

static void sizes_are_checked(void)
{
    size_t out = 0;
    CHECK(wgdn_size_mul(&out, 6, 7) && out == 42);
    CHECK(!wgdn_size_mul(&out, SIZE_MAX / 2, 3));
    CHECK(wgdn_size_product(2, 3, 7) == 42 && wgdn_size_product(SIZE_MAX, 0, SIZE_MAX) == 0);
    CHECK(wgdn_size_product((size_t)1 << 31, (size_t)1 << 31, 4) == WGDN_SIZE_HUGE);
    CHECK(wgdn_size_sum(40, 2) == 42 && wgdn_size_sum(WGDN_SIZE_HUGE, 1) == WGDN_SIZE_HUGE);
    CHECK(wgdn_size_sum(SIZE_MAX, 1) == WGDN_SIZE_HUGE && !wgdn_alloc(WGDN_SIZE_HUGE, 1));
    CHECK(wgdn_size_add(&out, 6, 7) && out == 13);
    CHECK(!wgdn_size_add(&out, SIZE_MAX, 1));
    CHECK(wgdn_alloc(SIZE_MAX / 2, 3) == NULL);
    CHECK(wgdn_alloc(SIZE_MAX - 8, 1) == NULL); /* fits, but not with its alignment */
}

static void blocks_are_aligned(void)
{
    const size_t sizes[] = {0, 1, 63, 64, 65, 4096, (4u << 20) - 1, 4u << 20, (9u << 20) + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *p = wgdn_alloc(sizes[i], 1);
        CHECK(p != NULL && (uintptr_t)p % 64 == 0);
        if (sizes[i] >= 4u << 20) CHECK((uintptr_t)p % (2u << 20) == 0);
        memset(p, 1, sizes[i]);
        wgdn_release(p);
    }
}

static void zeroed_is_zero(void)
{
    unsigned char *p = wgdn_alloc(1000, 1);
    memset(p, 0xff, 1000);
    wgdn_release(p);
    p = wgdn_alloc_zero(1000, 1);
    for (int i = 0; i < 1000; i++)
        CHECK(p[i] == 0);
    wgdn_release(p);
}

static void the_nth_call_fails(void)
{
    const int64_t live = wgdn_alloc_live();
    wgdn_alloc_allow(2);
    void *a = wgdn_alloc(1, 1), *b = wgdn_alloc_zero(1, 1), *c = wgdn_alloc(1, 1);
    wgdn_alloc_allow(-1);
    CHECK(a && b && !c);
    CHECK(wgdn_alloc_live() == live + 2);
    wgdn_release(a);
    wgdn_release(b);
    wgdn_release(c);
    CHECK(wgdn_alloc_live() == live);
}

static void large_blocks_fail(void)
{
    wgdn_alloc_limit(1000);
    void *block = wgdn_alloc(250, 4);
    CHECK(block && !wgdn_alloc(251, 4));
    wgdn_release(block);
    wgdn_alloc_limit(SIZE_MAX);
    block = wgdn_alloc(251, 4);
    CHECK(block);
    wgdn_release(block);
}

static int alloc_tests(void)
{
    RUN(sizes_are_checked);
    RUN(blocks_are_aligned);
    RUN(zeroed_is_zero);
    RUN(the_nth_call_fails);
    RUN(large_blocks_fail);
    return check_result();
}

/* ---- error ---- */

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
    CHECK(wgdn_fail(&err, WGDN_EINVAL, "%02000d", 1) == WGDN_EINVAL);
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

static int error_tests(void)
{
    RUN(message_names_the_numbers);
    RUN(long_messages_are_cut);
    RUN(no_slot_is_fine);
    RUN(every_status_has_words);
    RUN(version_is_the_headers);
    return check_result();
}

/* ---- options ---- */

static void defaults(void)
{
    wgdn_compute_options o, read;
    wgdn_compute_options_init(&o);
    CHECK(o.struct_size == sizeof o);
    CHECK(o.threads == 0);
    CHECK(wgdn_options_read(&read, NULL, WGDN_OPTIONS_KIND_COMPUTE, NULL) == WGDN_OK);
    CHECK(read.threads == 0 && read.struct_size == sizeof read);
}

static void ranges(void)
{
    wgdn_compute_options o, read;
    wgdn_error err;
    wgdn_compute_options_init(&o);
    o.threads = 4096;
    CHECK(wgdn_options_read(&read, &o, WGDN_OPTIONS_KIND_COMPUTE, &err) == WGDN_OK &&
          read.threads == 4096);
    o.threads = -1;
    CHECK(wgdn_options_read(&read, &o, WGDN_OPTIONS_KIND_COMPUTE, &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "compute options: threads = -1 is not within 0 .. 4096");
}

static void a_struct_that_nobody_set_up(void)
{
    const wgdn_compute_options zero = {0};
    wgdn_compute_options read;
    wgdn_error err;
    CHECK(wgdn_options_read(&read, &zero, WGDN_OPTIONS_KIND_COMPUTE, &err) == WGDN_EINVAL);
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
    wgdn_options_init(WGDN_OPTIONS_KIND_COMPUTE, &old, sizeof(size_t));
    CHECK(old.threads == 0x7f7f7f7f); /* beyond what it knows: untouched */
    CHECK(wgdn_options_read(&read, &old, WGDN_OPTIONS_KIND_COMPUTE, NULL) == WGDN_OK &&
          read.threads == 0);

    wgdn_options_init(WGDN_OPTIONS_KIND_COMPUTE, &future, sizeof future);
    future.now.threads = 3;
    CHECK(wgdn_options_read(&read, &future.now, WGDN_OPTIONS_KIND_COMPUTE, NULL) == WGDN_OK &&
          read.threads == 3);
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
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "lr", "0.25", NULL) == WGDN_OK);
    CHECK(o.learning_rate == 0.25);
    CHECK(wgdn_options_get(text, sizeof text, WGDN_OPTIONS_KIND_TRAIN, &o, "learning-rate", NULL) ==
          WGDN_OK);
    CHECK_TEXT(text, "0.25");
}

/* A struct that ends behind its kernel: what lies behind stays as it is, and is refused by name. */
static void by_name_in_a_short_struct(void)
{
    enum { SHORT = offsetof(wgdn_train_options, gamma) };
    wgdn_train_options o;
    wgdn_error err;
    char value[128];
    memset(&o, 0x55, sizeof o);
    wgdn_options_init(WGDN_OPTIONS_KIND_TRAIN, &o, SHORT);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "kernel", "gcn", &err) == WGDN_OK);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "dim", "8", &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "no dim") != NULL);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, "seed = 5", "a", &err) == WGDN_OK);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, "seed = 6\ndim = 9", "a", &err) ==
          WGDN_EINVAL);
    CHECK(o.seed == 5);
    CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, &o, "kernel", &err) ==
          WGDN_OK);
    CHECK_TEXT(value, "gcn");
    CHECK(wgdn_options_get(value, sizeof value, WGDN_OPTIONS_KIND_TRAIN, &o, "dim", &err) ==
          WGDN_OK);
    CHECK_TEXT(value, "512"); /* its default */
    for (size_t i = SHORT; i < sizeof o; i++)
        CHECK(((unsigned char *)&o)[i] == 0x55);
}

static void unknown_kinds(void)
{
    const wgdn_options_kind none = (wgdn_options_kind)99;
    wgdn_compute_options o;
    wgdn_error err;
    char text[512];
    wgdn_options_init(none, &o, sizeof o);
    CHECK(o.struct_size == sizeof o && o.threads == 0);
    CHECK(wgdn_options_get_info(none, 0) == NULL);
    CHECK(wgdn_options_get_info(WGDN_OPTIONS_KIND_COMPUTE, 1) == NULL);
    CHECK(wgdn_options_get_info(WGDN_OPTIONS_KIND_COMPUTE, -1) == NULL);
    CHECK(wgdn_options_set(none, &o, "threads", "1", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_get(text, sizeof text, none, &o, "threads", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_parse(none, &o, "", "a", &err) == WGDN_EINVAL);
    CHECK(wgdn_options_get(text, sizeof text, none, NULL, "threads", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "options: there is no kind 99");
}

/* Every default of every kind is a value that sets the option, and ids of kinds are without gaps. */
static void defaults_set_themselves(void)
{
    const wgdn_option_info *r;
    int rows = 0;
    for (int kind = WGDN_OPTIONS_KIND_COMPUTE; kind <= WGDN_OPTIONS_KIND_FIT; kind++) {
        union {
            wgdn_train_options train;
            wgdn_dataset_options dataset;
            char room[4096];
        } o, usual;
        wgdn_options_init((wgdn_options_kind)kind, &o, sizeof o);
        usual = o;
        for (int i = 0; (r = wgdn_options_get_info((wgdn_options_kind)kind, i)); i++, rows++) {
            wgdn_error err = {WGDN_OK, ""};
            const char *text = r->default_text ? r->default_text : "";
            CHECK(!wgdn_options_set((wgdn_options_kind)kind, &o, r->name, text, &err));
            CHECK_TEXT(err.message, "");
            CHECK(r->default_text || r->type == WGDN_OPTION_TYPE_TEXT ||
                  r->type == WGDN_OPTION_TYPE_PATH);
            CHECK((r->type == WGDN_OPTION_TYPE_CHOICE) <= (r->choices != NULL));
            CHECK(r->help && *r->help && r->size > 0);
        }
        CHECK(memcmp(&o, &usual, sizeof o) == 0);
    }
    CHECK(rows > 100);
}

/* Options of reading, as languages without structs set them. */
static void dataset_by_name(void)
{
    const wgdn_options_kind kind = WGDN_OPTIONS_KIND_DATASET;
    wgdn_dataset_options o;
    wgdn_error err;
    char text[64];
    wgdn_dataset_options_init(&o);
    CHECK(o.max_nodes == INT32_MAX && o.max_entries == INT64_C(1) << 46 && o.bipartite == -1);
    CHECK(!wgdn_options_set(kind, &o, "label-column", "class", NULL) &&
          !strcmp(o.label_column, "class"));
    CHECK(!wgdn_options_set(kind, &o, "label-column", "", NULL) && !o.label_column);
    CHECK(!wgdn_options_set(kind, &o, "memory", "1.5G", NULL) && o.memory == INT64_C(3) << 29);
    CHECK(wgdn_options_set(kind, &o, "memory", "1.5 X", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "memory = '1.5 X' is not a number of bytes, such as 500M or 1.5G");
    CHECK(!wgdn_options_set(kind, &o, "header", "yes", NULL) && o.header == 2);
    CHECK(!wgdn_options_set(kind, &o, "header", "data", NULL) && o.header == 1); /* 0.9 */
    CHECK(!wgdn_options_get(text, sizeof text, kind, &o, "header", NULL));
    CHECK_TEXT(text, "no");
    CHECK(!wgdn_options_set(kind, &o, "bipartite", "no", NULL) && o.bipartite == 0);
    CHECK(!wgdn_options_set(kind, &o, "bipartite", "auto", NULL) && o.bipartite == -1);
    CHECK(wgdn_options_set(kind, &o, "strict", "auto", NULL) == WGDN_EINVAL);
    CHECK(!wgdn_options_parse(kind, &o, "strict = yes", "a", NULL) && o.strict == 1);
    CHECK(wgdn_options_parse(kind, &o, "labels = x", "a", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "a, line 1: labels cannot be set in a file");
}

static int options_tests(void)
{
    RUN(defaults_set_themselves);
    RUN(dataset_by_name);
    RUN(defaults);
    RUN(ranges);
    RUN(a_struct_that_nobody_set_up);
    RUN(other_versions);
    RUN(numbers);
    RUN(aliases);
    RUN(by_name_in_a_short_struct);
    RUN(unknown_kinds);
    return check_result();
}

/* ---- rng ---- */

static const wgdn_stream stream = {.seed = 0x0123456789abcdefU, .epoch = 41, .call = 5};
static const double tau = 6.283185307179586;

/* The address is the counter: spelled out here once more, against Random123 itself. */
static void bits_are_philox(void)
{
    const int64_t row = (INT64_C(9) << 40) + 77, col = 64 * 3 + 16 * 2 + 11;
    const philox4x32_key_t key = {{0x89abcdefU, 0x01234567U}};
    const philox4x32_ctr_t counter = {{77, 9 << 8 | 5U << 16, 16 * 3 + 11, 41}};
    CHECK(wgdn_random_bits(stream, row, col) == philox4x32(counter, key).v[2]);
}

/* Normals from the bits by libm in double; the float series and the 24-bit mantissa explain the
 * tolerance, which is largest where the radius is close to zero. */
static double normal_by_libm(int64_t row, int64_t col, double *slack)
{
    const int word = (int)(col % 64 / 16);
    const int64_t first = col - 16 * (word % 2);
    const double u = ((wgdn_random_bits(stream, row, first) >> 1) + 0.5) / 2147483648.0;
    const double angle = tau * wgdn_random_bits(stream, row, first + 16) / 4294967296.0;
    const double r = sqrt(-2 * log(u));
    *slack = 1e-6 + 6e-8 / fmax(r, 1e-3);
    return r * (word % 2 ? sin(angle) : cos(angle));
}

static void normals_are_box_muller(void)
{
    float z[300];
    for (int64_t row = 0; row < 200; row++) {
        wgdn_random_normals(z, 300, stream, row, 1, 0, 300);
        for (int64_t j = 0; j < 300; j++) {
            double slack;
            const double expected = normal_by_libm(row, j, &slack);
            CHECK_NEAR(z[j], expected, slack);
        }
    }
}

/* Element (row, column) is the same whatever part of the matrix is filled, on every level. */
static void any_part_is_the_same(void)
{
    enum { ROWS = 9, COLS = 333 };
    static float whole[ROWS * COLS], uniform[ROWS * COLS], part[ROWS * COLS];
    const int64_t cuts[][4] = {{0, 9, 0, 333}, {3, 1, 17, 1},   {2, 5, 1, 63},   {0, 9, 64, 64},
                               {8, 1, 0, 333}, {4, 2, 100, 65}, {1, 3, 250, 83}, {5, 4, 63, 2}};
    wgdn_cpu_limit(WGDN_CPU_BASE);
    wgdn_random_normals(whole, COLS, stream, 1000, ROWS, 0, COLS);
    wgdn_random_uniforms(uniform, COLS, stream, 1000, ROWS, 0, COLS);
    for (int level = 0; level <= (int)wgdn_cpu_best(); level++) {
        wgdn_cpu_limit((wgdn_cpu)level);
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
            for (int kind = 0; kind < 2; kind++) {
                const int64_t *k = cuts[c];
                const float *expected = kind ? uniform : whole;
                (kind ? wgdn_random_uniforms : wgdn_random_normals)(part, k[3], stream, 1000 + k[0],
                                                                    k[1], k[2], k[3]);
                for (int64_t i = 0; i < k[1]; i++)
                    CHECK(memcmp(part + i * k[3], expected + (k[0] + i) * COLS + k[2],
                                 (size_t)k[3] * sizeof *part) == 0);
            }
    }
    wgdn_cpu_limit(WGDN_CPU_V4);
}

/* Every part of the address matters. */
static void addresses_differ(void)
{
    const wgdn_stream others[] = {
        {.seed = stream.seed + 1, .epoch = 41, .call = 5},
        {.seed = stream.seed ^ (UINT64_C(1) << 63), .epoch = 41, .call = 5},
        {.seed = stream.seed, .epoch = 42, .call = 5},
        {.seed = stream.seed, .epoch = 41, .call = 6},
    };
    const uint32_t here = wgdn_random_bits(stream, 3, 4);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(wgdn_random_bits(others[i], 3, 4) != here);
    CHECK(wgdn_random_bits(stream, 4, 4) != here);
    CHECK(wgdn_random_bits(stream, 3 + (INT64_C(1) << 40), 4) != here);
    CHECK(wgdn_random_bits(stream, 3, 5) != here);
    CHECK(wgdn_random_bits(stream, 3, 4 + (INT64_C(1) << 33)) != here);
}

/*
 * 4 million normals. A moment's standard error is sqrt(var(z^k) / n): var of z, z^2, z^3, z^4 is
 * 1, 2, 15, 96. Five of them is a bound that a right generator passes always (fixed seed).
 */
static void moments(void)
{
    enum { ROWS = 8192, COLS = 512 };
    const double n = (double)ROWS * COLS;
    float *z = wgdn_alloc((size_t)ROWS * COLS, sizeof *z);
    double m[5] = {0}, largest = 0;
    int64_t beyond = 0;
    wgdn_random_normals(z, COLS, stream, 0, ROWS, 0, COLS);
    for (int64_t i = 0; i < (int64_t)ROWS * COLS; i++) {
        double power = 1;
        for (int k = 1; k <= 4; k++)
            m[k] += (power *= z[i]);
        largest = fmax(largest, fabs(z[i]));
        beyond += fabs(z[i]) > 3;
    }
    CHECK_NEAR(m[1] / n, 0, 5 * sqrt(1 / n));
    CHECK_NEAR(m[2] / n, 1, 5 * sqrt(2 / n));
    CHECK_NEAR(m[3] / n, 0, 5 * sqrt(15 / n));
    CHECK_NEAR(m[4] / n, 3, 5 * sqrt(96 / n));
    CHECK_NEAR((double)beyond / n, 0.0026997961, 5 * sqrt(0.0027 / n));
    CHECK(largest > 4.5 && largest < 6.7);
    wgdn_release(z);
}

/* Correlations between neighbors in every direction of the address. */
static void independence(void)
{
    enum { ROWS = 2048, COLS = 512, N = (ROWS - 1) * (COLS - 64) };
    const wgdn_stream next = {stream.seed, stream.epoch + 1, stream.call};
    float *z = wgdn_alloc((size_t)ROWS * COLS, sizeof *z), *w = wgdn_alloc((size_t)ROWS * COLS, 4);
    const int steps[] = {1, 16, 32, 64, COLS, COLS + 1};
    wgdn_random_normals(z, COLS, stream, 0, ROWS, 0, COLS);
    wgdn_random_normals(w, COLS, next, 0, ROWS, 0, COLS);
    for (size_t s = 0; s <= sizeof steps / sizeof *steps; s++) {
        const float *other = s < 6 ? z + steps[s] : w;
        double first = 0, second = 0;
        for (int64_t i = 0; i < ROWS - 1; i++)
            for (int64_t j = 0; j < COLS - 64; j++) {
                const double a = z[i * COLS + j], b = other[i * COLS + j];
                first += a * b;
                second += (a * a - 1) * (b * b - 1);
            }
        CHECK_NEAR(first / N, 0, 5 / sqrt(N));
        CHECK_NEAR(second / N, 0, 5 * 2 / sqrt(N));
    }
    wgdn_release(w);
    wgdn_release(z);
}

static void uniforms(void)
{
    enum { N = 1 << 20 };
    float *u = wgdn_alloc(N, sizeof *u);
    double sum = 0, squares = 0;
    wgdn_random_uniforms(u, 1024, stream, 0, N / 1024, 0, 1024);
    for (int i = 0; i < N; i++) {
        CHECK(u[i] > 0 && u[i] < 1);
        sum += u[i];
        squares += (double)u[i] * u[i];
    }
    CHECK_NEAR(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    CHECK_NEAR(squares / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    wgdn_release(u);
}

static int rng_tests(void)
{
    RUN(bits_are_philox);
    RUN(normals_are_box_muller);
    RUN(any_part_is_the_same);
    RUN(addresses_differ);
    RUN(moments);
    RUN(independence);
    RUN(uniforms);
    return check_result();
}

/* ---- structs ---- */

/*
 * Results for callers that were compiled against an older header: their structs end earlier, and
 * not a byte behind that may change. Every public struct that a call fills in is here, cut after
 * its struct_size and in the middle.
 */

enum { STRUCTS_N = 24, DIM = 2, ROOM = 1024, MARK = 0x5a };

typedef struct scene {
    wgdn_dataset *d;
    wgdn_embedding *e;
    wgdn_links *l;
    wgdn_eval_options o;
    wgdn_train_options t;
} scene;

/* A ring in two halves, which the vectors tell apart. */
static void open_scene(scene *s)
{
    static int64_t from[STRUCTS_N], to[STRUCTS_N];
    static int32_t label[STRUCTS_N];
    static float x[STRUCTS_N * DIM];
    for (int64_t i = 0; i < STRUCTS_N; i++) {
        from[i] = i;
        to[i] = (i + 1) % STRUCTS_N;
        label[i] = i < STRUCTS_N / 2;
        x[DIM * i + label[i]] = 1 + (float)i / STRUCTS_N;
    }
    const wgdn_dataset_arrays a = {.struct_size = sizeof a,
                                   .nodes = STRUCTS_N,
                                   .edges = STRUCTS_N,
                                   .source = from,
                                   .target = to,
                                   .features = DIM,
                                   .dense = x,
                                   .label = label};
    *s = (scene){0};
    wgdn_eval_options_init(&s->o);
    wgdn_train_options_init(&s->t);
    s->o.runs = s->o.restarts = 1;
    s->o.steps = 2;
    s->o.folds = 3;
    s->t.dim = 4;
    CHECK(wgdn_dataset_from_arrays(&s->d, &a, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_from_values(&s->e, x, STRUCTS_N, DIM, s->d, NULL) == WGDN_OK);
    CHECK(wgdn_links_from_dataset(&s->l, s->d, &s->o, NULL) == WGDN_OK);
}

static void close_scene(scene *s)
{
    wgdn_links_free(s->l);
    wgdn_embedding_free(s->e);
    wgdn_dataset_free(s->d);
}

typedef wgdn_status (*filler)(void *out, const scene *s, wgdn_error *err);

static wgdn_status fill_machine(void *out, const scene *s, wgdn_error *err)
{
    (void)s;
    (void)err;
    wgdn_machine_describe(out);
    return WGDN_OK;
}

static wgdn_status fill_info(void *out, const scene *s, wgdn_error *err)
{
    (void)err;
    wgdn_dataset_describe(out, s->d);
    return WGDN_OK;
}

static wgdn_status fill_projection(void *out, const scene *s, wgdn_error *err)
{
    float at[2 * STRUCTS_N];
    return wgdn_embedding_project(at, out, s->e, NULL, err);
}

static wgdn_status fill_probe(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_probe(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_svm(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_classify(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_cluster(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_embedding_cluster(out, s->e, s->d, &s->o, err);
}

static wgdn_status fill_links(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_links_score(out, s->l, s->e, &s->o, err);
}

static wgdn_status fill_needs(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_train_estimate(out, s->d, &s->t, 0, 1, err);
}

static wgdn_status fill_explanation(void *out, const scene *s, wgdn_error *err)
{
    return wgdn_train_explain(out, s->d, &s->t, err);
}

static const struct {
    const char *name;
    filler fill;
    size_t size;
} results[] = {
    {"machine", fill_machine, sizeof(wgdn_machine)},
    {"dataset_info", fill_info, sizeof(wgdn_dataset_info)},
    {"projection_result", fill_projection, sizeof(wgdn_projection_result)},
    {"probe_result", fill_probe, sizeof(wgdn_probe_result)},
    {"svm_result", fill_svm, sizeof(wgdn_svm_result)},
    {"cluster_result", fill_cluster, sizeof(wgdn_cluster_result)},
    {"links_result", fill_links, sizeof(wgdn_links_result)},
    {"train_needs", fill_needs, sizeof(wgdn_train_needs)},
    {"explanation", fill_explanation, sizeof(wgdn_explanation)},
};

/* A struct of this size; nothing but its inside may change, and struct_size stays. */
static void check_size(size_t r, size_t size, const scene *s)
{
    _Alignas(16) unsigned char out[ROOM];
    size_t kept;
    bool good = true;
    memset(out, MARK, sizeof out);
    memset(out, 0, size);
    memcpy(out, &size, sizeof size);
    const wgdn_status st = results[r].fill(out, s, NULL);
    if (st == WGDN_ENOSUPPORT) return; /* this build has no SVM */
    memcpy(&kept, out, sizeof kept);
    for (size_t i = size < results[r].size ? size : results[r].size; i < size; i++)
        good = good && out[i] == 0;
    for (size_t i = size; i < sizeof out; i++)
        good = good && out[i] == MARK;
    if (st || kept != size || !good)
        fprintf(stderr, "wgdn_%s, %zu of %zu bytes: status %d\n", results[r].name, size,
                results[r].size, (int)st);
    CHECK(st == WGDN_OK && kept == size && good);
}

static void short_and_long_ones(void)
{
    scene s;
    open_scene(&s);
    for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
        check_size(r, sizeof(size_t), &s);
        check_size(r, results[r].size / 2 / 8 * 8, &s);
        check_size(r, results[r].size, &s);
        check_size(r, results[r].size + 64, &s);
    }
    close_scene(&s);
}

/* A caller that forgot: refused where a call can say so, and nothing is written. */
static void size_not_set(void)
{
    scene s;
    open_scene(&s);
    for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
        _Alignas(16) unsigned char out[ROOM] = {0};
        const wgdn_status st = results[r].fill(out, &s, NULL);
        if (r > 1) CHECK(st == WGDN_EINVAL || st == WGDN_ENOSUPPORT);
        for (size_t i = 0; i < sizeof out; i++)
            CHECK(out[i] == 0);
    }
    close_scene(&s);
}

static int structs_tests(void)
{
    RUN(short_and_long_ones);
    RUN(size_not_set);
    return check_result();
}

/* ---- locale ---- */

/* A host program whose locale has a decimal comma: numbers are read and written as ever. */

enum { SKIPPED = 77 };

static wgdn_dataset *ring(void)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 3, 4, 5, 0};
    const wgdn_dataset_arrays a = {
        .struct_size = sizeof a, .nodes = 6, .edges = 6, .source = from, .target = to};
    wgdn_dataset *d = NULL;
    CHECK(wgdn_dataset_from_arrays(&d, &a, NULL) == WGDN_OK);
    return d;
}

static void options(void)
{
    wgdn_train_options o;
    char text[64];
    wgdn_train_options_init(&o);
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "decay", "0.97", NULL) == WGDN_OK);
    CHECK(o.decay == 0.97);
    CHECK(wgdn_options_get(text, sizeof text, WGDN_OPTIONS_KIND_TRAIN, &o, "decay", NULL) ==
          WGDN_OK);
    CHECK_TEXT(text, "0.97");
    CHECK(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, &o, "decay", "0,97", NULL) != WGDN_OK);
    for (int i = 0; wgdn_preset_name(i); i++)
        CHECK(wgdn_options_parse(WGDN_OPTIONS_KIND_TRAIN, &o, wgdn_preset_text(wgdn_preset_name(i)),
                                 "preset", NULL) == WGDN_OK);
}

static void kernels_and_gammas(void)
{
    wgdn_dataset *d = ring();
    wgdn_train_options o;
    wgdn_model *m = NULL, *again = NULL;
    wgdn_train_options_init(&o);
    snprintf(o.kernel, sizeof o.kernel, "heat:t=1.5");
    snprintf(o.gamma, sizeof o.gamma, "0.5,1.5");
    o.dim = 4;
    o.epochs = 2;
    CHECK(wgdn_model_train(&m, d, &o, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_model_save(m, scratch("m").text, NULL) == WGDN_OK);
    CHECK(wgdn_model_load(&again, scratch("m").text, NULL) == WGDN_OK);
    wgdn_model_free(again);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* What one locale wrote, the other one reads. */
static void files(void)
{
    static const char edges[] = "a b 0.5\nb c 1.25\nc a 2e-1\n";
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    wgdn_embedding *e = NULL, *again = NULL;
    wgdn_fit_options o;
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_fit_options_init(&o);
    o.dim = 8;
    scratch_write("e.tsv", edges, strlen(edges));
    CHECK(wgdn_dataset_read(&d, scratch("e.tsv").text, NULL, NULL) == WGDN_OK);
    wgdn_dataset_describe(&info, d);
    CHECK(fabs(info.weight_min - 0.2) < 1e-7 && info.weight_max == 1.25);
    CHECK(wgdn_model_fit(&m, d, &o, NULL) == WGDN_OK);
    CHECK(wgdn_model_save(m, scratch("f").text, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&e, m, d, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_write(e, scratch("v.csv").text, NULL, NULL) == WGDN_OK);
    wgdn_model_free(m);
    (void)setlocale(LC_ALL, "C");
    CHECK(wgdn_model_load(&m, scratch("f").text, NULL) == WGDN_OK);
    CHECK(wgdn_embedding_read(&again, scratch("v.csv").text, NULL) == WGDN_OK);
    CHECK(memcmp(wgdn_embedding_get_values(e), wgdn_embedding_get_values(again),
                 (size_t)(wgdn_embedding_rows(e) * wgdn_embedding_dim(e)) * sizeof(float)) == 0);
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    wgdn_embedding_free(again);
    wgdn_embedding_free(e);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
}

/* The locale may not be installed: it is compiled, if its source is there. */
static bool open_locale(void)
{
    char command[2 * SCRATCH_PATH];
    if (setlocale(LC_ALL, "de_DE.UTF-8")) return true;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s > /dev/null 2>&1",
             scratch("de_DE.UTF-8").text);
    if (system(command) != 0) return false; /* NOLINT: a fixed command in a folder of ours */
    (void)setenv("LOCPATH", scratch_folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void remove_locale(void)
{
    char command[2 * SCRATCH_PATH];
    (void)setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", scratch("de_DE.UTF-8").text);
    CHECK(system(command) == 0); /* NOLINT: a fixed command in a folder of ours */
}

static int locale_tests(void)
{
    scratch_begin();
    if (!open_locale() || localeconv()->decimal_point[0] != ',') {
        puts("no locale with a decimal comma here");
        scratch_end();
        return SKIPPED;
    }
    RUN(options);
    RUN(kernels_and_gammas);
    RUN(files);
    remove_locale();
    scratch_end();
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"alloc", alloc_tests}, {"error", error_tests},     {"options", options_tests},
        {"rng", rng_tests},     {"structs", structs_tests}, {"locale", locale_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
