/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the files that the user names: datasets, vectors, models, presets and configuration files.
 * The commands call it with a path and their options; it also handles standard input.
 */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "process.h"
#include "terminal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Accepts standard input wherever a file is read. */

static const char device[] = "/dev/stdin";

const char *input_name(const char *path)
{
    return strcmp(path, device) == 0 ? "-" : path;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

int input_each(const char *list, int (*visit)(void *user, const char *path), void *user)
{
    struct stat s;
    char name[4096];
    int code = DONE;
    if (!strchr(list, ',') || stat(list, &s) == 0) return visit(user, list);
    for (const char *at = list; code == DONE && *at;) {
        const size_t size = strcspn(at, ",");
        if (size > 0 && size < sizeof name) {
            memcpy(name, at, size);
            name[size] = '\0';
            if (strcmp(name, "structure") != 0) code = visit(user, name);
        }
        at += size + (at[size] == ',');
    }
    return code;
}

/* ---- the inputs of a command ---- */

/* Options whose file is read. */
static const option_id side_option[] = {OPT_FEATURES, OPT_TRAIN_FEATURES, OPT_FIT_FEATURES,
                                        OPT_LABELS,   OPT_SPLITS,         OPT_EVAL_SPLITS,
                                        OPT_CONFIG,   OPT_ALIGN};
enum { SIDES = sizeof side_option / sizeof *side_option, NAME = 32 };

/* The device for a text that names standard input, else NULL. */
static const char *device_for(const char *text)
{
    if (!text || text[0] != '-') return NULL;
    if (text[1] == '\0') return device;
    return strcmp(text + 1, ",structure") == 0 ? "/dev/stdin,structure" : NULL;
}

/* Replaces each input - by the device. Returns their number and the names of two of them. */
static int find_inputs(cli *c, char name[2][NAME])
{
    int count = 0;
    for (int i = 0; i < c->operands; i++)
        if (command_reads(c->command, i) && device_for(c->operand[i])) {
            c->operand[i] = device_for(c->operand[i]);
            snprintf(name[count++ > 0], NAME, "operand %d", i + 1);
        }
    for (int i = 0; i < SIDES; i++)
        if (device_for(c->values.text[side_option[i]])) {
            c->values.text[side_option[i]] = device_for(c->values.text[side_option[i]]);
            snprintf(name[count++ > 0], NAME, "--%s", option_get(side_option[i])->row.name);
        }
    return count;
}

/* ---- a copy that can be read again ---- */

static int64_t input_limit(const cli *c)
{
    wgdn_dataset_options o;
    const wgdn_machine m = machine_info();
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_DATASET, &o);
    return o.max_bytes > 0 && (m.memory_available == 0 || o.max_bytes < m.memory_available)
               ? o.max_bytes
               : m.memory_available;
}

static int failed(const char *what)
{
    complain("standard input: %s: %s", what, strerror(errno));
    return BAD_INPUT;
}

static int copy(int to, int64_t limit)
{
    char block[1 << 16];
    int64_t all = 0;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed("cannot be read");
        if (got == 0) return DONE;
        all += got;
        if (all > limit) {
            complain("standard input: more than the %lld bytes that fit: save it to a file",
                     (long long)limit);
            return DOES_NOT_FIT;
        }
        for (ssize_t put = 0; put < got;) {
            const ssize_t more = write(to, block + put, (size_t)(got - put));
            if (more < 0 && errno != EINTR) return failed("cannot be buffered");
            if (more > 0) put += more;
        }
    }
}

/* A pipe can be read only once, so a copy in memory replaces it. */
static int keep(const cli *c)
{
    struct stat s;
    if (fstat(STDIN_FILENO, &s) != 0) return failed("is closed");
    if (S_ISREG(s.st_mode)) return DONE;
    const int fd = open_buffer();
    if (fd < 0) return failed("cannot be buffered");
    int code = copy(fd, input_limit(c));
    if (code == DONE && dup2(fd, STDIN_FILENO) < 0) code = failed("cannot be buffered");
    (void)close(fd);
    return code;
}

int input_open(cli *c)
{
    char name[2][NAME] = {"", ""};
    const int count = find_inputs(c, name);
    if (count == 0) return DONE;
    if (count > 1) {
        complain("standard input can be one input: %s and %s are both -", name[0], name[1]);
        complain("put one of them in a file, or write <(command) in place of it");
        return USAGE;
    }
    if (wgdn_ranks_count(c->ranks) > 1) {
        complain("standard input cannot be shared by ranks: name a file");
        return USAGE;
    }
    return keep(c);
}

bool is_vectors(const cli *c, const char *path)
{
    if (c->values.text[OPT_VECTORS]) return option_on(&c->values, OPT_VECTORS);
    return !c->values.text[OPT_FORMAT] && wgdn_file_kind_of(path) == WGDN_FILE_KIND_VECTORS;
}

bool is_model(const char *path)
{
    return wgdn_file_kind_of(path) == WGDN_FILE_KIND_MODEL;
}

static bool is_recommender(const char *path)
{
    return wgdn_file_kind_of(path) == WGDN_FILE_KIND_RECOMMENDER;
}

bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* The name in the same folder that the user may have meant, into `name`. */
static bool near_name(const char *path, char *name, size_t size)
{
    char folder[1024] = ".";
    const char *slash = strrchr(path, '/');
    guess g = {.word = slash ? slash + 1 : path};
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length >= sizeof folder) return false;
    if (slash) memcpy(folder, path, length);
    folder[length] = '\0';

    DIR *dir = opendir(folder);
    name[0] = '\0';
    for (struct dirent *e = NULL; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        const char *best = g.best;
        guess_offer(&g, e->d_name);
        if (g.best != best) snprintf(name, size, "%s%s", slash ? folder : "", e->d_name);
        if (g.best) g.best = name; /* the entry itself does not last */
    }
    if (dir) closedir(dir);
    return name[0] != '\0';
}

static int missing(const char *path)
{
    char name[1280];
    if (near_name(path, name, sizeof name))
        complain("%s: no such file or folder; did you mean %s?", path, name);
    else
        complain("%s: no such file or folder", path);
    return BAD_INPUT;
}

int path_check(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 && errno == ENOENT ? missing(path) : DONE;
}

static int check_one(void *unused, const char *path)
{
    (void)unused;
    return path_check(path);
}

/* Refuses a model or a saved recommender where data is expected. */
static int refuse_model(const cli *c, const char *path)
{
    if (is_recommender(path))
        complain("%s is a saved recommender, not a graph; 'wgdn recommend %s' makes lists with it",
                 path, path);
    else if (strcmp(c->command->name, "embed") == 0 && c->operands == 1)
        complain("%s is a model; name the data after it: wgdn embed %s DATA -o vectors.npz", path,
                 path);
    else
        complain("%s is a model, not a graph; name the file of the graph", path);
    return BAD_INPUT;
}

/* Reports a missing file before the reader does, with the nearest name of the folder. */
static int check_paths(const cli *c, const char *path)
{
    static const option_id side[] = {OPT_FEATURES, OPT_TRAIN_FEATURES, OPT_FIT_FEATURES,
                                     OPT_LABELS,   OPT_SPLITS,         OPT_EVAL_SPLITS};
    int code = path_check(path);
    if (code == DONE && (is_model(path) || is_recommender(path))) code = refuse_model(c, path);
    for (size_t i = 0; i < sizeof side / sizeof *side && code == DONE; i++)
        if (c->values.text[side[i]] && !option_is_word(&c->values, side[i]))
            code = input_each(c->values.text[side[i]], check_one, NULL);
    return code;
}

/* Prints everything that was dropped, merged or decided. */
static void print_remarks(const cli *c, const char *name, const wgdn_dataset *d)
{
    const wgdn_dataset_info info = dataset_info(d);
    for (int64_t i = 0; i < info.remarks; i++)
        remark(c, "%s: %s", name, info.remark[i].text);
}

void dataset_scratch(cli *c, const char *output, char *folder, size_t size)
{
    const char *slash = strrchr(output, '/');
    if (c->values.text[OPT_SCRATCH]) return;
    snprintf(folder, size, "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
    c->values.text[OPT_SCRATCH] = folder;
}

/* The operands behind the data, up to a NULL, which are edge lists of the same graph. */
static const char *const *files_behind(const cli *c, const char *path)
{
    for (int i = 0; i < c->operands && c->command->joins; i++)
        if (c->operand[i] == path) return &c->operand[i + 1];
    return NULL;
}

int dataset_read(wgdn_dataset **out, const cli *c, const char *path)
{
    wgdn_dataset_options o;
    wgdn_error err = {0};
    progress bar;
    char what[64];
    const char *name = path_name(input_name(path));

    const char *const *more = files_behind(c, path);
    int code = check_paths(c, path);
    for (const char *const *file = more; code == DONE && file && *file; file++) {
        code = path_check(*file);
        if (code == DONE && is_model(*file)) code = refuse_model(c, *file);
    }
    code = shared_code(c, code);
    if (code != DONE) return code;
    snprintf(what, sizeof what, "reading %.20s", name);
    for (char *at = what; *at; at++)
        if (iscntrl((unsigned char)*at)) *at = '?';
    progress_start(&bar, what, "B", option_on(&c->values, OPT_QUIET) || !is_root(c));
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_DATASET, &o);
    o.format = option_text(&c->values, OPT_FORMAT);
    if (c->command->ranks) o.ranks = c->ranks;
    o.encoding = c->encoding;
    o.reading = c->reading;
    o.sides = c->sides;
    o.more = more;
    o.progress = progress_watch;
    o.progress_user = &bar;
    const wgdn_status st = wgdn_dataset_read(out, path, &o, &err);
    progress_end(&bar);
    code = shared_code(c, complain_status(st, &err));
    if (code != DONE) return code;
    print_remarks(c, name, *out);
    return DONE;
}

/* An option that is given with its default value may contradict the model, too, which the library cannot see. */
static int check_choices(const cli *c, const char *reading)
{
    static const option_id choice[] = {OPT_WEIGHTS, OPT_DIRECTED, OPT_BIPARTITE};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        const option *o = option_get(choice[i]);
        const char *given = c->values.text[choice[i]];
        char line[64];
        snprintf(line, sizeof line, "\n%s ", o->row.name);
        const char *stored = strstr(reading, line);
        if (!given || !stored) continue;
        if (option_is_flag(o)) given = option_on(&c->values, choice[i]) ? "yes" : "no";
        stored += strlen(line);
        const int size = (int)strcspn(stored, "\n");
        if (strlen(given) == (size_t)size && memcmp(given, stored, (size_t)size) == 0) continue;
        complain("--%s %s contradicts the model, whose data was read with --%s %.*s; leave the "
                 "option out, or fit a model to this data",
                 o->row.name, given, o->row.name, size, stored);
        return USAGE;
    }
    return DONE;
}

int dataset_encode(cli *c, const wgdn_model *m)
{
    static const option_id decided[] = {OPT_FEATURE_SCALE, OPT_MAX_CATEGORIES, OPT_IGNORE};
    const wgdn_model_info info = model_info(m);
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        if (c->values.text[decided[i]]) {
            complain("--%s has no effect with a MODEL, whose features are read as they were when "
                     "it was made",
                     option_get(decided[i])->row.name);
            return USAGE;
        }
    if (info.known && !info.has_ids)
        remark(c, "the model holds no ids: known nodes are found by 64-bit hashes of their ids");
    free(c->encoding);
    free(c->reading);
    c->encoding = strdup(info.encoding ? info.encoding : "");
    c->reading = info.reading ? strdup(info.reading) : NULL;
    if (c->encoding && (c->reading || !info.reading))
        return info.reading ? check_choices(c, info.reading) : DONE;
    complain("out of memory for how features are encoded");
    return DOES_NOT_FIT;
}

wgdn_dataset_info dataset_info(const wgdn_dataset *d)
{
    wgdn_dataset_info info = {.struct_size = sizeof info};
    wgdn_dataset_describe(&info, d);
    return info;
}

wgdn_model_info model_info(const wgdn_model *m)
{
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_describe(&info, m);
    return info;
}

wgdn_machine machine_info(void)
{
    wgdn_machine m = {.struct_size = sizeof m};
    wgdn_machine_describe(&m);
    return m;
}

int vectors_embed(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d, wgdn_task task,
                  wgdn_pool pool, int threads)
{
    wgdn_embed_options o;
    wgdn_embed_options_init(&o);
    o.task = task;
    o.pool = pool;
    o.threads = threads;
    return vectors_embed_with(e, m, d, &o);
}

int vectors_embed_with(wgdn_embedding **e, const wgdn_model *m, const wgdn_dataset *d,
                       const wgdn_embed_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(wgdn_model_embed(e, m, d, o, &err), &err);
}

int vectors_read(wgdn_embedding **e, const char *path)
{
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(wgdn_embedding_read(e, path, &err), &err);
}

/*
 * An id and an integer on every line, or up to two numbers more, a weight and a time, where a
 * quarter of the ids are among the integers: edges, more likely than vectors.
 */
static bool could_be_edges(const wgdn_embedding *e)
{
    enum { WIDEST = 3 };
    const int64_t rows = wgdn_embedding_rows(e), dim = wgdn_embedding_dim(e);
    const float *x = wgdn_embedding_get_values(e);
    bool whole = dim <= WIDEST;
    bool *met = whole && rows ? calloc((size_t)rows, 1) : NULL;
    int64_t ids = 0;
    for (int64_t i = 0; met && whole && i < rows; i++) {
        char id[32];
        const float to = x[i * dim];
        const int size = snprintf(id, sizeof id, "%.0f", to);
        const int64_t at = size < (int)sizeof id ? wgdn_embedding_find(e, id, (size_t)size) : -1;
        whole = to == floorf(to);
        if (at < 0 || met[at]) continue;
        met[at] = true;
        ids++;
    }
    free(met);
    return rows > 0 && whole && (dim == 1 || 4 * ids >= rows);
}

int vectors_wanted(wgdn_embedding **e, const char *path)
{
    wgdn_error err = {WGDN_OK, ""};
    if (is_model(path) || is_recommender(path)) {
        complain(is_model(path)
                     ? "%s is a model; make vectors first: wgdn embed %s DATA -o vectors.npz"
                     : "%s is a saved recommender; make vectors first: wgdn recommend %s --vectors "
                       "vectors.npz",
                 path, path);
        return BAD_INPUT;
    }
    const wgdn_status st = wgdn_embedding_read(e, path, &err);
    const int code = complain_status(st, &err);
    const bool doubtful = st ? st == WGDN_EFORMAT : could_be_edges(*e);
    if (!doubtful || !is_file(path) || wgdn_file_kind_of(path) == WGDN_FILE_KIND_VECTORS)
        return code;
    if (!st) {
        complain("%s: every line has an id and an integer: edges, or vectors? A row of column "
                 "names, id, v0 and so on, makes them vectors",
                 path);
        wgdn_embedding_free(*e);
        *e = NULL;
    }
    complain("vectors are wanted here; of a graph, 'wgdn embed %s -o vectors.npz' makes them",
             path);
    return BAD_INPUT;
}

int vectors_alone(wgdn_dataset **d, wgdn_embedding **e, const cli *c)
{
    const char *labels = c->values.text[OPT_LABELS];
    wgdn_dataset_options o;
    wgdn_error err = {WGDN_OK, ""};
    int code = labels ? path_check(labels) : DONE;
    if (code == DONE) code = vectors_wanted(e, c->operand[0]);
    if (code != DONE) return code;
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, WGDN_OPTIONS_KIND_DATASET, &o);
    const wgdn_status st = wgdn_dataset_from_embedding(d, *e, &o, &err);
    if (st) return complain_status(st, &err);
    print_remarks(c, path_name(c->operand[0]), *d);
    return DONE;
}

size_t vectors_id(char text[ID_ROOM], const wgdn_embedding *e, int64_t row)
{
    const int64_t size = wgdn_embedding_id(text, ID_ROOM, e, row);
    return size < ID_ROOM ? (size_t)size : ID_ROOM - 1;
}

int vectors_search(int64_t *index, float *score, const wgdn_embedding *e, const int64_t *row,
                   int64_t count, int64_t k, wgdn_similarity metric, int threads)
{
    const int64_t dim = wgdn_embedding_dim(e);
    const float *from = wgdn_embedding_get_values(e);
    wgdn_compute_options o;
    wgdn_error err = {WGDN_OK, ""};
    wgdn_embedding *queries = NULL;
    float *x = calloc((size_t)(count * dim), sizeof *x);
    if (!x) {
        complain("out of memory for %lld queries", (long long)count);
        return DOES_NOT_FIT;
    }
    for (int64_t q = 0; q < count; q++)
        memcpy(x + q * dim, from + row[q] * dim, (size_t)dim * sizeof *x);
    wgdn_compute_options_init(&o);
    o.threads = threads;
    wgdn_status st = wgdn_embedding_from_values(&queries, x, count, dim, NULL, &err);
    if (!st) st = wgdn_embedding_search(index, score, e, queries, k, metric, &o, &err);
    wgdn_embedding_free(queries);
    free(x);
    return complain_status(st, &err);
}

int vectors_check_numbers(const cli *c, const char *format)
{
    const bool numpy = strcmp(format, "npy") == 0 || strcmp(format, "npz") == 0;
    if (option_choice(&c->values, OPT_NUMBERS) != WGDN_NUMBERS_BF16 || !numpy) return DONE;
    complain("--numbers bf16: NumPy has no such type; use f16, or end the name with .safetensors");
    return USAGE;
}

typedef struct writing {
    const wgdn_embedding *e;
    wgdn_write_options options;
} writing;

static int write_at(const char *path, void *user)
{
    const writing *w = user;
    wgdn_error err = {WGDN_OK, ""};
    return complain_status(wgdn_embedding_write(w->e, path, &w->options, &err), &err);
}

int vectors_write(const cli *c, const wgdn_embedding *e, const char *path, const char *format)
{
    const bool text = strcmp(format, "tsv") == 0 || strcmp(format, "csv") == 0;
    const bool arrays = !text && strcmp(format, "word2vec") != 0 && strcmp(format, "jsonl") != 0;
    writing w = {.e = e};
    wgdn_write_options_init(&w.options);
    options_apply(&c->values, WGDN_OPTIONS_KIND_WRITE, &w.options);
    w.options.format = format;
    if (w.options.no_header && !text) remark(c, "--no-header has no effect with --to %s", format);
    if (w.options.numbers && !arrays) {
        remark(c, "--numbers has no effect with --to %s", format);
        w.options.numbers = WGDN_NUMBERS_F32;
    }
    return deliver_file(path, write_at, &w);
}

static const char *table_format(const char *path)
{
    static const char *const formats[] = {"csv", "tsv", "jsonl", "npz"};
    static const char *const packed = ".gz";
    size_t size = strlen(path);
    if (strcmp(path, "-") == 0) return formats[0];
    const bool gz = size > 3 && strcmp(path + size - 3, packed) == 0;
    if (gz) size -= 3;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t length = strlen(formats[i]);
        if (size > length + 1 && path[size - length - 1] == '.' &&
            strncmp(path + size - length, formats[i], length) == 0 &&
            !(gz && strcmp(formats[i], "npz") == 0))
            return formats[i];
    }
    return NULL;
}

int table_settle(const char **format, const cli *c, const char *path)
{
    if (!path) return DONE;
    *format = table_format(path);
    if (!*format) {
        complain("%s: cannot infer the format from the file name; end it with .csv, .tsv, .jsonl "
                 "or .npz",
                 path);
        return USAGE;
    }
    if (strcmp(path, "-") == 0 && option_on(&c->values, OPT_JSON)) {
        complain("standard output can be the table or the report, not both; name a file");
        return USAGE;
    }
    return DONE;
}

static int unknown_preset(const char *name)
{
    guess g = {.word = name};
    char all[256] = "";
    size_t used = 0;
    for (int i = 0; wgdn_preset_name(i) && used < sizeof all; i++) {
        guess_offer(&g, wgdn_preset_name(i));
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                                 wgdn_preset_name(i));
    }
    if (g.best)
        complain("there is no preset '%s'; did you mean '%s'?", name, g.best);
    else
        complain("there is no preset '%s'", name);
    complain("presets are %s", all);
    return USAGE;
}

/* A whole small file as text, to be freed; NULL after a complaint. */
static char *read_text(const char *path)
{
    enum { MAX_SIZE = 1 << 20 };
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, MAX_SIZE + 1) : NULL;
    const size_t size = text ? fread(text, 1, MAX_SIZE, f) : 0;
    if (!text || ferror(f) || size == MAX_SIZE) {
        complain("%s: %s", path,
                 size == MAX_SIZE ? "too long for a configuration" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f) fclose(f);
    return text;
}

static int apply_text(wgdn_options_kind kind, void *o, const char *text, const char *name)
{
    wgdn_error err = {WGDN_OK, ""};
    const int code = complain_status(wgdn_options_parse(kind, o, text, name, &err), &err);
    if (code != DONE && kind == WGDN_OPTIONS_KIND_TRAIN)
        complain("'wgdn train --help-all' lists the options");
    return code;
}

/* The preset, then the configuration file. */
static int apply_files(wgdn_options_kind kind, void *o, const cli *c)
{
    const char *preset = c->values.text[OPT_PRESET], *config = c->values.text[OPT_CONFIG];
    int code = DONE;
    if (preset) {
        const char *text = wgdn_preset_text(preset);
        code = text ? apply_text(kind, o, text, preset) : unknown_preset(preset);
    }
    if (code == DONE && config) {
        char *text = read_text(config);
        code = text ? apply_text(kind, o, text, config) : BAD_INPUT;
        free(text);
    }
    return code;
}

int settings_read(wgdn_train_options *o, const cli *c)
{
    wgdn_train_options_init(o);
    const int code = apply_files(WGDN_OPTIONS_KIND_TRAIN, o, c);
    if (code != DONE) return code;
    options_apply(&c->values, WGDN_OPTIONS_KIND_TRAIN, o);
    if (c->values.text[OPT_THREADS]) o->threads = option_threads(&c->values);
    /* --features random-walk and its like are a training option, not a file. */
    wgdn_error err = {WGDN_OK, ""};
    if (!option_is_word(&c->values, OPT_TRAIN_FEATURES)) return DONE;
    return complain_status(wgdn_options_set(WGDN_OPTIONS_KIND_TRAIN, o, "features",
                                            c->values.text[OPT_TRAIN_FEATURES], &err),
                           &err);
}

/* Whether an option of evaluation was given on the command line. */
static bool is_given(const cli *c, const char *name)
{
    for (int i = 0; i < option_count(); i++) {
        const option *o = option_get(option_at(i));
        if (o->kind == WGDN_OPTIONS_KIND_EVAL && c->values.text[option_at(i)] &&
            strcmp(o->row.name, name) == 0)
            return true;
    }
    return false;
}

/* A file of splits makes them the dataset's own. */
static const char *splits_word(const cli *c)
{
    return option_is_word(&c->values, OPT_EVAL_SPLITS) ? c->values.text[OPT_EVAL_SPLITS]
                                                       : "dataset";
}

/* The test-selected protocol selects a step, and Adam alone has steps. */
static int settle_classifier(wgdn_eval_options *o, const cli *c)
{
    if (option_choice(&c->values, OPT_PROTOCOL) == 0) return DONE;
    if (is_given(c, "classifier") && o->classifier != WGDN_CLASSIFIER_ADAM) {
        complain("--protocol test-selected selects a step of --classifier adam; logistic "
                 "regression has none");
        return USAGE;
    }
    o->classifier = WGDN_CLASSIFIER_ADAM;
    return DONE;
}

int eval_settings_read(wgdn_eval_options *o, const cli *c)
{
    wgdn_error err = {WGDN_OK, ""};
    wgdn_eval_options_init(o);
    int code = apply_files(WGDN_OPTIONS_KIND_EVAL, o, c);
    if (code == DONE && c->values.text[OPT_EVAL_SPLITS])
        code = complain_status(
            wgdn_options_set(WGDN_OPTIONS_KIND_EVAL, o, "splits", splits_word(c), &err), &err);
    if (code != DONE) return code;
    options_apply(&c->values, WGDN_OPTIONS_KIND_EVAL, o);
    if (c->values.text[OPT_THREADS]) o->threads = option_threads(&c->values);
    if (o->splits == WGDN_SPLITS_AUTO && is_given(c, "folds")) o->splits = WGDN_SPLITS_STRATIFIED;
    return settle_classifier(o, c);
}

int settings_fit(wgdn_train_needs *needs, const cli *c, const wgdn_dataset *d,
                 const wgdn_train_options *o)
{
    wgdn_error err = {WGDN_OK, ""};
    char needed[32], there[32];
    *needs = (wgdn_train_needs){.struct_size = sizeof *needs};
    if (option_is_word(&c->values, OPT_TRAIN_FEATURES) && wgdn_dataset_features(d) > 0) {
        complain("the data has features, so --features %s has no effect",
                 c->values.text[OPT_TRAIN_FEATURES]);
        return USAGE;
    }
    const wgdn_status st = wgdn_train_estimate(needs, d, o, 0, 1, &err);
    if (st) return complain_status(st, &err);
    const wgdn_machine m = machine_info();
    /* The dataset is in memory already. */
    const int64_t more = needs->total - needs->dataset;
    if (m.memory_available < 0 || more <= m.memory_available) return DONE;
    show_bytes(needed, sizeof needed, more);
    show_bytes(there, sizeof there, m.memory_available);
    complain("training needs %s more memory, and %s are available (limit: %s)", needed, there,
             m.memory_limit);
    complain("a smaller --dim needs less; 'wgdn estimate' shows how much");
    return DOES_NOT_FIT;
}

/* ---- lists of ids ---- */

int id_list_no_memory(void)
{
    complain("out of memory for the ids");
    return DOES_NOT_FIT;
}

int id_list_take(id_list *l, const char **word, int64_t count)
{
    l->id = calloc((size_t)count + 1, sizeof *l->id);
    if (!l->id) return id_list_no_memory();
    memcpy(l->id, word, (size_t)count * sizeof *l->id);
    l->count = count;
    return DONE;
}

/* All of a stream as text; NULL without memory. */
static char *read_all(FILE *f)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    for (size_t got = 1; text && got > 0; used += got) {
        if (used == room) {
            char *more = realloc(text, 2 * room + 1);
            if (!more) free(text);
            text = more;
            room *= 2;
        }
        got = text ? fread(text + used, 1, room - used, f) : 0;
    }
    if (text) text[used] = '\0';
    return text;
}

/* Lines become texts of their own, in place. */
static int64_t cut_lines(const char **id, char *text)
{
    int64_t count = 0;
    for (char *at = text; *at;) {
        char *end = at + strcspn(at, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (end > at && end[-1] == '\r') end[-1] = '\0';
        if (*at) id[count] = at;
        count += *at != '\0';
        at = next;
    }
    return count;
}

int id_list_read(id_list *l, const char *path)
{
    const bool piped = strcmp(path, "-") == 0;
    FILE *f = piped ? stdin : fopen(path, "r");
    int64_t lines = 1;
    if (!f) {
        complain("%s: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    l->text = read_all(f);
    const bool failed = ferror(f) != 0;
    if (!piped) fclose(f);
    if (!l->text) return id_list_no_memory();
    if (failed) {
        complain("%s: cannot be read: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    for (const char *at = l->text; *at; at++)
        lines += *at == '\n';
    l->id = calloc((size_t)lines + 1, sizeof *l->id);
    if (!l->id) return id_list_no_memory();
    l->count = cut_lines(l->id, l->text);
    if (l->count > 0) return DONE;
    complain("%s: it contains no ids; expected one id per line", path);
    return BAD_INPUT;
}

void id_list_free(id_list *l)
{
    free(l->id);
    free(l->text);
    *l = (id_list){.count = 0};
}
