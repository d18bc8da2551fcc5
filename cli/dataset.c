/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "dataset.h"
#include "input.h"
#include "kind.h"
#include "progress.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* A model where data is expected. */
static int refuse_model(const cli *c, const char *path)
{
    if (strcmp(c->command->name, "embed") == 0 && c->operands == 1)
        complain("%s is a model; name the data after it: wgdn embed %s DATA -o vectors.npz", path,
                 path);
    else
        complain("%s is a model, not a graph; name the file of the graph", path);
    return BAD_INPUT;
}

/* Say it before the reader does: it knows nothing of the neighbours. */
static int check_paths(const cli *c, const char *path)
{
    static const option_id side[] = {OPT_FEATURES, OPT_TRAIN_FEATURES, OPT_FIT_FEATURES,
                                     OPT_LABELS,   OPT_SPLITS,         OPT_EVAL_SPLITS};
    int code = path_check(path);
    if (code == DONE && is_model(path)) code = refuse_model(c, path);
    for (size_t i = 0; i < sizeof side / sizeof *side && code == DONE; i++)
        if (c->values.text[side[i]] && !option_is_word(&c->values, side[i]))
            code = input_each(c->values.text[side[i]], check_one, NULL);
    return code;
}

static int watch(void *user, int64_t done, int64_t total)
{
    progress_show(user, done, total);
    return 0;
}

/* Nothing is dropped, merged or decided in silence. */
void dataset_tell(const cli *c, const char *name, const wgdn_dataset *d)
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

int dataset_read(wgdn_dataset **out, const cli *c, const char *path)
{
    wgdn_dataset_options o;
    wgdn_error err = {0};
    progress bar;
    char what[64];
    const char *said = input_name(path), *slash = strrchr(said, '/');
    const char *name = slash && slash[1] ? slash + 1 : said;

    int code = check_paths(c, path);
    if (c->command->ranks) code = ranks_code(c, code);
    if (code != DONE) return code;
    snprintf(what, sizeof what, "reading %.20s", name);
    for (char *at = what; *at; at++)
        if (iscntrl((unsigned char)*at)) *at = '?';
    progress_start(&bar, what, "B", option_on(&c->values, OPT_QUIET) || !is_root(c));
    wgdn_dataset_options_init(&o);
    options_apply(&c->values, HOME_DATASET, &o);
    o.format = option_text(&c->values, OPT_FORMAT);
    if (c->command->ranks) o.ranks = c->ranks;
    o.encoding = c->encoding;
    o.reading = c->reading;
    o.progress = watch;
    o.progress_user = &bar;
    const wgdn_status st = wgdn_dataset_read(out, path, &o, &err);
    progress_end(&bar);
    code = st ? complain_status(st, &err) : DONE;
    if (c->command->ranks) code = ranks_code(c, code);
    if (code != DONE) return code;
    dataset_tell(c, name, *out);
    return DONE;
}

/* A choice that is given as its default contradicts a model as well; the library cannot tell that it is given. */
static int check_choices(const cli *c, const char *reading)
{
    static const option_id choice[] = {OPT_WEIGHTS, OPT_DIRECTED, OPT_BIPARTITE};
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        const option *o = option_get(choice[i]);
        const char *given = c->values.text[choice[i]];
        char line[64];
        snprintf(line, sizeof line, "\n%s ", o->name);
        const char *stored = strstr(reading, line);
        if (!given || !stored) continue;
        if (o->kind == KIND_BOOLEAN) given = option_on(&c->values, choice[i]) ? "yes" : "no";
        stored += strlen(line);
        const int size = (int)strcspn(stored, "\n");
        if (strlen(given) == (size_t)size && memcmp(given, stored, (size_t)size) == 0) continue;
        complain("--%s %s contradicts the model, whose data was read with --%s %.*s; leave the "
                 "option out, or fit a model to this data",
                 o->name, given, o->name, size, stored);
        return USAGE;
    }
    return DONE;
}

int dataset_encode(cli *c, const wgdn_model *m)
{
    static const option_id decided[] = {OPT_FEATURE_SCALE, OPT_MAX_CATEGORIES, OPT_IGNORE};
    wgdn_model_info info = {.struct_size = sizeof info};
    wgdn_model_get_info(&info, m);
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        if (c->values.text[decided[i]]) {
            complain("--%s has no effect with a MODEL, whose features are read as they were when "
                     "it was made",
                     option_get(decided[i])->name);
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
    wgdn_dataset_get_info(&info, d);
    return info;
}
