/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of the program that cases cannot reach alone: who wins, what a value may be, names. */
#include "check.h"
#include "cli.h"
#include "info.h"
#include "terminal.h"

static bool set(option_values *v, option_id id, const char *text)
{
    char why[160] = "";
    const bool good = option_set(v, id, text, why, sizeof why);
    CHECK(good == (why[0] == '\0'));
    return good;
}

static void the_last_one_wins(void)
{
    option_values v = {0};
    wgdn_dataset_options o;
    wgdn_train_options t;
    const int beta = any_option("beta");
    CHECK(set(&v, (option_id)any_option("header"), "no") &&
          set(&v, (option_id)any_option("max-nodes"), "70") &&
          set(&v, (option_id)any_option("max-nodes"), "80"));
    CHECK(set(&v, (option_id)beta, "0.25"));
    wgdn_dataset_options_init(&o);
    options_apply(&v, WGDN_OPTIONS_KIND_DATASET, &o);
    CHECK(o.header == 1 && o.max_nodes == 80 && o.features == NULL);
    wgdn_train_options_init(&t);
    options_apply(&v, WGDN_OPTIONS_KIND_TRAIN, &t);
    CHECK(t.beta == 0.25 && t.dim == 512);
}

static void refused(void)
{
    option_values v = {0};
    CHECK(!set(&v, OPT_THREADS, "1.5"));
    CHECK(!set(&v, OPT_THREADS, " 1"));
    CHECK(!set(&v, OPT_THREADS, "4294967296"));
    CHECK(!set(&v, (option_id)any_option("header"), "perhaps"));
    CHECK(!set(&v, OPT_BINARIZE, "2"));
    CHECK(!set(&v, OPT_FEATURES, ""));
    CHECK(!set(&v, (option_id)any_option("beta"), "-1"));
    CHECK(!set(&v, (option_id)any_option("norm"), "loud"));
    for (int i = 0; i < option_count(); i++)
        CHECK(v.text[option_at(i)] == NULL);
}

static bool is_topic(const char *word)
{
    for (int t = 0; option_topic(t); t++)
        if (strcmp(option_topic(t), word) == 0) return true;
    return false;
}

/* What the help says is what the library does. */
static void table(void)
{
    const struct {
        option_id id;
        const char *text;
    } known[] = {{(option_id)any_option("max-nodes"), "2.1 billion"},
                 {(option_id)any_option("max-entries"), "70 trillion"},
                 {(option_id)any_option("max-bytes"), "half of the available memory"},
                 {OPT_FORMAT, "auto"},
                 {(option_id)any_option("decay"), "0.98"}};
    char text[64];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK(option_default(known[i].id, text, sizeof text));
        CHECK_TEXT(text, known[i].text);
    }
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        CHECK((o->row.type == WGDN_OPTION_TYPE_BOOLEAN) == (o->row.argument == NULL));
        CHECK(o->row.type != WGDN_OPTION_TYPE_CHOICE || o->row.choices);
        CHECK((o->row.type == WGDN_OPTION_TYPE_PATH) == (o->files != NULL));
        CHECK(is_topic(o->row.topic));
        CHECK(o->row.help[strlen(o->row.help) - 1] != '.');
    }
}

/* Two commands may have an option of one name; each finds its own, by alias and letter as well. */
static void names(void)
{
    const command embed = {.options = TAKES(OPT_EMBED_TASK, OPT_OUTPUT_VECTORS)};
    const command eval = {.topics = TOPICS("Evaluation"), .options = TAKES(OPT_OUTPUT)};
    CHECK(command_option(&embed, "task") == OPT_EMBED_TASK);
    CHECK(command_option(&eval, "task") == OPT_EVAL_TASK);
    CHECK(command_letter(&embed, 'o') == OPT_OUTPUT_VECTORS);
    CHECK(command_letter(&eval, 'o') == OPT_OUTPUT);
    CHECK(command_option(&embed, "runs") == -1 && command_option(&eval, "runs") > OPTIONS);
    CHECK(command_option(&eval, "lr") == command_option(&eval, "learning-rate"));
    CHECK(command_option(NULL, "help") == OPT_HELP && command_option(NULL, "json") == -1);
}

static void guesses(void)
{
    guess g = {.word = "fetaures"};
    guess_offer(&g, "labels");
    CHECK(!g.best);
    guess_offer(&g, "features");
    CHECK(g.best && g.distance == 1);
    guess far = {.word = "a-word-that-is-far-longer-than-any-option-of-this-program"};
    guess_offer(&far, "features");
    CHECK(!far.best);
}

static void utf8(void)
{
    CHECK(utf8_length("a", 1) == 1);
    CHECK(utf8_length("\xc3\xa9", 2) == 2);
    CHECK(utf8_length("\xe2\x82\xac", 3) == 3);
    CHECK(utf8_length("\xf0\x9f\x90\xb1", 4) == 4);
    CHECK(utf8_length("\xc3", 1) == 0);         /* cut short */
    CHECK(utf8_length("\xc0\xaf", 2) == 0);     /* longer than need be */
    CHECK(utf8_length("\xed\xa0\x80", 3) == 0); /* a surrogate */
    CHECK(utf8_length("\xf4\x90\x80\x80", 4) == 0);
    CHECK(utf8_length("\xff", 1) == 0);
}

static void sizes(void)
{
    char text[32];
    const struct {
        int64_t bytes;
        const char *text;
    } known[] = {{0, "0 bytes"},     {999, "999 bytes"}, {1000, "1.0 kB"},      {99900, "99.9 kB"},
                 {123456, "123 kB"}, {999600, "1.0 MB"}, {INT64_MAX, "9.2 EB"}, {-1, "unknown"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        show_bytes(text, sizeof text, known[i].bytes);
        CHECK_TEXT(text, known[i].text);
    }
}

/* Bins follow one another without gaps and every degree finds its own. */
static void bins(void)
{
    int64_t before = -1;
    for (int i = 0; i < BINS; i++) {
        int64_t from = 0, to = 0;
        bin_range(i, &from, &to);
        CHECK(from == before + 1 && to >= from);
        CHECK(bin_of(from) == i && bin_of(to) == i);
        before = to;
    }
    CHECK(before == (int64_t)1 << 31);
}

int main(void)
{
    RUN(the_last_one_wins);
    RUN(refused);
    RUN(table);
    RUN(names);
    RUN(guesses);
    RUN(utf8);
    RUN(sizes);
    RUN(bins);
    return check_result();
}
