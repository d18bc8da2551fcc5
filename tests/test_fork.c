/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process pool forks after its parent has worked on two threads. The threads of OpenMP do not
 * live on in the child, so there the library works on one thread, and makes the same bits.
 */
#define _DEFAULT_SOURCE
#include "scratch.h"
#include "support.h"
#include "train/train.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 2000, EDGES = 300000, PATIENCE = 60 }; /* edges enough for readers to share them out */

static float *expected;
static int64_t expected_size;

static void write_edges(void)
{
    const wgdn_stream s = {.seed = 5};
    FILE *f = fopen(scratch("edges.txt").text, "w");
    for (int64_t k = 0; k < EDGES; k++)
        fprintf(f, "%u %u\n", wgdn_random_bits(s, k, 0) % N, wgdn_random_bits(s, k, 1) % N);
    fclose(f);
}

/* Read, train, embed: the parameters of the model and the vectors, one behind the other. */
static float *work(int64_t *size, int threads)
{
    wgdn_dataset_options read;
    wgdn_train_options o;
    wgdn_embed_options how;
    wgdn_dataset *d = NULL;
    wgdn_model *m = NULL;
    wgdn_embedding *e = NULL;
    wgdn_dataset_options_init(&read);
    wgdn_train_options_init(&o);
    wgdn_embed_options_init(&how);
    o.dim = 8;
    o.epochs = 2;
    o.structural_dim = 16;
    read.threads = o.threads = how.threads = threads;
    CHECK(wgdn_dataset_read(&d, scratch("edges.txt").text, &read, NULL) == WGDN_OK);
    CHECK(wgdn_model_train(&m, d, &o, NULL, NULL) == WGDN_OK);
    CHECK(wgdn_model_embed(&e, m, d, &how, NULL) == WGDN_OK);
    const int64_t params = m->layout.size;
    float *all = matrix(params + N * 8, 1);
    memcpy(all, m->param, (size_t)params * sizeof *all);
    memcpy(all + params, wgdn_embedding_get_values(e), (size_t)N * 8 * sizeof *all);
    *size = params + N * 8;
    wgdn_embedding_free(e);
    wgdn_model_free(m);
    wgdn_dataset_free(d);
    return all;
}

static int child(int threads)
{
    int64_t size = 0;
    alarm(PATIENCE);
    check_failures = 0;
    float *mine = work(&size, threads);
    const bool same =
        size == expected_size && memcmp(mine, expected, (size_t)size * sizeof *mine) == 0;
    wgdn_release(mine);
    return same && !check_failures ? 0 : 1;
}

static void children_work(void)
{
    const int threads[] = {0, 1, 2, 4};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        int status = 0;
        fflush(NULL);
        const pid_t pid = fork();
        if (pid == 0) _exit(child(threads[i]));
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
        CHECK(!(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)); /* it hung */
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* A child's child: a worker that starts a pool of its own. */
static void grandchildren_work(void)
{
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const int first = child(2);
        const pid_t next = fork();
        if (next == 0) _exit(child(2));
        _exit(first || waitpid(next, &status, 0) != next || status);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The parent keeps its threads, and its bits. */
static void the_parent_goes_on(void)
{
    int64_t size = 0;
    float *again = work(&size, 2);
    CHECK(size == expected_size && memcmp(again, expected, (size_t)size * sizeof *again) == 0);
    CHECK(!wgdn_forked());
    wgdn_release(again);
}

int main(void)
{
    scratch_begin();
    write_edges();
    expected = work(&expected_size, 2);
    RUN(children_work);
    RUN(grandchildren_work);
    RUN(the_parent_goes_on);
    wgdn_release(expected);
    scratch_end();
    return check_result();
}
