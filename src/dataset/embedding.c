/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors in memory: where they come from and go to, and asking for them. */
#include "embedding.h"
#include "dataset.h"

#include <string.h>

wgdn_status wgdn_embedding_take(wgdn_embedding **out, float **values, int64_t rows, int64_t width,
                                wgdn_error *err)
{
    wgdn_embedding *e = wgdn_alloc_zero(1, sizeof *e);
    if (e) {
        e->vectors = (wgdn_features){.rows = rows, .width = width, .dense = *values};
        *out = e;
    } else {
        wgdn_release(*values);
    }
    *values = NULL;
    return e ? WGDN_OK : wgdn_fail(err, WGDN_ENOMEM, "embedding: handle");
}

void wgdn_embedding_free(wgdn_embedding *e)
{
    if (!e) return;
    wgdn_features_free(&e->vectors);
    wgdn_ids_close(&e->ids);
    wgdn_archive_free(&e->archive);
    wgdn_release(e);
}

int64_t wgdn_embedding_rows(const wgdn_embedding *e)
{
    return e->vectors.rows;
}

int64_t wgdn_embedding_dim(const wgdn_embedding *e)
{
    return e->vectors.width;
}

const float *wgdn_embedding_get_values(const wgdn_embedding *e)
{
    return e->vectors.dense;
}

int64_t wgdn_embedding_id(char *buffer, size_t size, const wgdn_embedding *e, int64_t row)
{
    char digits[WGDN_INDEX_TEXT];
    if (row < 0 || row >= e->vectors.rows) return -1;
    const wgdn_text id = e->named ? wgdn_ids_text(&e->ids, row, digits)
                                  : wgdn_text_of(digits, wgdn_print_index(digits, row));
    if (size > 0) {
        const size_t copied = id.size < size ? id.size : size - 1;
        memcpy(buffer, id.at, copied);
        buffer[copied] = '\0';
    }
    return (int64_t)id.size;
}

int64_t wgdn_embedding_find(const wgdn_embedding *e, const char *id, size_t size)
{
    const wgdn_text text = wgdn_text_of(id, size);
    int64_t row;
    if (e->named) return wgdn_ids_find(&e->ids, text);
    return wgdn_text_index(text, &row) && row < e->vectors.rows ? row : -1;
}

wgdn_status wgdn_embedding_match(float *out, const wgdn_embedding *e, const wgdn_dataset *d,
                                 wgdn_error *err)
{
    const int64_t width = e->vectors.width;
    char digits[WGDN_INDEX_TEXT];
    if (!e->named && e->vectors.rows != d->nodes)
        return wgdn_fail(err, WGDN_EFORMAT, "%lld vectors without ids for %lld nodes",
                         (long long)e->vectors.rows, (long long)d->nodes);
    for (int64_t i = 0; i < d->nodes; i++) {
        const wgdn_text id = wgdn_dataset_name(d, i, digits);
        const int64_t row = e->named ? wgdn_ids_find(&e->ids, id) : i;
        if (row < 0)
            return wgdn_fail(err, WGDN_EFORMAT, "there is no vector for the node %s",
                             wgdn_show(id).text);
        memcpy(out + i * width, e->vectors.dense + row * width, (size_t)width * sizeof *out);
    }
    return WGDN_OK;
}
