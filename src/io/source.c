/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens inputs as bytes: files, pipes, compressed files and single members of zip archives. It also
 * looks at the first bytes of a file.
 */
#define _DEFAULT_SOURCE
#include "source.h"
#include "compression.h"
#include "text.h"
#include "zip.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Recognizes files of other programs by their first bytes and rejects them with the command that
 * converts them. source.c and archive.c call it.
 */

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

static const foreign foreign_files[] = {
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
    const foreign *f =
        find(foreign_files, sizeof foreign_files / sizeof *foreign_files, data, size);
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

/* Likewise for what is a zip: workbooks and PyTorch's files. */
static wgdn_status foreign_refuse_zip(const wgdn_zip *z, const char *path, wgdn_error *err)
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

wgdn_status wgdn_bytes_read(wgdn_bytes *b, const char *path, int64_t max_bytes, wgdn_error *err)
{
    const size_t limit = wgdn_unpack_limit(max_bytes);
    wgdn_bytes raw = {0};
    wgdn_status st = wgdn_bytes_open(&raw, path, max_bytes, err);
    if (st) return st;
    const wgdn_packing *packing = wgdn_packing_of(raw.data, raw.size);
    if (packing) {
        wgdn_bytes plain = {0};
        st = wgdn_unpack(&plain, packing, &raw, limit, err);
        if (!st) *b = plain;
    } else if (raw.size > limit && (max_bytes > 0 || !raw.mapped)) {
        st = wgdn_fail(err, WGDN_EFORMAT, "%s: holds more than the %zu bytes allowed", path, limit);
    } else {
        *b = raw;
        return WGDN_OK;
    }
    wgdn_bytes_free(&raw);
    return st;
}

/* A block of bzip2 gives nothing before it is whole. */
static const size_t packed_start = (size_t)1 << 20;

/* The one file in a zip; folders have no size. */
static wgdn_status only_member(int64_t *at, const wgdn_zip *z, const char *path, wgdn_error *err)
{
    int64_t files = 0;
    for (int64_t i = 0; i < z->members; i++) {
        const size_t size = strlen(z->member[i].name);
        if (size > 0 && z->member[i].name[size - 1] == '/') continue;
        *at = i;
        files++;
    }
    if (files == 1) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, path,
                        "a zip of %lld files: expected one text file in it", (long long)files);
}

/* ---- the first bytes ---- */

/* So many of them, or all there are; -1 and errno. */
static ssize_t read_start(const char *path, void *out, size_t size)
{
    size_t used = 0;
    ssize_t got = 1;
    const int fd = wgdn_system_open(path, O_RDONLY, 0);
    if (fd < 0) return -1;
    while (got > 0 && used < size) {
        got = wgdn_system_read(fd, (char *)out + used, size - used);
        if (got > 0) used += (size_t)got;
    }
    const int why = errno;
    (void)close(fd);
    errno = why;
    return got < 0 ? -1 : (ssize_t)used;
}

static wgdn_status unpack_head(unsigned char *out, size_t room, size_t *size, const char *path,
                               const wgdn_packing *p, wgdn_error *err)
{
    unsigned char *raw = wgdn_alloc(packed_start, 1);
    if (!raw) return wgdn_fail_in(err, WGDN_ENOMEM, path, "its first bytes");
    const ssize_t got = read_start(path, raw, packed_start);
    *size = got > 0 ? wgdn_unpack_start(out, room, p, raw, (size_t)got) : 0;
    wgdn_release(raw);
    if (got >= 0) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EIO, path, "cannot be read: %s", strerror(errno));
}

wgdn_status wgdn_source_head(unsigned char *out, size_t room, size_t *size, const char *path,
                             wgdn_error *err)
{
    *size = 0;
    if (!wgdn_path_is_file(path)) return WGDN_OK; /* whoever reads it reports what is wrong */
    const ssize_t got = read_start(path, out, room);
    if (got < 0) return wgdn_fail_in(err, WGDN_EIO, path, "cannot be opened: %s", strerror(errno));
    *size = (size_t)got;
    const wgdn_packing *p = wgdn_packing_of(out, *size);
    return p ? unpack_head(out, room, size, path, p, err) : WGDN_OK;
}

const char *wgdn_start_archive(wgdn_text start)
{
    const unsigned char *b = start.at;
    if (start.size < 16) return NULL;
    if (memcmp(b, "\x93NUMPY", 6) == 0) return ".npy";
    /* A zip whose first member is an array; a length, then JSON. */
    if (memcmp(b, "PK\3\4", 4) == 0)
        return wgdn_text_holds(wgdn_text_of(b, start.size < 256 ? start.size : 256), ".npy")
                   ? ".npz"
                   : NULL;
    return b[8] == '{' && b[9] == '"' && !b[5] && !b[6] && !b[7] ? ".safetensors" : NULL;
}

bool wgdn_path_is_archive(const char *path)
{
    wgdn_start s;
    if (wgdn_path_ends(path, ".npy") || wgdn_path_ends(path, ".npz") ||
        wgdn_path_ends(path, ".safetensors"))
        return true;
    return wgdn_source_start(&s, path, NULL) == WGDN_OK &&
           wgdn_start_archive(wgdn_text_of(s.byte, s.size));
}

/* ---- a whole file ---- */

/* A block of zero bytes is no text, and packs so well that it is recognized before all of it is unpacked. */
wgdn_status wgdn_zeros_refuse(const char *path, wgdn_error *err)
{
    wgdn_start start;
    size_t zeros = 0;
    const wgdn_status st = wgdn_source_start(&start, path, err);
    if (st) return st;
    while (zeros < start.size && start.byte[zeros] == 0)
        zeros++;
    if (zeros < sizeof start.byte) return WGDN_OK;
    return wgdn_fail_in(err, WGDN_EFORMAT, path,
                        "begins with %zu bytes of zeros: it is no text; create or fetch it again",
                        zeros);
}

wgdn_status wgdn_source_read(wgdn_source *s, const char *path, int64_t max_bytes, wgdn_error *err)
{
    int64_t at = 0;
    *s = (wgdn_source){.name = path};
    wgdn_status st = wgdn_zeros_refuse(path, err);
    if (!st) st = wgdn_bytes_read(&s->file, path, max_bytes, err);
    if (st) return st;
    if (s->file.size < 4 || memcmp(s->file.data, "PK\3\4", 4) != 0) {
        st = wgdn_foreign_refuse(s->file.data, s->file.size, path, err);
        if (st) goto done;
        s->data = s->file.data;
        s->size = s->file.size;
        return WGDN_OK;
    }
    wgdn_zip *z = wgdn_alloc_zero(1, sizeof *z);
    if (!z) {
        st = wgdn_fail_in(err, WGDN_ENOMEM, path, "the zip's directory");
        goto done;
    }
    st = wgdn_zip_open(z, &s->file, err);
    if (st) {
        wgdn_release(z);
        goto done;
    }
    s->zip = z;
    st = foreign_refuse_zip(z, path, err);
    if (!st) st = only_member(&at, z, path, err);
    if (!st) st = wgdn_zip_extract(&s->member, z, at, wgdn_unpack_limit(max_bytes), err);
    if (!st) st = wgdn_foreign_refuse(s->member.data, s->member.size, path, err);
    s->data = s->member.data;
    s->size = s->member.size;

done:
    if (st) wgdn_source_free(s);
    return st;
}

void wgdn_source_free(wgdn_source *s)
{
    wgdn_bytes_free(&s->member);
    if (s->zip) wgdn_zip_free(s->zip);
    wgdn_release(s->zip);
    wgdn_bytes_free(&s->file);
    *s = (wgdn_source){0};
}
