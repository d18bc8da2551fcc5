/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: what it says of formats, and which one it takes. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "formats/formats.h"

/* Every row of both tables says who it is, and does what it says. */
static void formats_describe_themselves(void)
{
    const wgdn_format *const *const table[] = {wgdn_dataset_formats, wgdn_embedding_formats};
    const wgdn_format_info *(*const get[])(int) = {wgdn_dataset_format, wgdn_embedding_format};
    for (int t = 0; t < 2; t++) {
        int count = 0;
        for (; table[t][count]; count++) {
            const wgdn_format *f = table[t][count];
            CHECK(get[t](count) == &f->info);
            CHECK(strlen(f->info.name) > 0 && strlen(f->info.description) > 10);
            CHECK((f->load || f->parse || f->load_vectors) == (f->info.reads != 0));
            CHECK((f->write || f->write_vectors) == (f->info.writes != 0));
            CHECK(f->folders || f->look || f->info.suffixes[0]);
            for (int i = 0; i < count; i++)
                CHECK(strcmp(table[t][i]->info.name, f->info.name) != 0);
        }
        CHECK(count > 5 && !get[t](count) && !get[t](-1));
    }
}

/* The name decides; one that nobody knows, or that says little, leaves it to the first bytes. */
static void the_format_is_found(void)
{
    static const struct {
        const char *name, *text, *format;
    } file[] = {
        {"g.mtx", "0 1\n", "mtx"},
        {"g.MTX", "0 1\n", "mtx"},
        {"g.x", "%%MatrixMarket matrix", "mtx"},
        {"g.tsv", "%%MatrixMarket matrix", "mtx"},
        {"g.txt", "{\"nodes\": []}", "json"},
        {"g.edges", "a b {}\n", "networkx"},
        {"g.Gexf", "", "gexf"},
        {"g.GML.zst", "", "gml"},
        {"g.csv", "0,1\n", "edges"},
        {"g.npz", "0 1\n", "npz"},
    };
    const wgdn_format *f = NULL;
    wgdn_error err;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        const scratch_name path = scratch(file[i].name);
        scratch_write(file[i].name, file[i].text, strlen(file[i].text));
        CHECK(wgdn_format_to_read(&f, wgdn_dataset_formats, "auto", path.text, &err) == WGDN_OK);
        CHECK_TEXT(f->info.name, file[i].format);
        CHECK_FILE_OPERATIONS(wgdn_format_to_read(&f, wgdn_dataset_formats, NULL, path.text, NULL),
                              (void)0);
    }
    CHECK(wgdn_format_to_read(&f, wgdn_dataset_formats, "gmx", "g", &err) == WGDN_EINVAL);
    CHECK(strstr(err.message, "format = 'gmx': it may be auto, edges, npz, npy, mtx, ogb, tu"));
    CHECK(wgdn_format_to_write(&f, wgdn_dataset_formats, "mtx", "g", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "format = 'mtx': it may be auto, edges, npz or safetensors");
    CHECK(wgdn_format_to_write(&f, wgdn_dataset_formats, NULL, "g.mtx", &err) == WGDN_EINVAL);
    CHECK_TEXT(err.message, "g.mtx: the name does not say which format; end it with .tsv, .txt, "
                            ".edges, .npz or .safetensors");
    CHECK(wgdn_format_to_write(&f, wgdn_embedding_formats, "auto", "v.w2v", &err) == WGDN_OK);
    CHECK_TEXT(f->info.name, "word2vec");
}

int main(void)
{
    scratch_begin();
    RUN(formats_describe_themselves);
    RUN(the_format_is_found);
    scratch_end();
    CHECK(wgdn_alloc_live() == 0);
    return check_result();
}
