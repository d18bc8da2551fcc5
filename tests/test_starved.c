/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
/*
 * Memory that ends anywhere. Every kind of file is read with 0, 1, 2, ... allocations allowed until
 * it succeeds, packed and read again in the same way, and so are the models that are made of it. Each failure is
 * WGDN_ENOMEM and leaves nothing behind. Files that fail to open or to read are tried in the same way.
 */
#include "check.h"
#include "scratch.h"

#include <wgdn/fit.h>
#include <wgdn/model.h>
#include <wgdn/train.h>

static wgdn_error err;

/* A dataset of text: the graph, and what lies beside it. */
typedef struct text_case {
    const char *name, *text; /* the graph */
    const char *features, *labels, *splits;
    wgdn_direction directed;
    const char *type;
    bool bipartite;
} text_case;

#define TABLE                                                                            \
    "id,n,kind,day,flag,gap\na,1.5,red,2024-01-02,true,\nb,2,green,2024-02-03,false,3\n" \
    "c,-1,red,2023-01-01,true,NA\nd,0,blue,2022-12-31,false,1\n"

static const text_case cases[] = {
    {.name = "blanks.txt", .text = "# c\n1 2\n\n2 1\n3 3\n2 3\n"},
    {.name = "names.csv",
     .text = "from,to,weight,note\na,b,1.5,x\nb,c,2,y\nc,d,1,z\nd,a,0,w\n",
     .features = TABLE,
     .labels = "id,label\na,r\nb,s\nc,r\nd,s\n",
     .splits = "a\ttrain\nb\tval\nc\ttest\nd\ttest\n"},
    {.name = "several.tsv", .text = "a\tb\nb\tc\nc\ta\n", .labels = "a\tx\na\ty\nb\tx\nc\ty\n"},
    {.name = "types.txt",
     .text = "source,kind,target\na,likes,b\nb,likes,c\nb,knows,a\nc,knows,d\nd,likes,a\n",
     .type = "kind",
     .directed = WGDN_DIRECTION_BOTH},
    {.name = "two.csv", .text = "user,item\n1,1\n1,2\n2,2\n3,1\n", .bipartite = true},
    {.name = "graphs.csv",
     .text = "graph,from,to\ng,a,b\ng,b,c\nh,a,b\nh,b,c\nh,c,a\n",
     .labels = "g,r\nh,s\n"},
    {.name = "e.mtx",
     .text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n3 1 2\n3 2 1\n"},
    {.name = "e.graphml",
     .text = "<graphml><key id=\"k\" for=\"node\" attr.name=\"n\" attr.type=\"double\"/>"
             "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
             "<graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"k\">1</data></node>"
             "<node id=\"b\"><data key=\"k\">2</data></node><node id=\"c\"/>"
             "<edge source=\"a\" target=\"b\"><data key=\"w\">2</data></edge>"
             "<edge source=\"b\" target=\"c\"/></graph></graphml>"},
    {.name = "e.graph", .text = "3 3 001\n2 1 3 2\n1 1 3 1\n1 2 2 1\n"},
    {.name = "e.edgelist", .text = "a b {'weight': 2, 'k': 'x'}\nb c {'weight': 1}\nc a {}\n"},
};

static void describe(wgdn_dataset_options *o, const text_case *c, scratch_name *path)
{
    static const char *const name[] = {"features.csv", "labels.txt", "splits.txt"};
    const char *const text[] = {c->features, c->labels, c->splits};
    const char **const option[] = {&o->features, &o->labels, &o->splits};
    wgdn_dataset_options_init(o);
    o->threads = 1;
    o->directed = c->directed;
    o->type = c->type;
    o->bipartite = c->bipartite;
    o->max_categories = 2;
    for (int i = 0; i < 3; i++) {
        if (!text[i]) continue;
        path[i] = scratch(name[i]);
        scratch_write(name[i], text[i], strlen(text[i]));
        *option[i] = path[i].text;
    }
}

/* Pack it, read that, both short of memory; then short of files. */
static void pack_and_read(const wgdn_dataset *d)
{
    const scratch_name packed = scratch("packed.safetensors");
    wgdn_dataset *again = NULL;
    CHECK_ALLOCATIONS(wgdn_dataset_write(d, packed.text, NULL, &err), );
    CHECK_ALLOCATIONS(wgdn_dataset_read(&again, packed.text, NULL, &err), wgdn_dataset_free(again));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&again, packed.text, NULL, &err),
                          wgdn_dataset_free(again));
    CHECK_FILE_OPERATIONS(wgdn_dataset_write(d, packed.text, NULL, &err), );
}

static void keep_and_embed(const wgdn_model *m, const wgdn_dataset *d)
{
    const scratch_name file = scratch("starved.model");
    wgdn_model *again = NULL;
    wgdn_embedding *e = NULL;
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.threads = 1;
    CHECK_ALLOCATIONS(wgdn_model_save(m, file.text, &err), );
    CHECK_FILE_OPERATIONS(wgdn_model_save(m, file.text, &err), );
    CHECK_ALLOCATIONS(wgdn_model_load(&again, file.text, &err), wgdn_model_free(again));
    CHECK_FILE_OPERATIONS(wgdn_model_load(&again, file.text, &err), wgdn_model_free(again));
    CHECK_ALLOCATIONS(wgdn_model_embed(&e, m, d, &o, &err), wgdn_embedding_free(e));
}

static void fit_it(const wgdn_dataset *d)
{
    wgdn_fit_options o;
    wgdn_model *m = NULL;
    wgdn_fit_options_init(&o);
    o.dim = 16;
    o.threads = 1;
    CHECK_ALLOCATIONS(wgdn_model_fit(&m, d, &o, &err), wgdn_model_free(m));
    CHECK(wgdn_model_fit(&m, d, &o, &err) == WGDN_OK);
    keep_and_embed(m, d);
    wgdn_model_free(m);
}

static void train_it(const wgdn_dataset *d)
{
    wgdn_train_options o;
    wgdn_model *m = NULL;
    wgdn_train_options_init(&o);
    o.dim = 4;
    o.epochs = 2;
    o.threads = 1;
    CHECK_ALLOCATIONS(wgdn_model_train(&m, d, &o, NULL, &err), wgdn_model_free(m));
    CHECK(wgdn_model_train(&m, d, &o, NULL, &err) == WGDN_OK);
    keep_and_embed(m, d);
    wgdn_model_free(m);
}

static void read_short_of(const char *path, const wgdn_dataset_options *o)
{
    wgdn_dataset *d = NULL;
    CHECK_ALLOCATIONS(wgdn_dataset_read(&d, path, o, &err), wgdn_dataset_free(d));
    CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, path, o, &err), wgdn_dataset_free(d));
    CHECK(wgdn_dataset_read(&d, path, o, &err) == WGDN_OK);
    if (!d) {
        fprintf(stderr, "%s: %s\n", path, err.message);
        return;
    }
    pack_and_read(d);
    fit_it(d);
    train_it(d);
    wgdn_dataset_free(d);
}

static void texts(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wgdn_dataset_options o;
        scratch_name beside[3];
        describe(&o, &cases[i], beside);
        scratch_write(cases[i].name, cases[i].text, strlen(cases[i].text));
        read_short_of(scratch(cases[i].name).text, &o);
    }
}

/* What other tools have written. */
static void files_of_others(void)
{
    static const char *const name[] = {
        "club.gexf",       "directed.gexf", "viz.gexf", "zachary.gml", "grid.json",
        "club_links.json", "club.edgelist", "coo.npz",  "dgl.npz",     "pyg.npz"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char path[SCRATCH_PATH];
        wgdn_dataset_options o;
        wgdn_dataset *d = NULL;
        wgdn_dataset_options_init(&o);
        o.threads = 1;
        snprintf(path, sizeof path, "%s/formats/%s", WGDN_TEST_DATA, name[i]);
        CHECK_ALLOCATIONS(wgdn_dataset_read(&d, path, &o, &err), wgdn_dataset_free(d));
        CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, path, &o, &err), wgdn_dataset_free(d));
    }
}

/* Edge lists that are sorted in files, because they are said to be larger than memory. */
static void beyond_memory(void)
{
    static const char *const form[] = {"%d\t%d\n", "n%d,m%d,1.5\n"};
    static char text[1 << 20];
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        size_t used = 0;
        for (int i = 0; i < 30000; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, form[f], i * 7919 % 2003,
                                     i * 4729 % 1999);
        wgdn_dataset_options o;
        wgdn_dataset *d = NULL;
        const scratch_name file = scratch("large.txt");
        wgdn_dataset_options_init(&o);
        o.threads = 1;
        o.memory = 1 << 20;
        o.scratch = scratch_folder;
        scratch_write("large.txt", text, used);
        CHECK_ALLOCATIONS(wgdn_dataset_read(&d, file.text, &o, &err), wgdn_dataset_free(d));
        CHECK_FILE_OPERATIONS(wgdn_dataset_read(&d, file.text, &o, &err), wgdn_dataset_free(d));
        CHECK(wgdn_dataset_read(&d, file.text, &o, &err) == WGDN_OK);
        pack_and_read(d);
        wgdn_dataset_free(d);
    }
}

int main(void)
{
    scratch_begin();
    RUN(texts);
    RUN(files_of_others);
    RUN(beyond_memory);
    scratch_end();
    return check_result();
}
