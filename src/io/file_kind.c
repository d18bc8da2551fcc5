/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognizes files of other programs by their first bytes and rejects them with the command that
 * converts them. source.c and archive.c call it.
 */
#include "file_kind.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One kind of file: its first bytes, what it is called, and the command around the file's name. */
typedef struct foreign {
    const char *start;
    size_t size, at; /* how many bytes, and where they stand */
    size_t again;    /* not 0: a text may begin so; they stand here from the end, too */
    const char *name, *before, *after;
} foreign;

#define FIRST(bytes) bytes, sizeof(bytes) - 1, 0, 0
#define BOTH_ENDS(bytes) bytes, sizeof(bytes) - 1, 0, 4
#define PANDAS(read)                                   \
    "python3 -c \"import pandas,sys; pandas." read     \
    "(sys.argv[1]).to_csv(sys.stdout,index=False)\" ", \
        ""

static const foreign files[] = {
    {BOTH_ENDS("PAR1"), "a Parquet file", "duckdb -csv -c \"FROM read_parquet('", "')\""},
    {FIRST("ARROW1\0\0"), "an Arrow or Feather file", PANDAS("read_feather")},
    {BOTH_ENDS("ORC"), "an ORC file", PANDAS("read_orc")},
    {FIRST("Obj\1"), "an Avro file",
     "python3 -c \"import fastavro,pandas,sys; pandas.DataFrame(fastavro.reader(open(sys.argv[1],"
     "'rb'))).to_csv(sys.stdout,index=False)\" ",
     ""},
    {FIRST("\x89HDF\r\n\x1a\n"), "an HDF5 file", PANDAS("read_hdf")},
    {FIRST("SQLite format 3\0"), "an SQLite database", "sqlite3 -header -csv ",
     " \"SELECT * FROM edges\""},
    {FIRST("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Excel workbook", PANDAS("read_excel")},
    {FIRST("\x04\x22\x4d\x18"), "packed with lz4", "lz4 -dc ", ""},
    {FIRST("7z\xbc\xaf\x27\x1c"), "packed with 7-Zip", "7z x -so ", ""},
    {"ustar\0", 6, 257, 0, "a tar archive", "tar -xOf ", ""},
    {"ustar  \0", 8, 257, 0, "a tar archive", "tar -xOf ", ""},
    {FIRST("\xff\xfe"), "text in UTF-16", "iconv -f UTF-16 -t UTF-8 ", ""},
    {FIRST("\xfe\xff"), "text in UTF-16", "iconv -f UTF-16 -t UTF-8 ", ""},
};

/* In a zip, by the end of a member's name. */
static const foreign members[] = {
    {FIRST("xl/workbook.xml"), "an Excel workbook", PANDAS("read_excel")},
    {FIRST("/data.pkl"),
     "a PyTorch file, which runs code when it is read: in Python, numpy.savez('graph.npz', "
     "edge_index=data.edge_index, x=data.x, y=data.y)",
     NULL, NULL},
};

#define PAJEK                                                                                    \
    "a Pajek network: in Python, networkx.write_gml(networkx.Graph(networkx.read_pajek(FILE)), " \
    "'graph.gml')"

/* Those for which no command makes a table. */
static const foreign others[] = {
    {FIRST("<!DOCTYPE html"), "a web page, not data: download the file itself", NULL, NULL},
    {FIRST("<!doctype html"), "a web page, not data: download the file itself", NULL, NULL},
    {FIRST("<html"), "a web page, not data: download the file itself", NULL, NULL},
    {FIRST("%PDF-"), "a PDF, not data: download the table itself", NULL, NULL},
    {FIRST("\x89PNG\r\n\x1a\n"), "a PNG image, not a graph", NULL, NULL},
    {FIRST("\xff\xd8\xff"), "a JPEG image, not a graph", NULL, NULL},
    {FIRST("GIF8"), "a GIF image, not a graph", NULL, NULL},
    {FIRST("MATLAB 5.0 MAT-file"),
     "a MATLAB file: in Python, scipy.sparse.save_npz('graph.npz', "
     "scipy.sparse.csr_matrix(scipy.io.loadmat(FILE)['network'])), or what its matrix is called",
     NULL, NULL},
    {FIRST("MATLAB 7.3 MAT-file"), "a MATLAB file of version 7.3: save it with -v7", NULL, NULL},
    {FIRST(">>graph6<<"),
     "graph6: in Python, networkx.write_gml(networkx.read_graph6(FILE), 'graph.gml')", NULL, NULL},
    {FIRST(">>sparse6<<"),
     "sparse6: in Python, networkx.write_gml(networkx.read_sparse6(FILE), 'graph.gml')", NULL,
     NULL},
    {FIRST("*Vertices"), PAJEK, NULL, NULL},
    {FIRST("*vertices"), PAJEK, NULL, NULL},
};

/* May the name stand in a command as it is? Else FILE does. */
static const char *plain_name(const char *path)
{
    enum { LONGEST = 40 };
    const size_t size = strlen(path);
    const bool plain = size <= LONGEST && path[0] != '-' && strncmp(path, "/dev/", 5) != 0 &&
                       strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "._/+-") == size;
    return plain ? path : "FILE";
}

static wgdn_status refuse(const foreign *f, const char *path, wgdn_error *err)
{
    const size_t size = strlen(path);
    const char *shown = size > 48 ? path + size - 45 : path, *dots = size > 48 ? "..." : "";
    if (!f->before) return wgdn_fail(err, WGDN_EFORMAT, "%s%s: %s", dots, shown, f->name);
    return wgdn_fail(err, WGDN_EFORMAT, "%s%s: %s; make it CSV: %s%s%s | wgdn info -", dots, shown,
                     f->name, f->before, plain_name(path), f->after);
}

static const foreign *find(const foreign *f, size_t count, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (size >= f[i].at + f[i].size + f[i].again &&
            memcmp(data + f[i].at, f[i].start, f[i].size) == 0 &&
            (!f[i].again || memcmp(data + size - f[i].again, f[i].start, f[i].size) == 0))
            return &f[i];
    return NULL;
}

/* Protocols 2 to 5; older ones look like text, and nobody has written them for long. */
static bool is_pickle(const unsigned char *data, size_t size)
{
    return size > 3 && data[0] == 0x80 && data[1] >= 2 && data[1] <= 5 && data[size - 1] == '.';
}

/* Behind a checksum and its name: a version, below 256, in eight bytes. */
static bool is_duckdb(const unsigned char *data, size_t size)
{
    return size >= 20 && memcmp(data + 8, "DUCK", 4) == 0 && memcmp(data + 13, "\0\0\0", 4) == 0;
}

/* An object on each line, two of them at least. */
static bool is_json_lines(wgdn_text start)
{
    if (start.size < 2 || memcmp(start.at, "{\"", 2) != 0) return false;
    const unsigned char *end = memchr(start.at, '\n', start.size);
    if (!end) return false;
    const unsigned char *last = end[-1] == '\r' ? end - 1 : end;
    return last[-1] == '}' && end + 1 < start.at + start.size && end[1] == '{';
}

/* graph, or digraph, a name perhaps, and a brace; that of GML is a bracket. */
static bool is_dot(wgdn_text start)
{
    static const char *const words[] = {"graph", "digraph", "strict graph", "strict digraph"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t at = strlen(words[i]);
        if (start.size <= at || memcmp(start.at, words[i], at) != 0) continue;
        if (!strchr(" \t\r\n{", start.at[at])) continue;
        while (at < start.size && start.at[at] != '{' &&
               (isalnum(start.at[at]) || strchr(" \t\r\n_\"", start.at[at])))
            at++;
        if (at < start.size && start.at[at] == '{') return true;
    }
    return false;
}

/* Comments, each line with a c, and the line of the problem. */
static bool is_dimacs(wgdn_text start)
{
    static const char *const problems[] = {"p edge ", "p col ", "p sp ", "p max "};
    const unsigned char *at = start.at, *const end = start.at + start.size;
    while (end - at > 1 && at[0] == 'c' && (at[1] == ' ' || at[1] == '\n')) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at) return false;
        at++;
    }
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const size_t size = strlen(problems[i]);
        if ((size_t)(end - at) >= size && memcmp(at, problems[i], size) == 0) return true;
    }
    return false;
}

static bool is_other_xml(wgdn_text start)
{
    return start.size > 5 && memcmp(start.at, "<?xml", 5) == 0 &&
           !wgdn_text_holds(start, "<graphml") && !wgdn_text_holds(start, "<gexf");
}

/* Those that take more than a look at fixed bytes. */
static const struct {
    bool (*is)(wgdn_text start);
    foreign file;
} recognized[] = {
    {is_other_xml,
     {FIRST(""), "XML that is neither GraphML nor GEXF: export it as one of these", NULL, NULL}},
    {is_json_lines,
     {FIRST(""), "JSON, an object on each line", "jq -r '[.source, .target] | @csv' ", ""}},
    {is_dimacs, {FIRST(""), "a graph of DIMACS", "grep '^[ea] ' ", " | cut -d ' ' -f 2-"}},
    {is_dot, {FIRST(""), "a graph of Graphviz: make it GML, gv2gml FILE > graph.gml", NULL, NULL}},
};

static const foreign *recognize(const unsigned char *data, size_t size)
{
    static const foreign pickle = {FIRST(""), "a pickle, which can run code",
                                   PANDAS("read_pickle")};
    static const foreign duckdb = {FIRST(""), "a DuckDB database", "duckdb -csv ",
                                   " -c \"FROM edges\""};
    const foreign *f = find(files, sizeof files / sizeof *files, data, size);
    if (!f) f = find(others, sizeof others / sizeof *others, data, size);
    if (!f && is_duckdb(data, size)) f = &duckdb;
    if (!f && is_pickle(data, size)) f = &pickle;
    for (size_t i = 0; i < sizeof recognized / sizeof *recognized && !f; i++)
        if (recognized[i].is(wgdn_text_of(data, size < 4096 ? size : 4096)))
            f = &recognized[i].file;
    return f;
}

wgdn_status wgdn_foreign_refuse(const unsigned char *data, size_t size, const char *path,
                                wgdn_error *err)
{
    const foreign *f = recognize(data, size);
    return f ? refuse(f, path, err) : WGDN_OK;
}

const char *wgdn_foreign_name(const unsigned char *data, size_t size)
{
    const foreign *f = recognize(data, size);
    return f ? f->name : NULL;
}

wgdn_status wgdn_foreign_refuse_zip(const wgdn_zip *z, const char *path, wgdn_error *err)
{
    for (int64_t i = 0; i < z->members; i++)
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            const size_t size = strlen(z->member[i].name);
            if (size >= members[k].size &&
                strcmp(z->member[i].name + size - members[k].size, members[k].start) == 0)
                return refuse(&members[k], path, err);
        }
    return WGDN_OK;
}
