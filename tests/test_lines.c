/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "codec/lines.h"
#include "codec/separator.h"

#include <locale.h>

/* All rows as "a|b/c|d/", for comparing at a glance. */
static wgdn_status walk(char *out, size_t room, const char *text, size_t size, wgdn_error *err)
{
    wgdn_lines l;
    wgdn_status st;
    bool more = true;
    size_t used = 0;
    wgdn_lines_open(&l, &(wgdn_input){.data = text, .size = size, .name = "t"});
    for (;;) {
        st = wgdn_lines_next(&l, &more, err);
        if (st || !more) break;
        for (int64_t i = 0; i < l.fields; i++)
            used += (size_t)snprintf(out + used, room - used, "%s%.*s", i ? "|" : "",
                                     (int)l.field[i].size, (const char *)l.field[i].at);
        used += (size_t)snprintf(out + used, room - used, "/");
    }
    out[used] = '\0';
    wgdn_lines_close(&l);
    return st;
}

#define CHECK_ROWS(text, expected)                                           \
    do {                                                                     \
        char rows[256];                                                      \
        CHECK(walk(rows, sizeof rows, text, strlen(text), NULL) == WGDN_OK); \
        CHECK_TEXT(rows, expected);                                          \
    } while (0)

static void separators(void)
{
    CHECK_ROWS("a\tb c\n1\t2,3\n", "a|b c/1|2,3/");
    CHECK_ROWS("a,b c\n1, 2 ,3\n", "a|b c/1|2|3/");
    CHECK_ROWS("a;b\n1;2", "a|b/1|2/");
    CHECK_ROWS("  a   b \nc d", "a|b/c|d/");
    CHECK_ROWS("a b\nc\td\n", "a|b/c|d/");
    CHECK_ROWS("a\t\tb\n\tc\t\n", "a||b/|c|/");
    CHECK_ROWS("a,,b\n,,\n", "a||b/||/");
}

static void separators_by_consistency(void)
{
    CHECK_ROWS("a;b;1,5\nb;c;2,25\n", "a|b|1,5/b|c|2,25/");
    CHECK_ROWS("a;1,5\nb;2\n", "a|1,5/b|2/");
    CHECK_ROWS("1 2 0,5\n2 3 1,5\n", "1|2|0,5/2|3|1,5/");
    CHECK_ROWS("a|b|x, y\nb|c|z\n", "a|b|x, y/b|c|z/");
    CHECK_ROWS("movie,genres\n1,Comedy;Drama\n2,Action\n", "movie|genres/1|Comedy;Drama/2|Action/");
    CHECK_ROWS("Ann Lee,Bob Ray\nCid Moe,Dan Poe\n", "Ann Lee|Bob Ray/Cid Moe|Dan Poe/");
    CHECK_ROWS("2024-01-01 10:00:00,1,2\n2024-01-01 10:00:01,2,3\n",
               "2024-01-01 10:00:00|1|2/2024-01-01 10:00:01|2|3/");
    CHECK_ROWS("x,y a\nb c\nd e\n", "x,y|a/b|c/d|e/"); /* a comma in one line alone */
    CHECK_ROWS("a,b\nc,d,e\nf,g\n", "a|b/c|d|e/f|g/");
    CHECK_ROWS("\"a;b\",c\n\"d;e\",f\n", "a;b|c/d;e|f/");
}

static double number_in(const char *text, char decimal)
{
    const wgdn_lines l = {.decimal = decimal};
    double x = -12345;
    return wgdn_lines_number(&l, wgdn_text_of(text, strlen(text)), &x) ? x : -54321;
}

static void decimals(void)
{
    static const struct {
        const char *text;
        char decimal;
    } t[] = {{"a;1,5\nb;2\n", ','},   {"a;1.5\nb;2,5\n", '.'},
             {"a;b\n", '.'},          {"a,1\nb,2\n", '.'},
             {"a\t1,5\n", '.'},       {"a;-0,25\n", ','},
             {"a;1,2,3\nb;2\n", '.'}, {"", '.'}};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        wgdn_lines l;
        const wgdn_input in = {.data = t[i].text, .size = strlen(t[i].text), .name = "t"};
        wgdn_lines_open(&l, &in);
        CHECK(l.decimal == t[i].decimal);
        wgdn_lines_close(&l);
    }
    CHECK(number_in("1,5", ',') == 1.5 && number_in("-2", ',') == -2);
    CHECK(number_in("1.500,5", ',') == -54321 && number_in("1,5", '.') == -54321);
}

static void separators_in_words(void)
{
    char c = 0;
    CHECK(wgdn_separator_parse(&c, "tab") && c == '\t' && wgdn_separator_parse(&c, "\\t"));
    CHECK(wgdn_separator_parse(&c, "Blanks") && c == ' ' && wgdn_separator_parse(&c, ":"));
    CHECK(c == ':' && !wgdn_separator_parse(&c, "::") && !wgdn_separator_parse(&c, "\""));
    CHECK(!wgdn_separator_parse(&c, "") && wgdn_separator_word(':') == NULL);
    CHECK_TEXT(wgdn_separator_word(','), "commas");
}

static void idle_lines(void)
{
    CHECK_ROWS("", "");
    CHECK_ROWS("\n\n \r\n", "");
    CHECK_ROWS("# x\ty\n% z\n  # w\na,b\n#\nc,d", "a|b/c|d/");
    CHECK_ROWS("# no end", "");
}

static void line_ends_and_marks(void)
{
    CHECK_ROWS("\xef\xbb\xbf"
               "a,b\r\nc,d\r\n",
               "a|b/c|d/");
    CHECK_ROWS("a\tb\r\n\r\nc\td\r", "a|b/c|d/");
    CHECK_ROWS("a b\r\nc d\r\n", "a|b/c|d/");
}

static void quotes(void)
{
    CHECK_ROWS("\"a,b\",c\n", "a,b|c/");
    CHECK_ROWS("\"#a\",c\n", "#a|c/");
    CHECK_ROWS("\"a \"\"b\"\"\" ,\"\"\"\"\n1,\"2\"\n", "a \"b\"|\"/1|2/");
    CHECK_ROWS("\"a\nb\"\tc\n", "a\nb|c/");
    CHECK_ROWS("5\" pipe,x\n", "5\" pipe|x/");
    CHECK_ROWS("\"a b\n", "\"a|b/"); /* between blanks a quote is a letter */
}

static void many_undoubled_fields_survive_the_growth(void)
{
    char text[4096], expected[4096];
    size_t used = 0, wanted = 0;
    for (int i = 0; i < 200; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\"%d\"\"x\"", i ? "," : "", i);
        wanted += (size_t)snprintf(expected + wanted, sizeof expected - wanted, "%s%d\"x",
                                   i ? "|" : "", i);
    }
    snprintf(expected + wanted, sizeof expected - wanted, "/");
    char rows[4096];
    CHECK(walk(rows, sizeof rows, text, used, NULL) == WGDN_OK);
    CHECK_TEXT(rows, expected);
}

static void errors_name_the_place(void)
{
    wgdn_error err;
    char rows[64];
    const char *open = "a,b\nc,\"d\n", *after = "a,b\n\"c\nc\"d,e\n";
    CHECK(walk(rows, sizeof rows, open, strlen(open), &err) == WGDN_EFORMAT);
    CHECK(strncmp(err.message, "t:2: a quote opens", 18) == 0);
    CHECK(walk(rows, sizeof rows, after, strlen(after), &err) == WGDN_EFORMAT);
    CHECK(strncmp(err.message, "t:2:2: text after", 17) == 0);
}

static void line_numbers_count_everything(void)
{
    const char *text = "# c\n\na,\"x\ny\"\n%\nb,c\n";
    wgdn_lines l;
    bool more;
    wgdn_lines_open(&l, &(wgdn_input){.data = text, .size = strlen(text), .name = "t"});
    CHECK(wgdn_lines_next(&l, &more, NULL) == WGDN_OK && more && l.line == 3);
    CHECK(wgdn_lines_next(&l, &more, NULL) == WGDN_OK && more && l.line == 6);
    wgdn_lines_again(&l);
    CHECK(wgdn_lines_next(&l, &more, NULL) == WGDN_OK && more && l.line == 6);
    CHECK(l.fields == 2 && l.field[0].at[0] == 'b');
    CHECK(wgdn_lines_next(&l, &more, NULL) == WGDN_OK && !more);
    wgdn_lines_close(&l);
}

static void memory_runs_out(void)
{
    const char *text = "\"a\"\"b\",c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t\n";
    char rows[128];
    CHECK_ALLOCATIONS(walk(rows, sizeof rows, text, strlen(text), NULL), (void)0);
}

static double number(const char *text)
{
    double x = -12345;
    CHECK(wgdn_text_number(wgdn_text_of(text, strlen(text)), &x));
    return x;
}

static bool no_number(const char *text)
{
    double x;
    return !wgdn_text_number(wgdn_text_of(text, strlen(text)), &x);
}

static void numbers(void)
{
    static const char *const same[] = {"0",
                                       "-0.5",
                                       "1e3",
                                       "1E-3",
                                       "+7",
                                       ".5",
                                       "5.",
                                       "123456789012345678901",
                                       "1e400",
                                       "1e-400",
                                       "2.2250738585072011e-308",
                                       "0.1",
                                       "3.4028235e38",
                                       "9007199254740993",
                                       "0.000000000000000000000000000001",
                                       "1e22",
                                       "1e23",
                                       "8.5e-22",
                                       "00012",
                                       "1e00005"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        CHECK(number(same[i]) == strtod(same[i], NULL));
    CHECK(isnan(number("NaN")) && isinf(number("-inf")) && number("+Infinity") > 0);
    CHECK(no_number("") && no_number("-") && no_number(".") && no_number("1e") && no_number("1e+"));
    CHECK(no_number("1,5") && no_number("0x10") && no_number("1 ") && no_number("1.2.3"));
    CHECK(no_number("infinit") && no_number("e5") && no_number("--1"));
}

static void random_numbers_are_correctly_rounded(void)
{
    uint64_t s = 1;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        double x;
        s = s * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = s ^ s >> 29;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.*g", 1 + i % 20, x);
        CHECK(number(text) == strtod(text, NULL));
        float f = (float)(i % 2 ? x : ldexp((double)(s >> 40), (int)(s % 60) - 30));
        char out[WGDN_FLOAT_TEXT];
        if (!isfinite(f)) continue;
        const size_t size = wgdn_print_float(out, f);
        CHECK(wgdn_text_number(wgdn_text_of(out, size), &x) && (float)x == f);
    }
}

static void integers(void)
{
    int64_t v;
    CHECK(wgdn_text_index(wgdn_text_of("0", 1), &v) && v == 0);
    CHECK(wgdn_text_index(wgdn_text_of("123456789012345678", 18), &v));
    CHECK(!wgdn_text_index(wgdn_text_of("007", 3), &v) &&
          !wgdn_text_index(wgdn_text_of("", 0), &v));
    CHECK(!wgdn_text_index(wgdn_text_of("-1", 2), &v) &&
          !wgdn_text_index(wgdn_text_of("+1", 2), &v));
    CHECK(wgdn_text_integer(wgdn_text_of("-007", 4), &v) && v == -7);
    CHECK(!wgdn_text_integer(wgdn_text_of("99999999999999999999", 20), &v));
    CHECK(!wgdn_text_integer(wgdn_text_of("-", 1), &v) &&
          !wgdn_text_integer(wgdn_text_of("1a", 2), &v));
}

static void what_is_shown_is_short_and_printable(void)
{
    char many[100];
    memset(many, 'x', sizeof many);
    CHECK(strlen(wgdn_show(wgdn_text_of(many, sizeof many)).text) == 45);
    CHECK_TEXT(wgdn_show(wgdn_text_of("a\xff\n", 3)).text, "\"a\\xff\\x0a\"");
    memset(many, 1, sizeof many);
    CHECK(strlen(wgdn_show(wgdn_text_of(many, sizeof many)).text) == 165);
}

int main(void)
{
    RUN(separators);
    RUN(separators_by_consistency);
    RUN(decimals);
    RUN(separators_in_words);
    RUN(idle_lines);
    RUN(line_ends_and_marks);
    RUN(quotes);
    RUN(many_undoubled_fields_survive_the_growth);
    RUN(errors_name_the_place);
    RUN(line_numbers_count_everything);
    RUN(memory_runs_out);
    RUN(numbers);
    RUN(random_numbers_are_correctly_rounded);
    RUN(integers);
    RUN(what_is_shown_is_short_and_printable);
    return check_result();
}
