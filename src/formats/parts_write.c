/* SPDX-License-Identifier: Apache-2.0 */
/* One part of a dataset as TSV keyed by id. */
#include "codec/page.h"
#include "dataset/dataset.h"

static void put_id(wgdn_page *p, const wgdn_dataset *d, int64_t node)
{
    char buffer[WGDN_INDEX_TEXT];
    wgdn_page_field(p, wgdn_dataset_name(d, node, buffer));
}

static void put_features(wgdn_page *p, const wgdn_features *f, int64_t i)
{
    const wgdn_csr *s = &f->sparse;
    int64_t k = f->dense ? 0 : s->offset[i];
    for (int64_t j = 0; j < f->width; j++) {
        wgdn_page_put(p, "\t", 1);
        if (f->dense)
            wgdn_page_float(p, f->dense[i * f->width + j]);
        else if (k < s->offset[i + 1] && s->column[k] == j)
            wgdn_page_float(p, s->value ? s->value[k++] : (k++, 1.0f));
        else
            wgdn_page_put(p, "0", 1);
    }
}

static void put_label(wgdn_page *p, const wgdn_dataset *d, int32_t label)
{
    char digits[WGDN_INDEX_TEXT];
    wgdn_page_put(p, "\t", 1);
    if (label < 0) return;
    if (d->class_names.count)
        wgdn_page_field(p, wgdn_names_get(&d->class_names, label));
    else
        wgdn_page_put(p, digits, wgdn_print_index(digits, label));
}

/* A line for each of several. */
static void put_labels(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    const wgdn_csr *a = &d->lists;
    put_label(p, d, wgdn_dataset_label(d, i));
    for (int64_t k = a->offset ? a->offset[i] + 1 : 0; a->offset && k < a->offset[i + 1]; k++) {
        wgdn_page_put(p, "\n", 1);
        put_id(p, d, i);
        put_label(p, d, a->column[k]);
    }
}

static void put_splits(wgdn_page *p, const wgdn_dataset *d, int64_t i)
{
    static const char *const word[] = {"\tnone", "\ttrain", "\tval", "\ttest"};
    for (int64_t k = 0; k < d->splits; k++)
        wgdn_page_word(p, word[wgdn_dataset_split(d, k, i)]);
}

static wgdn_status write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                              wgdn_error *err)
{
    static const char *const word[] = {"features", "labels", "splits"};
    const bool there[] = {d->features.width > 0, d->label != NULL, d->split != NULL};
    wgdn_page *p = NULL;
    if ((int)part < 0 || (int)part > 2 || !there[part])
        return wgdn_fail(err, WGDN_EINVAL, "%s: the dataset has no %s", wgdn_show_name(path).text,
                         (int)part < 0 || (int)part > 2 ? "such part" : word[part]);
    const wgdn_status st = wgdn_page_open(&p, path, err);
    if (st) return st;
    if (part == WGDN_PART_LABELS) wgdn_page_word(p, "id\tlabel\n");
    for (int64_t i = 0; !p->st && i < d->nodes; i++) {
        put_id(p, d, i);
        if (part == WGDN_PART_FEATURES) put_features(p, &d->features, i);
        if (part == WGDN_PART_LABELS) put_labels(p, d, i);
        if (part == WGDN_PART_SPLITS) put_splits(p, d, i);
        wgdn_page_put(p, "\n", 1);
    }
    return wgdn_page_close(p);
}

wgdn_status wgdn_dataset_write_part(const wgdn_dataset *d, const char *path, wgdn_part part,
                                    wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st = wgdn_plain_open(&plain, d, err);
    if (!st) st = write_part(plain.d, path, part, err);
    wgdn_plain_close(&plain);
    return st;
}
