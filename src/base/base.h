/* SPDX-License-Identifier: Apache-2.0 */
/* What every stage may know: errors, memory, sizes, random numbers, the CPU, options. */
#ifndef WGDN_BASE_BASE_H
#define WGDN_BASE_BASE_H

#include "bounds.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wgdn/wgdn.h>

/* ---- errors: status.c ---- */

/* Write code and message into the slot, if there is one. */
__attribute__((format(printf, 3, 4))) void wgdn_error_set(wgdn_error *err, wgdn_status code,
                                                          const char *format, ...);
/* The same, with the code as its value: a macro, so that analyzers see which code comes back. */
#define wgdn_fail(err, code, ...) (wgdn_error_set((err), (code), __VA_ARGS__), (code))

/* The smaller of two counts. */
static inline int64_t wgdn_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t wgdn_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The larger of two sizes. */
static inline size_t wgdn_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Compare what begins with such a number, ascending: for qsort(). */
#define WGDN_COMPARE(name, type)                               \
    static inline int name(const void *a, const void *b)       \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
        return (x > y) - (x < y);                              \
    }
WGDN_COMPARE(wgdn_by_int32, int32_t)
WGDN_COMPARE(wgdn_by_int64, int64_t)
WGDN_COMPARE(wgdn_by_uint64, uint64_t)
WGDN_COMPARE(wgdn_by_double, double)

/*
 * Give a result to a caller whose struct may be shorter or longer: out begins with its struct_size,
 * which stays, and so does what lies behind it; made begins with one, too. WGDN_EINVAL: it is not
 * set.
 */
wgdn_status wgdn_result_give(void *out, const void *made, size_t size, wgdn_error *err);
/* What the caller has put into such a struct; 0 where it ends before ours does. */
static inline void wgdn_result_ask(void *asked, const void *out, size_t size)
{
    size_t given;
    memcpy(&given, out, sizeof given);
    memset(asked, 0, size);
    memcpy(asked, out, given < size ? given : size);
}

/* ---- calls that the caller may stop: status.c ---- */

/*
 * Between these, wgdn_stopping() asks what wgdn_stop_use() has set; ask: false where ranks share the work, since all
 * of them would have to stop at once. enter returns what leave wants back. leave returns WGDN_ESTOPPED once the caller
 * wants no more, and else st: loops that cannot fail leave rows out then, and what they made means nothing.
 */
bool wgdn_stop_enter(bool ask);
wgdn_status wgdn_stop_leave(bool former, wgdn_status st, wgdn_error *err);
bool wgdn_stopping(void);
/* What a loop, or a product that was made, returns unless the caller wants it no more. */
static inline wgdn_status wgdn_stop_check(wgdn_error *err)
{
    return wgdn_stopping() ? wgdn_fail(err, WGDN_ESTOPPED, "stopped on request") : WGDN_OK;
}

/* ---- memory: memory.c ---- */

/* a * b and a + b, or false when the result does not fit a size_t. */
static inline bool wgdn_size_mul(size_t *out, size_t a, size_t b)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool wgdn_size_add(size_t *out, size_t a, size_t b)
{
    return !__builtin_add_overflow(a, b, out);
}

/* a * b * c and a + b, or WGDN_SIZE_HUGE, which no allocation grants, when that is less. */
#define WGDN_SIZE_HUGE ((size_t)1 << 60)
static inline size_t wgdn_size_product(size_t a, size_t b, size_t c)
{
    size_t all;
    if (a == 0 || b == 0 || c == 0) return 0;
    const bool fits = wgdn_size_mul(&all, a, b) && wgdn_size_mul(&all, all, c);
    return fits && all < WGDN_SIZE_HUGE ? all : WGDN_SIZE_HUGE;
}

static inline size_t wgdn_size_sum(size_t a, size_t b)
{
    size_t all;
    return wgdn_size_add(&all, a, b) && all < WGDN_SIZE_HUGE ? all : WGDN_SIZE_HUGE;
}

/*
 * count * size bytes aligned to a cache line, or NULL when the product overflows or memory is
 * short. Blocks of 4 MB and more start on a huge page. wgdn_alloc leaves the contents undefined.
 * Zero bytes give a block that may be released, never NULL for being empty.
 */
void *wgdn_alloc(size_t count, size_t size);
static inline void *wgdn_alloc_zero(size_t count, size_t size)
{
    void *block = wgdn_alloc(count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

void wgdn_release(void *block); /* NULL is harmless */

/* Arrays that are released together. Once memory is short for one of them, all later ones are NULL. */
enum { WGDN_ARRAYS_MAX = 16 };
typedef struct wgdn_arrays {
    void *array[WGDN_ARRAYS_MAX];
    int count;
    bool failed; /* at least one array is NULL */
} wgdn_arrays;

void *wgdn_arrays_add(wgdn_arrays *a, size_t count, size_t size);

static inline void *wgdn_arrays_add_zero(wgdn_arrays *a, size_t count, size_t size)
{
    void *block = wgdn_arrays_add(a, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

static inline void wgdn_arrays_release(wgdn_arrays *a)
{
    while (a->count > 0)
        wgdn_release(a->array[--a->count]);
}

/*
 * A growing array: slot is the address of its pointer, *room its length in elements of size bytes.
 * Afterwards *room >= need, at least doubled when it had to grow; contents are kept. False when
 * memory is short: then nothing has changed.
 */
WGDN_MUST_CHECK bool wgdn_grow(void *slot, int64_t *room, int64_t need, size_t size);

/* Give freed memory back to the system, where the C library can: after a large reader is done. */
void wgdn_alloc_trim(void);

/*
 * For tests: let the calling thread's next n allocations succeed and all after them fail;
 * n < 0 lifts the limit. wgdn_alloc_live() counts blocks that are not released yet.
 */
void wgdn_alloc_allow(int64_t n);
/* For tests: the calling thread gets no block of more bytes than this; SIZE_MAX lifts the limit. */
void wgdn_alloc_limit(size_t bytes);
int64_t wgdn_alloc_live(void);

/* ---- the machine's memory: memory.c ---- */

/* Bytes, after the limits of the container and of the process; -1 when nobody knows. */
void wgdn_memory_get(int64_t *total, int64_t *available);
/* Before work begins: WGDN_ENOMEM, naming the limit, if it needs more bytes than can be had. */
WGDN_MUST_CHECK wgdn_status wgdn_memory_check(wgdn_error *err); /* WGDN_MEMORY: WGDN_EINVAL */
WGDN_MUST_CHECK wgdn_status wgdn_memory_need(const char *task, int64_t bytes, wgdn_error *err);

/*
 * Of wgdn_alloc, which lets nobody take more than there is: whether a large block can be had, how
 * many bytes such blocks hold, and that the C library refused one. A message of WGDN_ENOMEM that
 * follows ends with why: which limit it was, if there was one.
 */
enum { WGDN_BLOCK_LARGE = 1 << 16 };
void wgdn_memory_short(void);
void wgdn_memory_why(char *text, size_t size);
/* Whether ulimits let the process map so many bytes more: what libraries map, nobody asks about. */
bool wgdn_memory_can_map(int64_t bytes);

/* ---- the CPU: machine.c ---- */

/* What a loop may be written for, poorest first. */
typedef enum wgdn_cpu {
    WGDN_CPU_PLAIN, /* the plain C that defines the answer */
    WGDN_CPU_BASE,  /* the fast twin on what every x86-64 or arm64 has: 128-bit vectors */
    WGDN_CPU_V3,    /* x86-64-v3: AVX2, FMA */
    WGDN_CPU_V4,    /* x86-64-v4: AVX-512 F BW CD DQ VL */
} wgdn_cpu;

/* Variants of a table or function, by level. */
#if defined(__x86_64__)
#define WGDN_VARIANTS(plain, name)                     \
    {                                                  \
        &(plain), &name##_base, &name##_v3, &name##_v4 \
    }
#else
#define WGDN_VARIANTS(plain, name) \
    {                              \
        &(plain), &name##_base     \
    }
#endif

wgdn_cpu wgdn_cpu_best(void); /* the richest one this machine has */
/* The one in use: the best, unless WGDN_CPU=plain|base|v3|v4 or wgdn_cpu_limit() asks for less. */
wgdn_cpu wgdn_cpu_level(void);
void wgdn_cpu_limit(wgdn_cpu most); /* process-wide; for tests */
const char *wgdn_cpu_name(wgdn_cpu level);

/* ---- time: machine.c ---- */

double wgdn_seconds(void); /* since some moment before the program began */

/* ---- threads: machine.c ---- */

/*
 * Use so many threads (0: the default) from here on in the calling thread; returns what makes it
 * as it was, by the same call. Inside such a call the default is what was chosen there. Outside it
 * is what the host program or OMP_NUM_THREADS says, and else the processors that limits leave. More
 * than can be started are taken for a mistake: then it is these, too.
 */
int wgdn_threads_use(int threads);
int wgdn_threads_count(int threads); /* how many that would be */
void wgdn_threads_look_again(void);  /* limits have changed */
/* A function of a shared library that is loaded at its first use and stays loaded; NULL without the library. */
void *wgdn_library_find(const char *library, const char *name);
/* Threads of the BLAS behind such a library, for the whole process; returns the former number, 0 if it has none. */
int wgdn_blas_threads_use(const char *library, int threads);
/* Whether this is the child of a fork: parallel regions then have one thread (machine.c). */
bool wgdn_forked(void);
/* Seed of hash tables in memory, drawn once per process; it is never stored and never shows in a result. */
uint64_t wgdn_hash_seed(void);

/* What the dense engine, which is in linalg, says of itself. */
extern const char wgdn_engine_name[]; /* "onednn" or "cblas" */
const char *wgdn_bf16_unit(void);     /* what makes products in bf16: "amx", "avx512", "rounded" */

/* ---- numbers as text: status.c ---- */

/* The shortest text that reads back to the same number: 0.98, 200, 1e9. */
void wgdn_number_text(char *text, size_t size, double value);
/* The whole text as a number; false when it is none. */
bool wgdn_number_read(double *value, const char *text);
/* The number that the text begins with; where it ends, or NULL when it begins with none. */
const char *wgdn_number_begin(double *value, const char *text);

/* ---- misspelt words: status.c ---- */

enum { WGDN_WORD_MAX = 31 };
/* Letters to insert, drop or replace to turn a into b; WGDN_WORD_MAX if one
 * is longer than that. */
int wgdn_word_distance(const char *a, const char *b);

/* ---- random numbers: rng.c ---- */

/*
 * Every random number is a pure function of (seed, epoch, call, row, column); nothing is stored
 * and nothing depends on the order of drawing. seed: the run. epoch: the step. call: the place in
 * the step that draws. Rows are below 2^48, columns below 2^34.
 */
typedef struct wgdn_stream {
    uint64_t seed;
    uint32_t epoch;
    uint16_t call;
} wgdn_stream;

/*
 * z[i * ld + j] = N(0, 1) at (row0 + i, col0 + j) for i < rows, j < cols; one thread. The bits are
 * the same on every CPU level and every IEEE machine.
 */
void wgdn_random_normals(float *z, int64_t ld, wgdn_stream s, int64_t row0, int64_t rows,
                         int64_t col0, int64_t cols);
/* The same for uniforms in the open interval (0, 1), multiples of 2^-24 shifted by 2^-25. */
void wgdn_random_uniforms(float *u, int64_t ld, wgdn_stream s, int64_t row0, int64_t rows,
                          int64_t col0, int64_t cols);
/* The 32 random bits at one address, from which the numbers above are made. */
uint32_t wgdn_random_bits(wgdn_stream s, int64_t row, int64_t col);

/* ---- options: option_access.c ---- */

/* Give *out, a struct of this kind, the defaults, then the caller's fields over them, and check every range. */
WGDN_MUST_CHECK wgdn_status wgdn_options_read(void *out, const void *in, wgdn_options_kind kind,
                                              wgdn_error *err);

/* Whether a field points to the caller's text instead of holding it. */
static inline bool wgdn_option_borrows(const wgdn_option_info *r)
{
    return r->size == sizeof(char *) &&
           (r->type == WGDN_OPTION_TYPE_TEXT || r->type == WGDN_OPTION_TYPE_PATH);
}

#endif
