/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to a dataset: which reader, then what all formats share. */
#define _DEFAULT_SOURCE
#include "codec/system.h"
#include "codec/zip.h"
#include "edge_list.h"
#include "matrix_market.h"
#include "npz.h"
#include "ogb.h"
#include "packed.h"
#include "parts.h"
#include "tu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static wgdn_status guess_folder(int *format, const char *folder, wgdn_error *err)
{
    static const char *const edges[] = {"raw/edge.csv.gz", "raw/edge.csv"};
    char path[4096];
    bool there = false;
    wgdn_status st = WGDN_OK;
    for (int i = 0; !st && !there && i < 2; i++) {
        const int size = snprintf(path, sizeof path, "%s/%s", folder, edges[i]);
        if (size > 0 && (size_t)size < sizeof path) st = wgdn_path_exists(&there, path, err);
    }
    *format = there ? WGDN_FORMAT_OGB : WGDN_FORMAT_TU;
    return st;
}

/* A zip holds a TU set, or else an edge list. */
static wgdn_status guess_zip(int *format, const char *path, wgdn_error *err)
{
    wgdn_bytes b = {0};
    wgdn_zip z = {0};
    wgdn_status st = wgdn_bytes_map(&b, path, err);
    if (!st) st = wgdn_zip_open(&z, &b, err);
    if (!st) *format = wgdn_zip_find(&z, "_A.txt") >= 0 ? WGDN_FORMAT_TU : WGDN_FORMAT_EDGES;
    wgdn_zip_free(&z);
    wgdn_bytes_free(&b);
    return st;
}

/* By the name; a folder or a zip by what lies in it. */
static wgdn_status guess(int *format, const char *path, wgdn_error *err)
{
    struct stat s;
    if (wgdn_system_stat(path, &s) != 0)
        return wgdn_fail(err, WGDN_EIO, "%s: cannot be opened: %s", wgdn_show_name(path).text,
                         strerror(errno));
    if (S_ISDIR(s.st_mode)) return guess_folder(format, path, err);
    if (wgdn_path_ends(path, ".npz"))
        *format = WGDN_FORMAT_NPZ;
    else if (wgdn_path_ends(path, ".safetensors"))
        *format = WGDN_FORMAT_SAFETENSORS;
    else if (wgdn_path_ends(path, ".mtx") || wgdn_path_ends(path, ".mtx.gz"))
        *format = WGDN_FORMAT_MTX;
    else if (wgdn_path_ends(path, ".zip"))
        return guess_zip(format, path, err);
    else
        *format = WGDN_FORMAT_EDGES;
    return WGDN_OK;
}

static wgdn_status read_alone(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                              wgdn_error *err)
{
    wgdn_draft w;
    wgdn_status st = WGDN_EINVAL;
    wgdn_draft_open(&w, d, o);
    switch (o->format) {
    case WGDN_FORMAT_EDGES: st = wgdn_load_edges(&w, path, err); break;
    case WGDN_FORMAT_NPZ: st = wgdn_load_npz(&w, path, err); break;
    case WGDN_FORMAT_MTX: st = wgdn_load_mtx(&w, path, err); break;
    case WGDN_FORMAT_TU: st = wgdn_load_tu(&w, path, err); break;
    case WGDN_FORMAT_OGB: st = wgdn_load_ogb(&w, path, err); break;
    case WGDN_FORMAT_SAFETENSORS: st = wgdn_load_packed(&w, path, err); break;
    default: break;
    }
    if (!st) st = wgdn_features_read(&w, err);
    if (!st) st = wgdn_draft_finish(&w, path, err);
    wgdn_draft_close(&w);
    if (!st) st = wgdn_notes_read(d, o, err);
    if (!st && o->binarise) st = wgdn_features_binarise(&d->features, err);
    if (!st) st = wgdn_dataset_check(d, path, err);
    wgdn_alloc_trim(); /* readers build and drop arrays of the input's size */
    return st;
}

/* Ranks: what they share is a packed dataset, whole; rank 0 takes the notes beside it. */
static wgdn_status read_shared(wgdn_dataset *d, const char *path, const wgdn_dataset_options *o,
                               wgdn_error *err)
{
    wgdn_status st = WGDN_OK;
    if (o->format != WGDN_FORMAT_SAFETENSORS)
        st =
            wgdn_fail(err, WGDN_EINVAL,
                      "%s: ranks share packed datasets only: first 'wgdn convert --order metis' it "
                      "to .safetensors",
                      wgdn_show_name(path).text);
    else if (o->features || o->binarise)
        st = wgdn_fail(err, WGDN_EINVAL,
                       "%s: ranks share what is in the file: 'wgdn convert' it with these features",
                       wgdn_show_name(path).text);
    if (!st) st = wgdn_share_packed(d, path, o, err);
    if (!st && wgdn_ranks_rank(o->ranks) == 0) st = wgdn_notes_read(d, o, err);
    return wgdn_ranks_agree(o->ranks, st, err);
}

wgdn_status wgdn_dataset_read(wgdn_dataset **out, const char *path,
                              const wgdn_dataset_options *options, wgdn_error *err)
{
    wgdn_dataset_options o;
    wgdn_status st = wgdn_dataset_options_read(&o, options, err);
    if (st) return st;
    if (!path) return wgdn_fail(err, WGDN_EINVAL, "dataset: no path");
    if (o.format == WGDN_FORMAT_AUTO) st = guess(&o.format, path, err);
    if (st) return st;
    wgdn_dataset *d = wgdn_alloc_zero(1, sizeof *d);
    if (!d) return wgdn_fail(err, WGDN_ENOMEM, "dataset: handle");
    d->graphs = 1;
    if (o.ranks && wgdn_ranks_count(o.ranks) > 1)
        st = read_shared(d, path, &o, err);
    else
        st = read_alone(d, path, &o, err);
    if (st)
        wgdn_dataset_free(d);
    else
        *out = d;
    return st;
}
