/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the dense engine of engine.h on oneDNN, in fp32 and in bf16. dense.c calls it from one
 * thread per block.
 */
#define _POSIX_C_SOURCE 200809L /* sigset_t */
#include "engine.h"
#include "linalg.h"

#include <dnnl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * C++ libraries throw when `new` runs out of memory. C code cannot catch that, so the process would
 * end. While a reserve is open, C++ calls our handler first (std::set_new_handler): it returns the
 * reserve to the heap, and `new` tries again. A reserve is open only briefly, because the handler
 * belongs to the whole process; the handler of the host program is restored afterwards.
 */

typedef void (*handler)(void);
/* std::set_new_handler; not there where nothing is in C++. */
__attribute__((weak)) handler set_new_handler(handler next) __asm__("_ZSt15set_new_handlerPFvvE");

static pthread_mutex_t reserve_lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static int reserve_users;
static void *reserve;
static handler former_handler;

/* Called by a `new` that failed. Without a reserve it fails as it would without us. */
static void give(void)
{
    pthread_mutex_lock(&reserve_lock);
    if (reserve) {
        free(reserve);
        reserve = NULL;
    } else {
        set_new_handler(former_handler);
    }
    pthread_mutex_unlock(&reserve_lock);
}

/* Opens a reserve: while it is open, a failed `new` gets it. False: there is no memory for it. Nests. */
static bool open_reserve(size_t bytes)
{
    pthread_mutex_lock(&reserve_lock);
    if (!reserve) reserve = malloc(bytes);
    const bool good = reserve != NULL;
    if (good && reserve_users++ == 0 && set_new_handler) former_handler = set_new_handler(give);
    pthread_mutex_unlock(&reserve_lock);
    return good;
}

/* Multiplies in fp32. dnnl_sgemm is the same call in oneDNN 2 and 3. */

const char wgdn_engine_name[] = "onednn";

int64_t wgdn_engine_room(void)
{
    return WGDN_ENGINE_ROOM;
}

/*
 * oneDNN takes one thread inside a parallel region, but a region that happens to have a single
 * thread does not count as one. The setting below belongs to the implicit task, so it ends with
 * the region.
 */
void wgdn_engine_single_thread(void)
{
    omp_set_num_threads(1);
}

/*
 * oneDNN's AVX-512 kernels for A B and A^T B point the stack pointer into a heap block of their own
 * (seen in 2.6.3). A signal handler that came then would write its frame over the heap: one in
 * sixteen runs that were ended by SIGTERM died of it. So signals that can wait do wait, for the
 * thread that is in the product; the two system calls cost less than a microsecond.
 */
static void engine_hold_signals(sigset_t *former)
{
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t waiting;
    sigfillset(&waiting);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
        sigdelset(&waiting, at_once[i]);
    pthread_sigmask(SIG_BLOCK, &waiting, former);
}

static void engine_let_signals(const sigset_t *former)
{
    pthread_sigmask(SIG_SETMASK, former, NULL);
}

static bool gemm(const wgdn_engine_product *p)
{
    sigset_t former;
    engine_hold_signals(&former);
    const dnnl_status_t st =
        dnnl_sgemm(p->ta ? 'T' : 'N', p->tb ? 'T' : 'N', p->m, p->n, p->k, p->alpha, p->a, p->lda,
                   p->b, p->ldb, p->beta, p->c, p->ldc);
    engine_let_signals(&former);
    return st == dnnl_success;
}

/*
 * The first products make oneDNN write its code: some 30000 calls of `new`, whose failure ends the
 * process, and pages for code, whose absence is a fault. So they are done here, once, with a reserve
 * behind them, on shapes that take each of its paths.
 */
static bool warm_up(void)
{
    enum { SIDE = 64, RESERVE = 32 << 20 };
    static const int64_t sides[] = {1, 5, SIDE};
    static float zero[3 * SIDE * SIDE];
    bool good = wgdn_memory_can_map(WGDN_ENGINE_ROOM) && open_reserve(RESERVE);
    if (!good) return false;
    for (int i = 0; good && i < 4 * 9; i++) {
        wgdn_engine_product p = {.ta = i & 1, .tb = i & 2, .alpha = 1, .a = zero};
        p.m = sides[i / 4 % 3];
        p.n = sides[i / 12];
        p.k = SIDE;
        p.lda = p.ldb = p.ldc = SIDE;
        p.b = zero + (ptrdiff_t)SIDE * SIDE;
        p.c = zero + (ptrdiff_t)2 * SIDE * SIDE;
        good = gemm(&p);
    }
    pthread_mutex_lock(&reserve_lock);
    if (--reserve_users == 0) {
        if (set_new_handler) set_new_handler(former_handler);
        free(reserve);
        reserve = NULL;
    }
    pthread_mutex_unlock(&reserve_lock);
    return good;
}

bool wgdn_engine_gemm(const wgdn_engine_product *p)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_bool warm;
    if (!atomic_load_explicit(&warm, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&warm)) atomic_store(&warm, warm_up());
        pthread_mutex_unlock(&lock);
        if (!atomic_load(&warm)) return false;
    }
    return gemm(p);
}

/*
 * Multiplies factors in bf16 with oneDNN's matmul. It is created anew for every call, which costs
 * about ten microseconds, because oneDNN caches the code for a shape. The description of matrices
 * differs between oneDNN 2 and 3.
 */

#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t borrowed;
#define describe_strides dnnl_memory_desc_create_with_strides
#define describe_any dnnl_memory_desc_create_with_tag

static borrowed borrow(const dnnl_memory_desc_t *d)
{
    return *d;
}

static void forget(dnnl_memory_desc_t *d)
{
    if (*d) dnnl_memory_desc_destroy(*d);
}

static bool plan(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const dnnl_memory_desc_t d[3])
{
    return !dnnl_matmul_primitive_desc_create(out, engine, d[0], d[1], NULL, d[2], NULL);
}
#else
typedef const dnnl_memory_desc_t *borrowed;
#define describe_strides dnnl_memory_desc_init_by_strides
#define describe_any dnnl_memory_desc_init_by_tag

static borrowed borrow(const dnnl_memory_desc_t *d)
{
    return d;
}

static void forget(dnnl_memory_desc_t *d)
{
    (void)d;
}

static bool plan(dnnl_primitive_desc_t *out, dnnl_engine_t engine, const dnnl_memory_desc_t d[3])
{
    dnnl_matmul_desc_t matmul;
    return !dnnl_matmul_desc_init(&matmul, &d[0], &d[1], NULL, &d[2]) &&
           !dnnl_primitive_desc_create(out, &matmul, NULL, engine, NULL);
}
#endif

const char *wgdn_engine_bf16_unit(void)
{
    const unsigned isa = (unsigned)dnnl_get_effective_cpu_isa();
    const unsigned bf16 = dnnl_cpu_isa_avx512_core_bf16, amx = dnnl_cpu_isa_avx512_core_amx;
    if ((isa & amx) == amx) return "amx";
    return (isa & bf16) == bf16 ? "avx512" : NULL;
}

/* rows x cols without gaps; transposed: its transpose is. */
static bool describe(dnnl_memory_desc_t *d, int64_t rows, int64_t cols, bool transposed,
                     dnnl_data_type_t type)
{
    const dnnl_dims_t size = {rows, cols}, stride = {transposed ? 1 : cols, transposed ? rows : 1};
    return !describe_strides(d, 2, size, type, stride);
}

bool wgdn_engine_bf16_open(wgdn_engine_bf16 *p, bool ta, bool tb, int64_t m, int64_t n, int64_t k,
                           size_t room)
{
    const dnnl_dims_t size = {k, n};
    dnnl_engine_t engine = NULL;
    dnnl_stream_t stream = NULL;
    dnnl_primitive_desc_t about = NULL;
    dnnl_primitive_t product = NULL;
    dnnl_memory_t a = NULL, b = NULL, c = NULL;
    dnnl_memory_desc_t d[3] = {0};
    borrowed weights = {0};
    bool ok = !dnnl_engine_create(&engine, dnnl_cpu, 0) &&
              !dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) &&
              describe(&d[0], m, k, ta, dnnl_bf16) && describe(&d[2], m, n, false, dnnl_f32);
    if (ok && room)
        ok = !describe_any(&d[1], 2, size, dnnl_bf16, dnnl_format_tag_any);
    else if (ok)
        ok = describe(&d[1], k, n, tb, dnnl_bf16);
    ok = ok && plan(&about, engine, d) && !dnnl_primitive_create(&product, about);
    if (ok) weights = dnnl_primitive_desc_query_md(about, dnnl_query_weights_md, 0);
    ok = ok && !dnnl_memory_create(&a, borrow(&d[0]), engine, DNNL_MEMORY_NONE) &&
         !dnnl_memory_create(&b, weights, engine, DNNL_MEMORY_NONE) &&
         !dnnl_memory_create(&c, borrow(&d[2]), engine, DNNL_MEMORY_NONE);
    *p = (wgdn_engine_bf16){.engine = engine,
                            .stream = stream,
                            .about = about,
                            .product = product,
                            .a = a,
                            .b = b,
                            .c = c,
                            .tb = tb,
                            .packs = room > 0,
                            .n = n,
                            .k = k};
    const bool fits = !ok || !room || dnnl_memory_desc_get_size(weights) <= room;
    for (int i = 0; i < 3; i++)
        forget(&d[i]);
    if (ok && fits) return true;
    wgdn_engine_bf16_close(p);
    return ok && wgdn_engine_bf16_open(p, ta, tb, m, n, k, 0);
}

/* One run of something prepared, with up to three matrices. */
static bool run(dnnl_primitive_t what, dnnl_stream_t stream, int count, const dnnl_exec_arg_t *args)
{
    sigset_t former;
    engine_hold_signals(&former);
    const bool ok = !dnnl_primitive_execute(what, stream, count, args) && !dnnl_stream_wait(stream);
    engine_let_signals(&former);
    return ok;
}

const uint16_t *wgdn_engine_bf16_pack(const wgdn_engine_bf16 *p, uint16_t *to, const uint16_t *b)
{
    const borrowed weights = dnnl_primitive_desc_query_md(p->about, dnnl_query_weights_md, 0);
    dnnl_memory_desc_t plain = {0};
    dnnl_primitive_desc_t about = NULL;
    dnnl_primitive_t reorder = NULL;
    dnnl_memory_t from = NULL;
    bool ok;
    if (!p->packs) return b;
    ok = describe(&plain, p->k, p->n, p->tb, dnnl_bf16) &&
         !dnnl_memory_create(&from, borrow(&plain), p->engine, (void *)(uintptr_t)b) &&
         !dnnl_memory_set_data_handle(p->b, to) &&
         !dnnl_reorder_primitive_desc_create(&about, borrow(&plain), p->engine, weights, p->engine,
                                             NULL) &&
         !dnnl_primitive_create(&reorder, about);
    if (ok)
        ok = run(reorder, p->stream, 2,
                 (dnnl_exec_arg_t[]){{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, p->b}});
    dnnl_primitive_destroy(reorder);
    dnnl_primitive_desc_destroy(about);
    dnnl_memory_destroy(from);
    forget(&plain);
    return ok ? to : NULL;
}

bool wgdn_engine_bf16_gemm(const wgdn_engine_bf16 *p, const uint16_t *a, const uint16_t *b,
                           float *c)
{
    const dnnl_exec_arg_t args[] = {
        {DNNL_ARG_SRC, p->a}, {DNNL_ARG_WEIGHTS, p->b}, {DNNL_ARG_DST, p->c}};
    return !dnnl_memory_set_data_handle(p->a, (void *)(uintptr_t)a) &&
           !dnnl_memory_set_data_handle(p->b, (void *)(uintptr_t)b) &&
           !dnnl_memory_set_data_handle(p->c, c) && run(p->product, p->stream, 3, args);
}

void wgdn_engine_bf16_close(wgdn_engine_bf16 *p)
{
    dnnl_memory_destroy(p->c);
    dnnl_memory_destroy(p->b);
    dnnl_memory_destroy(p->a);
    dnnl_primitive_destroy(p->product);
    dnnl_primitive_desc_destroy(p->about);
    dnnl_stream_destroy(p->stream);
    dnnl_engine_destroy(p->engine);
    *p = (wgdn_engine_bf16){0};
}
