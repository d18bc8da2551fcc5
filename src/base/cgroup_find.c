/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the files of the process's control groups are. /proc/self/cgroup names the group in each
 * hierarchy, /proc/self/mountinfo tells which part of a hierarchy is mounted where. In a namespace
 * names are relative to its root, and begin with /.. for what is beside or above it.
 */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_below(const char *folder, const char *name)
{
    char path[WGDN_GROUP_PATH + 64];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Version 1 says "no limit" by a number close to 2^63. */
static int64_t number_at(const char *text)
{
    static const unsigned long long none = 1ULL << 60;
    char *end = NULL;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text < '0' || *text > '9') return -1;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    return errno || number >= none ? -1 : (int64_t)number;
}

int64_t wgdn_file_number(const char *folder, const char *name)
{
    return wgdn_file_entry(folder, name, "");
}

int64_t wgdn_file_entry(const char *folder, const char *name, const char *word)
{
    char line[256];
    const size_t length = strlen(word);
    int64_t found = -1;
    FILE *f = open_below(folder, name);
    if (!f) return -1;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, word, length) == 0 &&
            (length == 0 || line[length] == ' ' || line[length] == ':')) {
            found = number_at(line + length + (line[length] == ':'));
            break;
        }
    fclose(f);
    return found;
}

/* ---- names of groups ---- */

static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, word, length) == 0 && strchr(",\n", at[length])) return true;
    }
    return false;
}

static const char *const controller[WGDN_HIERARCHIES] = {"", "memory", "cpu", "pids"};

typedef struct names {
    char of[WGDN_HIERARCHIES][WGDN_GROUP_PATH]; /* "" where the process is in no group */
} names;

/* 4:memory,hugetlb:/path, or 0::/path of version 2 */
static void take_name(names *n, char *line)
{
    char *list = strchr(line, ':');
    char *path = list ? strchr(list + 1, ':') : NULL;
    if (!path || path[1] != '/') return;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    list++;
    if (strlen(path) >= WGDN_GROUP_PATH) return;
    for (int k = 0; k < WGDN_HIERARCHIES; k++)
        if (k == WGDN_UNIFIED ? *list == '\0' : lists(list, controller[k]))
            memcpy(n->of[k], path, strlen(path) + 1);
}

/* ---- mounts ---- */

typedef struct mount {
    bool unified;
    char root[WGDN_GROUP_PATH], point[WGDN_GROUP_PATH];
    const char *options; /* of the file system */
} mount;

/* A word of mountinfo: blanks and backslashes are written as \040. */
static bool take_word(char out[WGDN_GROUP_PATH], const char *from)
{
    size_t used = 0;
    for (; *from && *from != ' '; from++) {
        if (used + 1 >= WGDN_GROUP_PATH) return false;
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] && from[3]) {
            out[used++] = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 3;
        } else {
            out[used++] = *from;
        }
    }
    out[used] = '\0';
    return true;
}

/* 36 35 98:0 /root /point rw,noatime master:1 - cgroup cgroup rw,memory */
static bool take_mount(mount *m, const char *line)
{
    const char *at = line, *kind = strstr(line, " - ");
    for (int skip = 0; skip < 3 && at; skip++) {
        at = strchr(at, ' ');
        if (at) at++;
    }
    if (!at || !kind || at > kind || !take_word(m->root, at)) return false;
    at = strchr(at, ' ');
    if (!at || at > kind || !take_word(m->point, at + 1)) return false;
    kind += 3;
    m->unified = strncmp(kind, "cgroup2 ", 8) == 0;
    if (!m->unified && strncmp(kind, "cgroup ", 7) != 0) return false;
    m->options = strchr(kind, ' ');
    m->options = m->options ? strchr(m->options + 1, ' ') : NULL;
    m->options = m->options ? m->options + 1 : "";
    return true;
}

static bool holds(const mount *m, int k)
{
    return k == WGDN_UNIFIED ? m->unified : !m->unified && lists(m->options, controller[k]);
}

static bool climbs(const char *path)
{
    for (const char *at = strstr(path, "/.."); at; at = strstr(at + 1, "/.."))
        if (at[3] == '/' || at[3] == '\0') return true;
    return false;
}

/* What follows the mount's root in the group's name, "" or "/a/b"; NULL if it is not below it. */
static const char *below(const mount *m, const char *name)
{
    const size_t length = strcmp(m->root, "/") == 0 ? 0 : strlen(m->root);
    if (strncmp(name, m->root, length) != 0) return NULL;
    const char *rest = name + length;
    if (*rest != '/' && *rest != '\0') return NULL;
    if (climbs(rest)) return NULL;
    return strcmp(rest, "/") == 0 ? "" : rest;
}

typedef struct search {
    const char *root;
    names names;
    bool found[WGDN_HIERARCHIES];
    wgdn_group_visit *visit;
    void *user;
    wgdn_group g;
} search;

static void walk(search *s, const mount *m, int k, const char *name, const char *rest)
{
    wgdn_group *g = &s->g;
    g->of = (wgdn_hierarchy)k;
    g->own = true;
    const int length = snprintf(g->folder, sizeof g->folder, "%s%s%s", s->root, m->point, rest);
    if (length < 0 || (size_t)length >= sizeof g->folder) return;
    memcpy(g->name, name, strlen(name) + 1);
    for (size_t left = strlen(rest);; g->own = false) {
        if (!s->visit(g, s->user) || left == 0) return;
        /* up one: the last part of folder and name goes */
        while (left > 0 && rest[left - 1] != '/')
            left--;
        left -= left > 0;
        g->folder[(size_t)length - strlen(rest) + left] = '\0';
        char *slash = strrchr(g->name, '/');
        if (slash) slash[slash == g->name] = '\0';
    }
}

/*
 * A group that is not below anything mounted, as in a namespace that it was moved out of or whose
 * mount begins further up: what is mounted is all that can be seen, and it counts.
 */
static void use_mount(search *s, const mount *m, bool last_resort)
{
    for (int k = 0; k < WGDN_HIERARCHIES; k++) {
        if (!s->names.of[k][0] || !holds(m, k)) continue;
        const char *rest = below(m, s->names.of[k]);
        if (last_resort ? s->found[k] : !rest) continue;
        if (last_resort) {
            walk(s, m, k, m->root, "");
        } else {
            s->found[k] = true;
            walk(s, m, k, s->names.of[k], rest);
        }
    }
}

void wgdn_groups_find(const char *root, wgdn_group_visit *visit, void *user)
{
    char folder[WGDN_GROUP_PATH];
    char *line = NULL;
    size_t room = 0;
    search *s = calloc(1, sizeof *s);
    mount *m = calloc(1, sizeof *m);
    snprintf(folder, sizeof folder, "%s/proc/self", root);
    FILE *f = s && m ? open_below(folder, "cgroup") : NULL;
    if (f) {
        s->root = root;
        s->visit = visit;
        s->user = user;
        while (getline(&line, &room, f) > 0)
            take_name(&s->names, line);
        fclose(f);
        for (int pass = 0; pass < 2; pass++) {
            f = open_below(folder, "mountinfo");
            while (f && getline(&line, &room, f) > 0)
                if (take_mount(m, line)) use_mount(s, m, pass == 1);
            if (f) fclose(f);
        }
    }
    free(line);
    free(m);
    free(s);
}
