/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* A host program whose locale has a decimal comma: numbers are read and written as ever. */
#include "check.h"
#include "scratch.h"
#include "support.h"

#include <locale.h>
#include <wgdn/wgdn.h>

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
    CHECK(wgdn_options_set(WGDN_OPTIONS_TRAIN, &o, "decay", "0.97", NULL) == WGDN_OK);
    CHECK(o.decay == 0.97);
    CHECK(wgdn_options_get(text, sizeof text, WGDN_OPTIONS_TRAIN, &o, "decay", NULL) == WGDN_OK);
    CHECK_TEXT(text, "0.97");
    CHECK(wgdn_options_set(WGDN_OPTIONS_TRAIN, &o, "decay", "0,97", NULL) != WGDN_OK);
    for (int i = 0; wgdn_preset_name(i); i++)
        CHECK(wgdn_options_parse(WGDN_OPTIONS_TRAIN, &o, wgdn_preset_text(wgdn_preset_name(i)),
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
    wgdn_dataset_get_info(&info, d);
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

int main(void)
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
