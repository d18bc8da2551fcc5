/* SPDX-License-Identifier: Apache-2.0 */
/* From a dataset to a path: which writer. */
#include "edge_list.h"
#include "npz.h"
#include "packed.h"

wgdn_status wgdn_dataset_write(const wgdn_dataset *d, const char *path, wgdn_format format,
                               wgdn_error *err)
{
    wgdn_plain plain;
    wgdn_status st;
    if (format == WGDN_FORMAT_SAFETENSORS) return wgdn_write_packed(d, path, err);
    if (format != WGDN_FORMAT_NPZ && format != WGDN_FORMAT_EDGES)
        return wgdn_fail(err, WGDN_EINVAL,
                         "%s: datasets are written as safetensors, npz or edges, not as format %d",
                         wgdn_show_name(path).text, (int)format);
    st = wgdn_plain_open(&plain, d, err);
    if (!st)
        st = (format == WGDN_FORMAT_NPZ ? wgdn_write_npz_dataset : wgdn_write_edges)(plain.d, path,
                                                                                     err);
    wgdn_plain_close(&plain);
    return st;
}
