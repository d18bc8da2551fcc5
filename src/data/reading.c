/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records how a dataset was read, as text in a model file, so that other data can be read alike.
 * The registry applies it to the options of the next dataset; model_file.c stores it, one line per
 * setting:
 *
 *     reading 1
 *     source debtor_iban
 *     target creditor_iban
 *     weight amount
 *     bipartite no
 *     weights use
 *     directed ignore
 *
 * Columns are listed if an edge list was read; type, graph and id likewise. Bytes of a heading
 * outside visible ASCII, and %, are written as %xx.
 */
#include "reading.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"source", "target", "weight", "type", "graph", "id"};
static const char *const switches[] = {"no", "yes", NULL};
static const char *const weights[] = {"use", "ignore", "log", NULL};
static const char *const directions[] = {"ignore", "forward", "backward", "both", NULL};

enum { SOURCE, TARGET, WEIGHT, TYPE, GRAPH, ID };

static wgdn_status no_memory(wgdn_error *err)
{
    return wgdn_fail(err, WGDN_ENOMEM, "how the data was read, as text");
}

/* ---- writing ---- */

static size_t put_column(char *to, const char *name, const char *heading)
{
    size_t used = (size_t)sprintf(to, "%s ", name);
    for (const unsigned char *p = (const unsigned char *)heading; *p; p++)
        used += wgdn_text_escape(to + used, *p);
    to[used++] = '\n';
    to[used] = '\0';
    return used;
}

wgdn_status wgdn_reading_text(char **out, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_edge_choice *c = &d->choice;
    const char *const column[] = {c->source, c->target, c->weight, c->type, c->graph, c->id};
    size_t size = 160;
    for (int i = 0; i < WGDN_READING_COLUMNS; i++)
        size += column[i] ? 3 * strlen(column[i]) + 16 : 0;
    char *text = wgdn_alloc(size, 1);
    if (!text) return no_memory(err);
    size_t used = (size_t)sprintf(text, "reading 1\n");
    for (int i = 0; i < WGDN_READING_COLUMNS; i++)
        if (column[i]) used += put_column(text + used, names[i], column[i]);
    sprintf(text + used, "bipartite %s\nweights %s\ndirected %s\n", switches[c->bipartite],
            weights[c->weights], directions[c->directed]);
    *out = text;
    return WGDN_OK;
}

/* ---- reading ---- */

static int choice_of(const char *word, const char *const *choice)
{
    for (int i = 0; choice[i]; i++)
        if (strcmp(word, choice[i]) == 0) return i;
    return -1;
}

/* Takes a line apart; what a newer library adds is passed over. */
static bool take_line(wgdn_reading *r, char *line)
{
    char *value = strchr(line, ' ');
    if (!value) return false;
    *value++ = '\0';
    for (int i = 0; i < WGDN_READING_COLUMNS; i++)
        if (strcmp(line, names[i]) == 0) {
            r->column[i] = value;
            /* Undoes the escapes in place. */
            char *to = value;
            for (const char *p = value; *p; p++) {
                if (*p != '%') {
                    *to++ = *p;
                    continue;
                }
                const int byte = wgdn_text_unescape(p);
                if (byte <= 0) return false;
                *to++ = (char)byte;
                p += 2;
            }
            *to = '\0';
            return to > value;
        }
    if (strcmp(line, "bipartite") == 0) return (r->bipartite = choice_of(value, switches)) >= 0;
    if (strcmp(line, "weights") == 0) return (r->weights = choice_of(value, weights)) >= 0;
    if (strcmp(line, "directed") == 0) return (r->directed = choice_of(value, directions)) >= 0;
    return true;
}

wgdn_status wgdn_reading_parse(wgdn_reading *r, const char *text, wgdn_error *err)
{
    static const char first[] = "reading 1\n";
    const size_t size = strlen(text) + 1;
    *r = (wgdn_reading){.listed = false};
    bool good = strncmp(text, first, strlen(first)) == 0;
    r->text = wgdn_alloc(size, 1);
    if (!r->text) return no_memory(err);
    memcpy(r->text, text, size);
    for (char *line = r->text + (good ? strlen(first) : 0), *end; good && *line; line = end + 1) {
        end = strchr(line, '\n');
        if (end) *end = '\0';
        good = end && take_line(r, line);
        if (!end) break;
    }
    r->listed = r->column[SOURCE] && r->column[TARGET];
    if (good) return WGDN_OK;
    return wgdn_fail(err, WGDN_EFORMAT, "how the data was read is not what a model holds");
}

/* ---- applying ---- */

static bool is_number(const char *text)
{
    int64_t number;
    return wgdn_text_index(wgdn_text_of(text, strlen(text)), &number);
}

/* A heading and a number may name one column in two files; only the files would tell. */
static bool differ(const char *given, const char *stored)
{
    return is_number(given) == is_number(stored) &&
           !wgdn_text_is(wgdn_text_of(given, strlen(given)), stored);
}

static wgdn_status contradict(const char *name, const char *given, const char *stored,
                              wgdn_error *err)
{
    return wgdn_fail(err, WGDN_EINVAL,
                     "--%s %.60s contradicts the model, whose data was read with --%s %.60s; leave "
                     "the option out, or fit a model to this data",
                     name, given, name, stored);
}

static wgdn_status apply_column(const char **given, wgdn_reading *r, int i, wgdn_error *err)
{
    const char *stored = r->column[i];
    r->given[i] = *given;
    if (!*given) {
        *given = stored;
    } else if (!stored && i != ID) {
        return wgdn_fail(
            err, WGDN_EINVAL,
            "--%s %.60s contradicts the model, whose data was read without a column of "
            "%ss; leave the option out, or fit a model to this data",
            names[i], *given, names[i]);
    } else if (stored && differ(*given, stored)) {
        return contradict(names[i], *given, stored, err);
    }
    return WGDN_OK;
}

/* Row 1 has such a heading, or may have it. */
static bool may_have(wgdn_text head, const char *heading)
{
    return !head.size || is_number(heading) || wgdn_text_holds(head, heading);
}

static wgdn_status apply_columns(wgdn_dataset_options *o, wgdn_reading *r, wgdn_text head,
                                 wgdn_error *err)
{
    const char **const given[] = {&o->source, &o->target, &o->weight, &o->type, &o->graph};
    const bool same_ends = may_have(head, r->column[SOURCE]) && may_have(head, r->column[TARGET]);
    wgdn_status st = WGDN_OK;
    for (int i = SOURCE; i <= GRAPH && !st; i++) {
        /* Under other headings the ends are found as those of any edge list. */
        if (i <= TARGET && !*given[i] && !same_ends) continue;
        if (i > TARGET && !*given[i] && r->column[i] && !may_have(head, r->column[i]))
            return wgdn_fail(err, WGDN_EINVAL,
                             "the model's data was read with --%s %.60s, and row 1 has no such "
                             "heading; --%s names the column here",
                             names[i], r->column[i], names[i]);
        st = apply_column(given[i], r, i, err);
    }
    if (!st && !r->column[WEIGHT]) o->weights = WGDN_WEIGHTS_IGNORE;
    return st;
}

static wgdn_status apply_choice(int *value, int usual, int stored, const char *name,
                                const char *const *choice, wgdn_error *err)
{
    if (*value != usual && *value != stored)
        return contradict(name, choice[*value], choice[stored], err);
    *value = stored;
    return WGDN_OK;
}

wgdn_status wgdn_reading_apply(wgdn_dataset_options *o, wgdn_reading *r, bool columns,
                               wgdn_text head, wgdn_error *err)
{
    wgdn_dataset_options usual;
    wgdn_dataset_options_init(&usual);
    int how = o->weights, directed = o->directed;
    wgdn_status st = apply_choice(&how, usual.weights, r->weights, "weights", weights, err);
    if (!st) st = apply_choice(&directed, usual.directed, r->directed, "directed", directions, err);
    o->weights = (wgdn_weights)how;
    o->directed = (wgdn_direction)directed;
    if (!st && columns && r->listed)
        st = apply_choice(&o->bipartite, usual.bipartite, r->bipartite, "bipartite", switches, err);
    if (!st && columns && r->listed) st = apply_columns(o, r, head, err);
    if (!st && o->features) st = apply_column(&o->id, r, ID, err);
    return st;
}

wgdn_status wgdn_reading_check(const wgdn_reading *r, const wgdn_dataset *d, wgdn_error *err)
{
    const wgdn_edge_choice *c = &d->choice;
    const char *const found[] = {c->source, c->target, c->weight, c->type, c->graph};
    for (int i = SOURCE; i <= GRAPH; i++)
        if (r->given[i] && r->column[i] && found[i] && !is_number(found[i]) &&
            !is_number(r->column[i]) && differ(found[i], r->column[i]))
            return contradict(names[i], r->given[i], r->column[i], err);
    return WGDN_OK;
}
