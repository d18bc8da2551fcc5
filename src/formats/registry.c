/* SPDX-License-Identifier: Apache-2.0 */
#include "edge_list.h"
#include "embedding_formats.h"
#include "gexf.h"
#include "gml.h"
#include "graphml.h"
#include "matrix_market.h"
#include "metis.h"
#include "networkx.h"
#include "node_link.h"
#include "npz.h"
#include "ogb.h"
#include "packed.h"
#include "tu.h"

/* Folders are offered to each in turn; TU takes any. */
const wgdn_format *const wgdn_dataset_formats[] = {
    &wgdn_edges_format,     &wgdn_npz_format,
    &wgdn_npy_format,       &wgdn_mtx_format,
    &wgdn_ogb_format,       &wgdn_tu_format,
    &wgdn_packed_format,    &wgdn_graphml_format,
    &wgdn_gexf_format,      &wgdn_gml_format,
    &wgdn_node_link_format, &wgdn_networkx_format,
    &wgdn_metis_format,     NULL,
};

const wgdn_format *const wgdn_embedding_formats[] = {
    &wgdn_tsv_vectors, &wgdn_csv_vectors, &wgdn_word2vec_vectors,    &wgdn_json_lines_vectors,
    &wgdn_npy_vectors, &wgdn_npz_vectors, &wgdn_safetensors_vectors, NULL,
};

static const wgdn_format_info *info_at(const wgdn_format *const *all, int i)
{
    int count = 0;
    while (all[count])
        count++;
    return i >= 0 && i < count ? &all[i]->info : NULL;
}

const wgdn_format_info *wgdn_dataset_format(int i)
{
    return info_at(wgdn_dataset_formats, i);
}

const wgdn_format_info *wgdn_embedding_format(int i)
{
    return info_at(wgdn_embedding_formats, i);
}
