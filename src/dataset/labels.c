/* SPDX-License-Identifier: Apache-2.0 */
#include "dataset.h"

#include <string.h>

void wgdn_labels_take(wgdn_dataset *d, int32_t *label, const wgdn_names *names)
{
    wgdn_release(d->label);
    wgdn_names_free(&d->class_names);
    d->label = label;
    d->classes = names->count;
    d->class_names = *names;
}

wgdn_status wgdn_labels_set(wgdn_dataset *d, const int32_t *label, const char *name,
                            wgdn_error *err)
{
    int64_t classes = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        if (label[i] < -1 || label[i] == INT32_MAX)
            return wgdn_fail(err, WGDN_EFORMAT,
                             "%s: the label of node %lld is %d: expected 0, 1, 2, ... or -1 for "
                             "none",
                             wgdn_show_name(name).text, (long long)i, label[i]);
        if (label[i] >= classes) classes = (int64_t)label[i] + 1;
    }
    int32_t *copy = wgdn_alloc((size_t)d->nodes, sizeof *copy);
    if (!copy)
        return wgdn_fail(err, WGDN_ENOMEM, "%s: %lld labels", wgdn_show_name(name).text,
                         (long long)d->nodes);
    memcpy(copy, label, (size_t)d->nodes * sizeof *copy);
    wgdn_labels_take(d, copy, &(wgdn_names){0});
    d->classes = classes;
    return WGDN_OK;
}
