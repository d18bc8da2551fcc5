/* SPDX-License-Identifier: Apache-2.0 */
/* Tells vectors and models from graphs by the first bytes of a file. */
#define _POSIX_C_SOURCE 200809L
#include "kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { HEAD = 1 << 16, ROWS = 100 };

bool is_regular(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static uint32_t little(const unsigned char *b, int bytes)
{
    uint32_t x = 0;
    for (int i = bytes; i-- > 0;)
        x = x << 8 | b[i];
    return x;
}

/* ---- npz: the names in the zip's directory, whose place its last bytes tell ---- */

static bool ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* `embedding`, or an array all alone. */
static bool zip_has_vectors(FILE *f)
{
    unsigned char end[22], entry[46];
    if (fseek(f, -22, SEEK_END) != 0 || fread(end, 1, 22, f) != 22) return false;
    if (memcmp(end, "PK\5\6", 4) != 0) return false;
    const uint32_t entries = little(end + 10, 2);
    long at = (long)little(end + 16, 4);
    char name[1024] = "";
    for (uint32_t i = 0; i < entries; i++) {
        if (fseek(f, at, SEEK_SET) != 0 || fread(entry, 1, 46, f) != 46) return false;
        const uint32_t length = little(entry + 28, 2);
        memset(name, 0, sizeof name);
        if (length < sizeof name && fread(name, 1, length, f) == length &&
            strcmp(name, "embedding.npy") == 0)
            return true;
        at += 46 + (long)length + (long)little(entry + 30, 2) + (long)little(entry + 32, 2);
    }
    return entries == 1 && ends_with(name, ".npy");
}

/* ---- npy: its type and shape ---- */

/* m x 2 or 2 x m integers are edges; so is no embedding. */
static bool array_is_vectors(const char *header)
{
    const char *type = strstr(header, "'descr': '"), *shape = strstr(header, "'shape': (");
    char *end = NULL;
    if (!type || !shape || !strchr("iu", type[11])) return true;
    const long long rows = strtoll(shape + 10, &end, 10);
    const long long columns = *end == ',' ? strtoll(end + 1, &end, 10) : 0;
    return columns < 1 || *end != ')' || (rows != 2 && columns != 2);
}

/* ---- safetensors: the names in its header ---- */

static bool tensors_are_vectors(const char *head)
{
    return strstr(head, "\"embedding\"") && !strstr(head, "\"edge_index\"");
}

/* ---- text ---- */

typedef struct text_look {
    char separator;
    int64_t width; /* fields of a row */
    bool fraction; /* the second field is no integer somewhere, so it is no id */
} text_look;

static char separator_of(const char *line)
{
    return (char)(strchr(line, '\t')  ? '\t'
                  : strchr(line, ',') ? ','
                  : strchr(line, ';') ? ';'
                                      : ' ');
}

/* The start of the next field, or NULL; quotes are for ids, which come first. */
static const char *next_field(const char *at, char separator)
{
    if (*at == '"')
        for (at++; *at && (*at != '"' || at[1] == '"'); at++)
            if (*at == '"') at++;
    at = strchr(at, separator);
    while (separator == ' ' && at && at[1] == ' ')
        at++;
    return at && at[1] ? at + 1 : NULL;
}

/* A row is an id and numbers; how many, or -1. */
static int64_t numbers_of(text_look *l, const char *line)
{
    int64_t count = 0;
    for (const char *at = next_field(line, l->separator); at; at = next_field(at, l->separator)) {
        char *end = NULL;
        const double x = strtod(at, &end);
        if (end == at || (*end && *end != l->separator && *end != '\r')) return -1;
        if (count++ == 0 && x != floor(x)) l->fraction = true; /* 2.0 may be an id of pandas' */
    }
    return count;
}

/* id, v0, v1, ... as this program writes it. */
static bool is_own_header(const char *line, char separator)
{
    const char start[] = {'i', 'd', separator, 'v', '0', '\0'};
    return strncmp(line, start, 5) == 0 && (line[5] == separator || !line[5] || line[5] == '\r');
}

/* Two counts, and then rows of so many numbers. */
static bool is_word2vec(const char *line, const char *next)
{
    char *end = NULL;
    text_look l = {.separator = ' '};
    (void)strtoll(line, &end, 10);
    if (end == line || *end != ' ') return false;
    const long long width = strtoll(end, &end, 10);
    return (*end == '\0' || *end == '\r') && width > 2 && numbers_of(&l, next) == width;
}

/* Rows of an id and as many numbers, two at least, the first not all integers; after names or not. */
static bool text_is_vectors(char *text)
{
    text_look l = {.width = -1};
    char *rest = NULL, *line = strtok_r(text, "\n", &rest);
    for (int row = 0; line && row < ROWS; row++) {
        char *next = strtok_r(NULL, "\n", &rest);
        if (row == 0) {
            l.separator = separator_of(line);
            if (is_own_header(line, l.separator) || (next && is_word2vec(line, next))) return true;
        }
        const int64_t count = numbers_of(&l, line);
        if (row > 0 && (count < 1 || (row > 1 && count != l.width))) return false;
        if (count > 0) l.width = count;
        line = next;
    }
    return l.width > 1 && l.fraction;
}

/* As far as a line is whole. */
static bool head_is_vectors(FILE *f, char *head, size_t size, const char *path)
{
    if (size < 9) return false;
    if (memcmp(head, "\x93NUMPY", 6) == 0) return array_is_vectors(head + 10);
    if (memcmp(head, "PK\3\4", 4) == 0) return zip_has_vectors(f);
    if (ends_with(path, ".safetensors") || head[8] == '{') return tensors_are_vectors(head + 8);
    if (memchr(head, '\0', size)) return false;
    if (size == HEAD) {
        char *last = strrchr(head, '\n');
        if (last) *last = '\0';
    }
    return text_is_vectors(head);
}

/* The first bytes of what a gzip file holds, in place of its own. */
static size_t unpack_head(char *head, const char *path)
{
    gzFile z = gzopen(path, "rb");
    memset(head, 0, HEAD + 1);
    const int got = z ? gzread(z, head, HEAD) : 0;
    if (z) gzclose(z);
    return got > 0 ? (size_t)got : 0;
}

/* The first bytes of a regular file as text, to be freed, and how many; NULL: there are none. */
static char *read_head(FILE **f, size_t *size, const char *path)
{
    *f = is_regular(path) ? fopen(path, "r") : NULL;
    char *head = *f ? calloc(1, HEAD + 1) : NULL;
    *size = head ? fread(head, 1, HEAD, *f) : 0;
    if (*size > 2 && memcmp(head, "\x1f\x8b", 2) == 0) *size = unpack_head(head, path);
    return head;
}

bool holds_vectors(const char *path)
{
    FILE *f = NULL;
    size_t size = 0;
    if (!is_regular(path)) return false;
    if (ends_with(path, ".w2v")) return true;
    char *head = read_head(&f, &size, path);
    const bool found = head && head_is_vectors(f, head, size, path);
    free(head);
    if (f) fclose(f);
    return found;
}

bool is_vectors(const cli *c, const char *path)
{
    if (c->values.text[OPT_VECTORS]) return option_on(&c->values, OPT_VECTORS);
    return !c->values.text[OPT_FORMAT] && holds_vectors(path);
}

/* "wgdn.kind": "model", with or without blanks, as other writers of JSON put them. */
static bool has_kind(const char *head, const char *kind)
{
    static const char key[] = "\"wgdn.kind\"";
    const char *at = strstr(head, key);
    if (!at) return false;
    at += sizeof key - 1;
    at += strspn(at, " :\"");
    return strncmp(at, kind, strlen(kind)) == 0;
}

bool is_model(const char *path)
{
    FILE *f = NULL;
    size_t size = 0;
    char *head = read_head(&f, &size, path);
    const bool found = size > 9 && head[8] == '{' &&
                       (has_kind(head + 8, "model") || has_kind(head + 8, "checkpoint"));
    free(head);
    if (f) fclose(f);
    return found;
}
