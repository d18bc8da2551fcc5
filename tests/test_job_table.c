/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of results: each format holds the cells that were put, and failures leave no file. */
#define _DEFAULT_SOURCE
#include "io/archive.h"
#include "jobs/jobs.h"
#include "scratch.h"

static wgdn_text text(const char *word)
{
    return wgdn_text_of(word, strlen(word));
}

static wgdn_status write_table(const char *name, wgdn_error *err)
{
    const wgdn_job_column column[] = {{text("id"), WGDN_JOB_TEXT},
                                      {text("group"), WGDN_JOB_INTEGER},
                                      {text("p/q"), WGDN_JOB_REAL}};
    wgdn_job_table *t = NULL;
    const wgdn_status st = wgdn_job_table_open(&t, scratch(name).text, NULL, column, 3, err);
    if (st) return st;
    wgdn_job_put_text(t, text("a,\"b\""));
    wgdn_job_put_integer(t, -7);
    wgdn_job_put_real(t, 0.5);
    wgdn_job_put_text(t, text("\xc3\xa9t\xc3\xa9"));
    wgdn_job_put_integer(t, 9000000000LL);
    wgdn_job_put_real(t, (double)NAN);
    return wgdn_job_table_close(t);
}

static void check_file(const char *name, const char *expected)
{
    char found[512] = "";
    CHECK(write_table(name, NULL) == WGDN_OK);
    FILE *f = fopen(scratch(name).text, "rb");
    CHECK(f && fread(found, 1, sizeof found - 1, f) > 0);
    if (f) fclose(f);
    CHECK_TEXT(found, expected);
}

static void texts(void)
{
    check_file("t.csv", "id,group,p/q\n\"a,\"\"b\"\"\",-7,0.5\n\xc3\xa9t\xc3\xa9,9000000000,\n");
    check_file("t.tsv",
               "id\tgroup\tp/q\n\"a,\"\"b\"\"\"\t-7\t0.5\n\xc3\xa9t\xc3\xa9\t9000000000\t\n");
    check_file("t.jsonl",
               "{\"id\": \"a,\\\"b\\\"\", \"group\": -7, \"p/q\": 0.5}\n"
               "{\"id\": \"\xc3\xa9t\xc3\xa9\", \"group\": 9000000000, \"p/q\": null}\n");
}

static void arrays(void)
{
    wgdn_archive a = {0};
    CHECK(write_table("t.npz", NULL) == WGDN_OK);
    CHECK(wgdn_archive_open(&a, scratch("t.npz").text, NULL) == WGDN_OK);
    const wgdn_tensor *id = wgdn_archive_find(&a, "id"), *group = wgdn_archive_find(&a, "group"),
                      *real = wgdn_archive_find(&a, "p_q");
    CHECK(id && group && real);
    if (id && group && real) {
        CHECK(wgdn_text_compare(wgdn_tensor_text(id, 0), text("a,\"b\"")) == 0);
        CHECK(group->dtype == WGDN_I64 && ((const int64_t *)group->data)[1] == 9000000000LL);
        CHECK(real->dtype == WGDN_F32);
        CHECK_NEAR(((const float *)real->data)[0], 0.5, 0);
        CHECK(isnan(((const float *)real->data)[1]));
    }
    wgdn_archive_free(&a);
}

static void failures(void)
{
    static const char *const name[] = {"u.csv", "u.npz"};
    wgdn_error err;
    scratch_files(true);
    for (int i = 0; i < 2; i++) {
        CHECK_ALLOCATIONS(write_table(name[i], NULL), CHECK(scratch_files(true) == 1));
        CHECK_FILE_OPERATIONS(write_table(name[i], NULL), CHECK(scratch_files(true) == 1));
        CHECK(scratch_files(true) == 0);
    }
    CHECK(write_table("u.parquet", &err) == WGDN_EINVAL && strstr(err.message, "end it with"));
}

int main(void)
{
    scratch_begin();
    RUN(texts);
    RUN(arrays);
    RUN(failures);
    scratch_end();
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
