/* SPDX-License-Identifier: Apache-2.0 */
/* What the library was built with and what it found. */
#include "limits.h"

#include <stdio.h>

#ifdef WGDN_HAVE_LAPACK
enum { HAVE_LAPACK = 1 };
#else
enum { HAVE_LAPACK = 0 };
#endif
#ifdef WGDN_HAVE_LIBLINEAR
enum { HAVE_LIBLINEAR = 1 };
#else
enum { HAVE_LIBLINEAR = 0 };
#endif
#ifdef WGDN_HAVE_LIBSVM
enum { HAVE_LIBSVM = 1 };
#else
enum { HAVE_LIBSVM = 0 };
#endif
#ifdef WGDN_HAVE_METIS
enum { HAVE_METIS = 1 };
#else
enum { HAVE_METIS = 0 };
#endif
#ifdef WGDN_HAVE_EXPAT
enum { HAVE_EXPAT = 1 };
#else
enum { HAVE_EXPAT = 0 };
#endif
#ifdef WGDN_HAVE_ZSTD
enum { HAVE_ZSTD = 1 };
#else
enum { HAVE_ZSTD = 0 };
#endif
#ifdef WGDN_HAVE_LZMA
enum { HAVE_LZMA = 1 };
#else
enum { HAVE_LZMA = 0 };
#endif
#ifdef WGDN_HAVE_BZIP2
enum { HAVE_BZIP2 = 1 };
#else
enum { HAVE_BZIP2 = 0 };
#endif
#ifdef WGDN_HAVE_SCOTCH
enum { HAVE_SCOTCH = 1 };
#else
enum { HAVE_SCOTCH = 0 };
#endif
#ifdef WGDN_HAVE_MPI
enum { HAVE_MPI = 1 };
#else
enum { HAVE_MPI = 0 };
#endif

void wgdn_machine_get(wgdn_machine *machine)
{
    wgdn_machine m = {0};
    wgdn_limits l;

    wgdn_limits_read(&l, "");
    m.cpu_best = wgdn_cpu_name(wgdn_cpu_best());
    m.cpu_used = wgdn_cpu_name(wgdn_cpu_level());
    m.engine = wgdn_engine_name;
    m.bf16 = wgdn_bf16_unit();
    m.huge_pages = wgdn_memory_huge_pages();
    m.cores = l.cores;
    m.threads = wgdn_threads_count(0);
    m.memory_total = l.total.value;
    m.memory_available = l.available.value;
    m.cpus = (int)l.cpus.value;
    m.ranks = wgdn_limits_ranks();
    m.threads_max = (int)l.threads.value;
    snprintf(m.memory_limit, sizeof m.memory_limit, "%s", l.available.by);
    snprintf(m.threads_limit, sizeof m.threads_limit, "%s", l.threads.by);
    snprintf(m.cpu_limit, sizeof m.cpu_limit, "%s", l.cpus.by);
    (void)wgdn_result_give(machine, &m, sizeof m, NULL);
}

const wgdn_feature *wgdn_feature_get(int i)
{
    static const wgdn_feature feature[] = {
        {"lapack", HAVE_LAPACK, "exact spectra of small graphs", "liblapacke-dev"},
        {"liblinear", HAVE_LIBLINEAR, "linear SVMs for eval of graphs", "liblinear-dev"},
        {"libsvm", HAVE_LIBSVM, "support vector machines for eval of graphs", "libsvm-dev"},
        {"metis", HAVE_METIS, "convert --order metis: neighbours near each other", "libmetis-dev"},
        {"scotch", HAVE_SCOTCH, "convert --order scotch, likewise", "libscotch-dev"},
        {"expat", HAVE_EXPAT, "reading GraphML and GEXF", "libexpat1-dev"},
        {"zstd", HAVE_ZSTD, "reading files packed with zstd", "libzstd-dev"},
        {"xz", HAVE_LZMA, "reading files packed with xz", "liblzma-dev"},
        {"bzip2", HAVE_BZIP2, "reading files packed with bzip2", "libbz2-dev"},
        {"mpi", HAVE_MPI, "one graph shared by the processes of mpirun",
         "libopenmpi-dev, say -DWGDN_MPI=ON"},
    };
    const int count = sizeof feature / sizeof *feature;
    return i >= 0 && i < count ? &feature[i] : NULL;
}
