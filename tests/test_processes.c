/* SPDX-License-Identifier: Apache-2.0 */
/* Forked processes and signals. */
#define _GNU_SOURCE
#include "scratch.h"
#include "support.h"

#include "model/train.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && defined(__x86_64__)
#include <ucontext.h>
#endif

/* ---- fork ---- */

/*
 * A process pool forks after its parent has worked on two threads. The threads of OpenMP do not
 * live on in the child, so there the library works on one thread, and makes the same bits.
 */

enum {
    FORK_N = 2000,
    EDGES = 300000,
    PATIENCE = 60
}; /* edges enough for readers to share them out */

static float *expected;
static int64_t expected_size;

static void write_edges(void)
{
    const wgdn_stream s = {.seed = 5};
    FILE *f = fopen(scratch("edges.txt").text, "w");
    for (int64_t k = 0; k < EDGES; k++)
        fprintf(f, "%u %u\n", wgdn_random_bits(s, k, 0) % FORK_N,
                wgdn_random_bits(s, k, 1) % FORK_N);
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
    float *all = matrix(params + FORK_N * 8, 1);
    memcpy(all, m->param, (size_t)params * sizeof *all);
    memcpy(all + params, wgdn_embedding_get_values(e), (size_t)FORK_N * 8 * sizeof *all);
    *size = params + FORK_N * 8;
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

static int fork_tests(void)
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

/* ---- signals ---- */

#if defined(__linux__) && defined(__x86_64__)
/*
 * A signal may come at any moment of a dense product. oneDNN's AVX-512 kernels for A B and A^T B
 * put their stack pointer into a heap block of their own; a handler that ran there would write its
 * frame over the heap. So no handler may ever see a stack pointer outside the thread's stack.
 */

static volatile sig_atomic_t signals, astray;
static uintptr_t stack_low, stack_high;
static pthread_t here;

static void look(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    signals++;
    if (!pthread_equal(pthread_self(), here)) return; /* some library's, with a stack of its own */
    const ucontext_t *u = context;
    const uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
    if (at < stack_low || at > stack_high) astray++;
}

static void watch(void)
{
    static char
        other[1 << 16]; /* the handler's own stack, so that this test survives its subject */
    struct sigaction action = {.sa_sigaction = look,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    const stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    const struct itimerval often = {{0, 300}, {0, 300}};
    pthread_attr_t attributes;
    void *low;
    size_t size;
    CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0);
    CHECK(pthread_attr_getstack(&attributes, &low, &size) == 0);
    pthread_attr_destroy(&attributes);
    here = pthread_self();
    stack_low = (uintptr_t)low;
    stack_high = stack_low + size;
    CHECK(sigaltstack(&stack, NULL) == 0);
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
}

static void handlers_stay_off_the_engine(void)
{
    enum { N = 1024, D = 256, TIMES = 60 };
    const struct itimerval never = {0};
    float *a = random_matrix(1, N, D), *b = random_matrix(2, N, D), *c = matrix(N, N);
    void *work = wgdn_alloc(wgdn_gemm_tn_work(wgdn_alone(N), D, D), 1);
    void *half = wgdn_alloc(wgdn_gemm_bf16_work(wgdn_alone(N), D, N), 1);
    wgdn_product square = wgdn_product_of(c, a, b, wgdn_alone(N), D, D); /* A B, A^T B */
    wgdn_product wide = wgdn_product_of(c, a, b, wgdn_alone(N), D, N);   /* A B^T */
    const int former = wgdn_threads_use(1); /* all signals come to this thread */
    watch();
    for (int i = 0; i < TIMES || (signals < 50 && i < 100 * TIMES); i++) {
        for (int bf16 = 0; bf16 < 2; bf16++) {
            square.precision = wide.precision = bf16 ? WGDN_PRECISION_BF16 : WGDN_PRECISION_FP32;
            square.work = bf16 ? half : work;
            wide.work = bf16 ? half : NULL;
            CHECK(wgdn_gemm_nn(&square, NULL) == WGDN_OK);
            CHECK(wgdn_gemm_nt(&wide, NULL) == WGDN_OK);
            CHECK(wgdn_gemm_tn(&square, NULL) == WGDN_OK);
        }
    }
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    printf("     %d signals, %d with a stack pointer astray\n", (int)signals, (int)astray);
    CHECK(signals >= 50);
    CHECK(astray == 0);
    wgdn_threads_use(former);
    wgdn_release(half);
    wgdn_release(work);
    wgdn_release(c);
    wgdn_release(b);
    wgdn_release(a);
}

#endif

static int signals_tests(void)
{
#if defined(__linux__) && defined(__x86_64__)
    RUN(handlers_stay_off_the_engine);
    return check_result();
#else
    return 77; /* oneDNN has these kernels for x86-64, and a thread can ask for its stack on Linux */
#endif
}

int main(int argc, char **argv)
{
    static const check_group groups[] = {
        {"fork", fork_tests},
        {"signals", signals_tests},
    };
    return check_groups(groups, sizeof groups / sizeof *groups, argc, argv);
}
