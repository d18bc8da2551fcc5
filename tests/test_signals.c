/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal may come at any moment of a dense product. oneDNN's AVX-512 kernels for A B and A^T B
 * put their stack pointer into a heap block of their own; a handler that ran there would write its
 * frame over the heap. So no handler may ever see a stack pointer outside the thread's stack.
 */
#define _GNU_SOURCE
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

static volatile sig_atomic_t signals, astray;
static uintptr_t stack_low, stack_high;
static pthread_t here;

static void look(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    signals++;
    if (!pthread_equal(pthread_self(), here)) return; /* some library's, with a stack of its own */
#if defined(__x86_64__)
    const ucontext_t *u = context;
    const uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
    if (at < stack_low || at > stack_high) astray++;
#endif
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

int main(void)
{
    RUN(handlers_stay_off_the_engine);
    return check_result();
}
