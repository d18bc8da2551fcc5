/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "codec/cursor.h"
#include "codec/unicode.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

static wgdn_error err;

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
    CHECK(wgdn_bytes_read(&b, scratch("small").text, 3, &err) == WGDN_OK);
    CHECK(b.size == 3 && memcmp(b.data, "abc", 3) == 0 && !b.mapped);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("small").text, 2, &err) == WGDN_EFORMAT);
    scratch_write("empty", "", 0);
    CHECK(wgdn_bytes_map(&b, scratch("empty").text, &err) == WGDN_OK && b.size == 0 && b.data);
    wgdn_bytes_free(&b);

    unsigned char *large = wgdn_alloc(LARGE, 1);
    for (int i = 0; i < LARGE; i++)
        large[i] = (unsigned char)(i * 7 >> 3);
    scratch_write("large", large, LARGE);
    CHECK(wgdn_bytes_map(&b, scratch("large").text, &err) == WGDN_OK);
    CHECK(b.mapped && b.size == LARGE && memcmp(b.data, large, LARGE) == 0);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("large").text, LARGE, &err) == WGDN_OK);
    CHECK(b.mapped && b.size == LARGE && memcmp(b.data, large, LARGE) == 0);
    wgdn_bytes_free(&b);
    CHECK(wgdn_bytes_read(&b, scratch("large").text, LARGE / 2, &err) == WGDN_EFORMAT);

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
    CHECK(wgdn_bytes_read(&b, scratch("nowhere").text, 9, &err) == WGDN_EIO);
    CHECK(strstr(err.message, "nowhere") && strstr(err.message, strerror(ENOENT)));
    CHECK(wgdn_bytes_map(&b, scratch_folder, &err) == WGDN_EIO && strstr(err.message, "folder"));
    wgdn_io_allow(2);
    scratch_write("file", "x", 1);
    CHECK(wgdn_bytes_read(&b, scratch("file").text, 9, &err) == WGDN_EIO);
    wgdn_io_allow(-1);
    CHECK(strstr(err.message, "after byte 0") && strstr(err.message, strerror(EIO)));
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
        CHECK((map ? wgdn_bytes_map(&b, path.text, &err)
                   : wgdn_bytes_read(&b, path.text, PIPED, &err)) == WGDN_OK);
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
    CHECK(write_two(path.text, data, 1000, &err) == WGDN_OK);
    umask(mask);
    CHECK(stat(path.text, &s) == 0 && (s.st_mode & 0777) == 0640 && s.st_size == 1003);
    wgdn_status st = WGDN_EIO;
    for (int64_t n = 0; st != WGDN_OK && n < 100; n++) {
        wgdn_io_allow(n);
        st = write_two(path.text, data, SIZE, &err);
        wgdn_io_allow(-1);
        CHECK(st == WGDN_OK || (st == WGDN_EWRITE && strstr(err.message, path.text)));
        CHECK(holds(path.text, 1003, SIZE + 3));
    }
    CHECK(st == WGDN_OK && holds(path.text, SIZE + 3, SIZE + 3));
    CHECK(wgdn_bytes_read(&b, path.text, SIZE + 3, &err) == WGDN_OK);
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
    CHECK(write_two(scratch("link").text, "new", 3, &err) == WGDN_OK);
    CHECK(lstat(scratch("link").text, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(stat(scratch("real").text, &s) == 0 && s.st_size == 6);
    CHECK(symlink("made", scratch("dangling").text) == 0); /* relative to its own folder */
    CHECK(wgdn_file_check(scratch("dangling").text, &err) == WGDN_OK);
    CHECK(wgdn_file_write(scratch("dangling").text, "four", 4, &err) == WGDN_OK);
    CHECK(lstat(scratch("dangling").text, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(lstat(scratch("made").text, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 4);
    if (geteuid() == 0) { /* a link that somebody else has made */
        CHECK(lchown(scratch("link").text, 65534, 65534) == 0);
        CHECK(wgdn_file_check(scratch("link").text, &err) == WGDN_EWRITE);
        CHECK(write_two(scratch("link").text, "newer", 5, &err) == WGDN_EWRITE);
        CHECK(strstr(err.message, "a link of another user (uid 65534)"));
        CHECK(stat(scratch("real").text, &s) == 0 && s.st_size == 6);
    }
    CHECK(wgdn_file_check(scratch("no/such").text, &err) == WGDN_EWRITE);
    CHECK(write_two("/dev/null", "new", 3, &err) == WGDN_OK);
    CHECK(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
    CHECK(write_two("/dev/full", "new", 3, &err) == WGDN_EWRITE);
    CHECK(strstr(err.message, strerror(ENOSPC)));
    CHECK(write_two(scratch_folder, "new", 3, &err) == WGDN_EWRITE &&
          strstr(err.message, "folder"));
    CHECK(write_two(scratch("no/such").text, "new", 3, &err) == WGDN_EWRITE);
    CHECK(strstr(err.message, strerror(ENOENT)));
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

int main(void)
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
