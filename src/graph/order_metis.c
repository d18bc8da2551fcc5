/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#ifdef WGDN_HAVE_METIS

#include <metis.h>

/* METIS has index arrays of its own width, which its package chose. */
static wgdn_status copy_rows(idx_t **start, idx_t **column, const wgdn_csr *a, wgdn_error *err)
{
    const int64_t entries = wgdn_csr_entries(a);
    if (sizeof(idx_t) == 4 && entries > INT32_MAX)
        return wgdn_fail(err, WGDN_ERANGE,
                         "order: METIS is built for 2^31 - 1 entries, the graph has %lld",
                         (long long)entries);
    *start = wgdn_alloc((size_t)a->rows + 1, sizeof **start);
    *column = wgdn_alloc((size_t)entries, sizeof **column);
    if (!*start || !*column)
        return wgdn_fail(err, WGDN_ENOMEM, "order: a copy of %lld entries", (long long)entries);
    for (int64_t i = 0; i <= a->rows; i++)
        (*start)[i] = (idx_t)a->offset[i];
    for (int64_t k = 0; k < entries; k++)
        (*column)[k] = a->column[k];
    return WGDN_OK;
}

wgdn_status wgdn_cut_metis(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    idx_t option[METIS_NOPTIONS], n = (idx_t)a->rows, parts = (idx_t)pieces, balance = 1, cut = 0;
    idx_t *start = NULL, *column = NULL, *part = NULL;
    wgdn_status st = copy_rows(&start, &column, a, err);
    if (st) goto done;
    part = wgdn_alloc((size_t)n, sizeof *part);
    if (!part) {
        st = wgdn_fail(err, WGDN_ENOMEM, "order: pieces of %lld nodes", (long long)n);
        goto done;
    }
    METIS_SetDefaultOptions(option);
    option[METIS_OPTION_SEED] = 1;
    const int said = METIS_PartGraphRecursive(&n, &balance, start, column, NULL, NULL, NULL, &parts,
                                              NULL, NULL, option, &cut, part);
    if (said == METIS_ERROR_MEMORY)
        st = wgdn_fail(err, WGDN_ENOMEM, "order: METIS has no memory for %lld nodes", (long long)n);
    else if (said != METIS_OK)
        st = wgdn_fail(err, WGDN_EENGINE, "order: METIS failed on %lld nodes (%d)", (long long)n,
                       said);
    for (int64_t i = 0; !st && i < n; i++)
        piece[i] = (int32_t)part[i];

done:
    wgdn_release(part);
    wgdn_release(column);
    wgdn_release(start);
    return st;
}

#else

wgdn_status wgdn_cut_metis(int32_t *piece, int64_t pieces, const wgdn_csr *a, wgdn_error *err)
{
    (void)piece, (void)pieces, (void)a;
    return wgdn_fail(err, WGDN_ENOSUPPORT,
                     "order: METIS is not built in; install libmetis-dev and build again");
}

#endif
