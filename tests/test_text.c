/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines, numbers and ids. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "scratch.h"

#include "data/ids.h"
#include "io/lines.h"
#include "io/text.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

/* ---- bytes ---- */

static wgdn_error bytes_err;

static void cursor_stops(void)
{
    const unsigned char data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    wgdn_cursor c = wgdn_cursor_at(data, sizeof data, 0);
    CHECK(wgdn_cursor_u16(&c) == 0x0201);
    CHECK(wgdn_cursor_u32(&c) == 0x06050403);
    CHECK(wgdn_cursor_left(&c) == 3);
    CHECK(wgdn_cursor_u64(&c) == 0 && c.over && c.at == 6);
    CHECK(wgdn_cursor_u16(&c) == 0 && wgdn_cursor_left(&c) == 0); /* once over, always over */
    c = wgdn_cursor_at(data, sizeof data, 1);
    CHECK(wgdn_cursor_u64(&c) == 0x0908070605040302 && !c.over);
    CHECK(wgdn_cursor_run(&c, 0) && !wgdn_cursor_run(&c, 1));
    c = wgdn_cursor_at(data, sizeof data, 10);
    CHECK(c.over && !wgdn_cursor_run(&c, SIZE_MAX));
}

static void utf8_both_ways(void)
{
    static const uint32_t points[] = {1,      0x7f,   0x80,   0x7ff,   0x800,
                                      0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
    unsigned char text[4];
    size_t used;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const size_t n = wgdn_utf8_encode(text, points[i]);
        CHECK(wgdn_utf8_decode(text, n, &used) == (int32_t)points[i] && used == n);
        CHECK(n == 1 || wgdn_utf8_decode(text, n - 1, &used) == -1);
    }
    CHECK(wgdn_utf8_encode(text, 0xd800) == 0 && wgdn_utf8_encode(text, 0x110000) == 0);
    CHECK(!wgdn_utf8_valid("\xc0\x80", 2));         /* a long NUL */
    CHECK(!wgdn_utf8_valid("\xed\xa0\x80", 3));     /* a surrogate */
    CHECK(!wgdn_utf8_valid("\xf4\x90\x80\x80", 4)); /* beyond the last */
    CHECK(!wgdn_utf8_valid("\xff", 1) && !wgdn_utf8_valid("\x80", 1));
    CHECK_TEXT(wgdn_quote("a\nb\x1b", 4).text, "a?b?");
    char lengthy[200];
    memset(lengthy, 'x', sizeof lengthy);
    CHECK(strlen(wgdn_quote(lengthy, sizeof lengthy).text) == 63);
}

static void reads_and_maps(void)
{
    enum { LARGE = 3 << 20 };
    wgdn_bytes b = {0};
    scratch_write("small", "abc", 3);
    CHECK(wgdn_bytes_read(&b, scratch("small").text, 3, &bytes_err) == WGDN_OK);
    CHECK(b.size == 3 && memcmp(b.data, "abc", 3) == 0 && !b.mapped);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("small").text, 2, &bytes_err) == WGDN_EFORMAT);
    scratch_write("empty", "", 0);
    CHECK(wgdn_bytes_map(&b, scratch("empty").text, &bytes_err) == WGDN_OK && b.size == 0 &&
          b.data);
    wgdn_bytes_free(&b);

    unsigned char *large = wgdn_alloc(LARGE, 1);
    for (int i = 0; i < LARGE; i++)
        large[i] = (unsigned char)(i * 7 >> 3);
    scratch_write("large", large, LARGE);
    CHECK(wgdn_bytes_map(&b, scratch("large").text, &bytes_err) == WGDN_OK);
    CHECK(b.mapped && b.size == LARGE && memcmp(b.data, large, LARGE) == 0);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("large").text, LARGE, &bytes_err) == WGDN_OK);
    CHECK(b.mapped && b.size == LARGE && memcmp(b.data, large, LARGE) == 0);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("large").text, LARGE / 2, &bytes_err) == WGDN_EFORMAT);

    CHECK_ALLOCATIONS(wgdn_bytes_read(&b, scratch("small").text, LARGE, NULL), wgdn_bytes_free(&b));
    CHECK_FILE_OPERATIONS(wgdn_bytes_read(&b, scratch("large").text, LARGE, NULL),
                          wgdn_bytes_free(&b));
    CHECK_FILE_OPERATIONS(wgdn_bytes_map(&b, scratch("large").text, NULL), wgdn_bytes_free(&b));
    CHECK_FILE_OPERATIONS(wgdn_bytes_read(&b, scratch("small").text, LARGE, NULL),
                          wgdn_bytes_free(&b));
    CHECK_FILE_OPERATIONS(wgdn_bytes_map(&b, scratch("small").text, NULL), wgdn_bytes_free(&b));
    wgdn_release(large);
    scratch_files(true);
}

static void says_what_is_wrong(void)
{
    wgdn_bytes b = {0};
    CHECK(wgdn_bytes_read(&b, scratch("nowhere").text, 9, &bytes_err) == WGDN_EIO);
    CHECK(strstr(bytes_err.message, "nowhere") && strstr(bytes_err.message, strerror(ENOENT)));
    CHECK(wgdn_bytes_map(&b, scratch_folder, &bytes_err) == WGDN_EIO &&
          strstr(bytes_err.message, "folder"));
    wgdn_io_allow(2);
    scratch_write("file", "x", 1);
    CHECK(wgdn_bytes_read(&b, scratch("file").text, 9, &bytes_err) == WGDN_EIO);
    wgdn_io_allow(-1);
    CHECK(strstr(bytes_err.message, "after byte 0") && strstr(bytes_err.message, strerror(EIO)));
    scratch_files(true);
}

enum { PIPED = 300000 };

static void *feed(void *path)
{
    FILE *f = fopen(path, "wb");
    for (int i = 0; f && i < PIPED; i++)
        fputc('a' + i % 26, f);
    if (f) fclose(f);
    return NULL;
}

static void reads_pipes(void)
{
    scratch_name path = scratch("pipe");
    pthread_t feeder;
    wgdn_bytes b = {0};
    CHECK(mkfifo(path.text, 0600) == 0);
    for (int map = 0; map < 2; map++) {
        CHECK(pthread_create(&feeder, NULL, feed, path.text) == 0);
        CHECK((map ? wgdn_bytes_map(&b, path.text, &bytes_err)
                   : wgdn_bytes_read(&b, path.text, PIPED, &bytes_err)) == WGDN_OK);
        pthread_join(feeder, NULL);
        CHECK(b.size == PIPED && b.data[PIPED - 1] == 'a' + (PIPED - 1) % 26);
        wgdn_bytes_free(&b);
    }
    scratch_files(true);
}

static wgdn_status write_two(const char *path, const void *data, size_t size, wgdn_error *e)
{
    wgdn_output *o = NULL;
    wgdn_status st = wgdn_output_open(&o, path, e);
    if (st == WGDN_OK) st = wgdn_output_write(o, data, size, e);
    if (st == WGDN_OK) st = wgdn_output_write(o, "end", 3, e);
    if (st == WGDN_OK) return wgdn_output_commit(o, e);
    wgdn_output_abandon(o);
    return st;
}

/* Old contents or new, never a part, and no temporary file. */
static bool holds(const char *path, size_t either, size_t or)
{
    struct stat s;
    return scratch_files(false) == 1 && stat(path, &s) == 0 &&
           ((size_t)s.st_size == either || (size_t)s.st_size == or);
}

static void writes_whole_or_not(void)
{
    enum { SIZE = 600000 };
    static unsigned char data[SIZE];
    scratch_name path = scratch("out");
    wgdn_bytes b = {0};
    struct stat s;
    for (int i = 0; i < SIZE; i++)
        data[i] = (unsigned char)(i % 251);

    const mode_t mask = umask(027);
    CHECK(write_two(path.text, data, 1000, &bytes_err) == WGDN_OK);
    umask(mask);
    CHECK(stat(path.text, &s) == 0 && (s.st_mode & 0777) == 0640 && s.st_size == 1003);
    wgdn_status st = WGDN_EIO;
    for (int64_t n = 0; st != WGDN_OK && n < 100; n++) {
        wgdn_io_allow(n);
        st = write_two(path.text, data, SIZE, &bytes_err);
        wgdn_io_allow(-1);
        CHECK(st == WGDN_OK || (st == WGDN_EWRITE && strstr(bytes_err.message, path.text)));
        CHECK(holds(path.text, 1003, SIZE + 3));
    }
    CHECK(st == WGDN_OK && holds(path.text, SIZE + 3, SIZE + 3));
    CHECK(wgdn_bytes_read(&b, path.text, SIZE + 3, &bytes_err) == WGDN_OK);
    CHECK(b.size == SIZE + 3 && memcmp(b.data, data, SIZE) == 0);
    wgdn_bytes_free(&b);
    CHECK_ALLOCATIONS(write_two(path.text, data, SIZE, NULL), (void)0);
    CHECK(scratch_files(true) == 1);
}

static void spares_links_and_devices(void)
{
    struct stat s;
    scratch_write("real", "old", 3);
    CHECK(symlink(scratch("real").text, scratch("link").text) == 0);
    CHECK(write_two(scratch("link").text, "new", 3, &bytes_err) == WGDN_OK);
    CHECK(lstat(scratch("link").text, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(stat(scratch("real").text, &s) == 0 && s.st_size == 6);
    CHECK(symlink("made", scratch("dangling").text) == 0); /* relative to its own folder */
    CHECK(wgdn_file_check(scratch("dangling").text, &bytes_err) == WGDN_OK);
    CHECK(wgdn_file_write(scratch("dangling").text, "four", 4, &bytes_err) == WGDN_OK);
    CHECK(lstat(scratch("dangling").text, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(lstat(scratch("made").text, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 4);
    if (geteuid() == 0) { /* a link that somebody else has made */
        CHECK(lchown(scratch("link").text, 65534, 65534) == 0);
        CHECK(wgdn_file_check(scratch("link").text, &bytes_err) == WGDN_EWRITE);
        CHECK(write_two(scratch("link").text, "newer", 5, &bytes_err) == WGDN_EWRITE);
        CHECK(strstr(bytes_err.message, "a link of another user (uid 65534)"));
        CHECK(stat(scratch("real").text, &s) == 0 && s.st_size == 6);
    }
    CHECK(wgdn_file_check(scratch("no/such").text, &bytes_err) == WGDN_EWRITE);
    CHECK(write_two("/dev/null", "new", 3, &bytes_err) == WGDN_OK);
    CHECK(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
    CHECK(write_two("/dev/full", "new", 3, &bytes_err) == WGDN_EWRITE);
    CHECK(strstr(bytes_err.message, strerror(ENOSPC)));
    CHECK(write_two(scratch_folder, "new", 3, &bytes_err) == WGDN_EWRITE &&
          strstr(bytes_err.message, "folder"));
    CHECK(write_two(scratch("no/such").text, "new", 3, &bytes_err) == WGDN_EWRITE);
    CHECK(strstr(bytes_err.message, strerror(ENOENT)));
    scratch_files(true);
}

/* What nobody holds is a dead run's, and is removed; what somebody writes stays. */
static void temporaries(void)
{
    wgdn_output *a = NULL, *b = NULL;
    (void)scratch_files(true);
    scratch_write("t.wgdn-0.tmp", "dead", 4);
    scratch_write("t.wgdn-7.tmp", "dead", 4);
    scratch_write("t.wgdn-x.tmp", "another's", 9);
    CHECK(wgdn_output_open(&a, scratch("t").text, NULL) == WGDN_OK);
    CHECK(scratch_files(false) == 2 && access(scratch("t.wgdn-0.tmp").text, F_OK) == 0);
    CHECK(wgdn_output_write(a, "first", 5, NULL) == WGDN_OK);
    CHECK(wgdn_output_open(&b, scratch("t").text, NULL) == WGDN_OK);
    CHECK(scratch_files(false) == 3 && access(scratch("t.wgdn-1.tmp").text, F_OK) == 0);
    CHECK(wgdn_output_write(b, "second", 6, NULL) == WGDN_OK);
    CHECK(wgdn_output_commit(a, NULL) == WGDN_OK && wgdn_output_commit(b, NULL) == WGDN_OK);
    CHECK(scratch_files(false) == 2);
    wgdn_bytes read = {0};
    CHECK(wgdn_bytes_read(&read, scratch("t").text, 100, NULL) == WGDN_OK && read.size == 6);
    wgdn_bytes_free(&read);
    CHECK(wgdn_output_open(&a, scratch("t").text, NULL) == WGDN_OK);
    wgdn_output_abandon(a);
    CHECK(scratch_files(true) == 2);
}

static int bytes_tests(void)
{
    scratch_begin();
    RUN(cursor_stops);
    RUN(utf8_both_ways);
    RUN(reads_and_maps);
    RUN(says_what_is_wrong);
    RUN(reads_pipes);
    RUN(writes_whole_or_not);
    RUN(spares_links_and_devices);
    RUN(temporaries);
    scratch_end();
    return check_result();
}

/* ---- lines ---- */

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

static void lines_memory_runs_out(void)
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

static int lines_tests(void)
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
    RUN(lines_memory_runs_out);
    RUN(numbers);
    RUN(random_numbers_are_correctly_rounded);
    RUN(integers);
    RUN(what_is_shown_is_short_and_printable);
    return check_result();
}

/* ---- ids ---- */

static int64_t add(wgdn_ids *ids, const char *id)
{
    const wgdn_text t = wgdn_text_of(id, strlen(id));
    int32_t at = -9;
    CHECK(wgdn_ids_add(ids, &t, 1, &at, NULL) == WGDN_OK);
    return at;
}

static int64_t find(const wgdn_ids *ids, const char *id)
{
    return wgdn_ids_find(ids, wgdn_text_of(id, strlen(id)));
}

static bool is(const wgdn_ids *ids, int64_t i, const char *id)
{
    char buffer[WGDN_INDEX_TEXT];
    const wgdn_text t = wgdn_ids_text(ids, i, buffer);
    return t.size == strlen(id) && memcmp(t.at, id, t.size) == 0;
}

static void numbered_by_first_appearance(void)
{
    wgdn_ids ids;
    wgdn_ids_open(&ids, 100);
    CHECK(add(&ids, "7") == 0 && add(&ids, "3") == 1 && add(&ids, "7") == 0);
    CHECK(ids.direct && ids.numeric && find(&ids, "3") == 1 && find(&ids, "4") == -1);
    CHECK(add(&ids, "007") == 2 && !ids.direct && !ids.numeric); /* another id than 7 */
    CHECK(find(&ids, "7") == 0 && find(&ids, "3") == 1 && find(&ids, "07") == -1);
    CHECK(add(&ids, "-1") == 3 && add(&ids, "\xff\xfe") == 4 && add(&ids, "Zo\xc3\xab") == 5);
    CHECK(is(&ids, 0, "7") && is(&ids, 4, "\xff\xfe") && ids.count == 6);
    wgdn_ids_close(&ids);
}

static void integers_sort_by_value(void)
{
    static const char *const huge[] = {"99999999999999999999", "5", "100000000000000000000", "12"};
    wgdn_ids ids;
    int32_t *rank;
    wgdn_ids_open(&ids, 100);
    add(&ids, "7"), add(&ids, "0"), add(&ids, "3");
    CHECK(wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK);
    CHECK(rank && rank[0] == 2 && rank[1] == 0 && rank[2] == 1);
    CHECK(is(&ids, 0, "0") && is(&ids, 1, "3") && is(&ids, 2, "7") && find(&ids, "7") == 2);
    CHECK(!wgdn_ids_plain(&ids));
    wgdn_release(rank);
    wgdn_ids_close(&ids);

    wgdn_ids_open(&ids, 100);
    for (int i = 0; i < 4; i++)
        add(&ids, huge[i]);
    CHECK(!ids.direct && ids.numeric && wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK);
    CHECK(rank && rank[0] == 2 && rank[1] == 0 && rank[2] == 3 && rank[3] == 1);
    CHECK(is(&ids, 3, huge[2]) && find(&ids, huge[0]) == 2);
    wgdn_release(rank);
    wgdn_ids_close(&ids);
}

static void words_keep_their_order(void)
{
    wgdn_ids ids;
    int32_t *rank;
    wgdn_ids_open(&ids, 100);
    add(&ids, "b"), add(&ids, "1"), add(&ids, "a");
    CHECK(wgdn_ids_sort(&ids, &rank, NULL) == WGDN_OK && !rank && is(&ids, 0, "b"));
    wgdn_ids_close(&ids);
}

static void many(const char *format, bool numeric)
{
    enum { N = 50000 };
    wgdn_ids ids;
    char text[32];
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t round = 0; round < 2; round++)
        for (int64_t i = 0; i < N; i++) {
            snprintf(text, sizeof text, format, (long long)(i * 7919 % N));
            if (add(&ids, text) != i) CHECK(!"the same index again");
        }
    CHECK(ids.count == N && ids.numeric == numeric);
    for (int64_t i = 0; i < N; i += 997) {
        snprintf(text, sizeof text, format, (long long)(i * 7919 % N));
        CHECK(is(&ids, i, text) && find(&ids, text) == i);
    }
    wgdn_ids_close(&ids);
}

static void many_of_each_kind(void)
{
    many("%lld", true);
    many("1%012lld", true);
    many("user-%lld", false);
}

static void far_integers_cost_no_table(void)
{
    wgdn_ids ids;
    wgdn_ids_open(&ids, 100);
    CHECK(add(&ids, "5") == 0 && add(&ids, "999999999999") == 1 && add(&ids, "5") == 0);
    CHECK(!ids.direct && ids.numeric && ids.text_room < 100000);
    wgdn_ids_close(&ids);
}

static void limits(void)
{
    static unsigned char longer[WGDN_ID_MAX + 1];
    const wgdn_text id[3] = {{longer, WGDN_ID_MAX}, {longer, WGDN_ID_MAX + 1}, {longer, 0}};
    int32_t at[3];
    wgdn_ids ids;
    wgdn_error err;
    wgdn_ids_open(&ids, 2);
    CHECK(wgdn_ids_add(&ids, id, 3, at, NULL) == WGDN_OK);
    CHECK(at[0] == 0 && at[1] == -1 && at[2] == 1);
    CHECK(wgdn_ids_find(&ids, id[1]) == -1 && wgdn_ids_find(&ids, id[2]) == 1);
    const wgdn_text x = wgdn_text_of("x", 1);
    CHECK(wgdn_ids_add(&ids, &x, 1, at, &err) == WGDN_ERANGE);
    wgdn_ids_close(&ids);

    wgdn_ids_open(&ids, 2);
    add(&ids, "1"), add(&ids, "2");
    const wgdn_text three = wgdn_text_of("3", 1);
    CHECK(wgdn_ids_add(&ids, &three, 1, at, &err) == WGDN_ERANGE);
    wgdn_ids_close(&ids);
}

static void fixed_tables_know_their_numbers_only(void)
{
    wgdn_ids ids;
    CHECK(wgdn_ids_open_fixed(&ids, 3, 0, NULL) == WGDN_OK);
    CHECK(add(&ids, "2") == 2 && add(&ids, "3") == -1 && add(&ids, "x") == -1);
    CHECK(ids.count == 3 && wgdn_ids_plain(&ids));
    wgdn_ids_close(&ids);
}

/* The 8 bytes whose unseeded XXH3 is the hash, except for a rare carry: XXH3 of 4 to 8 bytes is a bijection. */
static void invert(unsigned char id[8], uint64_t hash)
{
    const uint64_t prime = 0x9fb21c651e98df25u, flip = 0x1cad21f72c81017cu ^ 0xdb979083e96dd4deu;
    uint64_t inverse = prime, x = hash;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - prime * inverse; /* Newton: modulo 2^64 */
    x ^= x >> 28 ^ x >> 56;
    x *= inverse;
    x ^= (x >> 35) + 8;
    x *= inverse;
    for (int i = 0; i < 63; i++)
        x ^= (x << 49 | x >> 15) ^ (x << 24 | x >> 40);
    x = x ^ flip;
    x = x >> 32 | x << 32;
    memcpy(id, &x, 8);
}

static double seconds_of(const unsigned char *id, int64_t count)
{
    wgdn_ids ids;
    struct timespec from, to;
    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    wgdn_ids_open(&ids, INT32_MAX);
    for (int64_t i = 0; i < count; i++) {
        const wgdn_text t = wgdn_text_of(id + 8 * i, 8);
        int32_t at = -1;
        CHECK(wgdn_ids_add(&ids, &t, 1, &at, NULL) == WGDN_OK);
    }
    wgdn_ids_close(&ids);
    (void)clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Ids made to share the low 40 bits of their hash would meet in one slot of a table without a seed. */
static void crafted_ids_take_no_longer(void)
{
    enum { N = 60000 };
    unsigned char *id = wgdn_alloc(N, 8), *other = wgdn_alloc(N, 8);
    int64_t count = 0;
    for (uint64_t k = 1; id && other && count < N; k++) {
        invert(id + 8 * count, k << 40);
        if ((XXH3_64bits(id + 8 * count, 8) & 0xffffffffffu) != 0) continue;
        memcpy(other + 8 * count, &(uint64_t){k * 0x9e3779b97f4a7c15u}, 8);
        count++;
    }
    CHECK(count == N);
    const double usual = seconds_of(other, count), crafted = seconds_of(id, count);
    if (!(crafted < 20 * usual + 0.2))
        printf("crafted ids: %.2f s, others %.2f s\n", crafted, usual);
    CHECK(crafted < 20 * usual + 0.2); /* without a seed a hundred times as long, and more */
    wgdn_release(other);
    wgdn_release(id);
}

static wgdn_status mixed(void)
{
    static const char *const word[] = {"3", "1", "0", "88888888", "4", "x", "y", "1"};
    wgdn_ids ids;
    int32_t at[8], *rank = NULL;
    wgdn_text id[8];
    for (int i = 0; i < 8; i++)
        id[i] = wgdn_text_of(word[i], strlen(word[i]));
    wgdn_ids_open(&ids, 100);
    wgdn_status st = wgdn_ids_add(&ids, id, 5, at, NULL);
    if (!st) st = wgdn_ids_sort(&ids, &rank, NULL);
    wgdn_release(rank);
    if (!st) st = wgdn_ids_add(&ids, id + 5, 3, at, NULL);
    if (!st) CHECK(at[2] == 1 && ids.count == 7);
    wgdn_ids_close(&ids);
    return st;
}

static void ids_memory_runs_out(void)
{
    wgdn_ids ids;
    CHECK_ALLOCATIONS(mixed(), (void)0);
    CHECK_ALLOCATIONS(wgdn_ids_open_fixed(&ids, 10, 0, NULL), wgdn_ids_close(&ids));
}

static int ids_tests(void)
{
    RUN(numbered_by_first_appearance);
    RUN(integers_sort_by_value);
    RUN(words_keep_their_order);
    RUN(many_of_each_kind);
    RUN(far_integers_cost_no_table);
    RUN(limits);
    RUN(fixed_tables_know_their_numbers_only);
    RUN(crafted_ids_take_no_longer);
    RUN(ids_memory_runs_out);
    return check_result();
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"bytes", bytes_tests},
        {"lines", lines_tests},
        {"ids", ids_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
