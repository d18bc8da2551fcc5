/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.md: a table for each set, all methods in the order of their scores. */
#include "vector_sets.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const vector_set vector_sets[] = {
    {"Cora", "Cora", "cora/cora.npz", .aim = 82.0},
    {"CiteSeer", "CiteSeer", "citeseer/citeseer.npz", .aim = 71.0},
    {"Photo", "Amazon Photo", "amazon_photo/amazon_electronics_photo.npz", .aim = 94.2},
    {"Computers", "Amazon Computers", "amazon_computers/amazon_electronics_computers.npz",
     .aim = 89.8},
    {"CS", "Coauthor CS", "coauthor_cs/ms_academic_cs.npz", .aim = 94.1},
    {"Physics", "Coauthor Physics", "coauthor_physics/ms_academic_phy.npz", .aim = 95.9},
    {"Minesweeper", "Minesweeper", "hetero/minesweeper.npz", .aim = 89},
    {"Tolokers", "Tolokers", "extra/tolokers/tolokers.npz", .aim = 78},
    {"Chameleon", "Chameleon, filtered", "hetero/chameleon_filtered.npz", .aim = 39},
    {"Squirrel", "Squirrel, filtered", "hetero/squirrel_filtered.npz", .aim = 38},
    {"Actor", "Actor", "hetero/actor.npz", .aim = 33.5},
    {"BlogCatalog", "BlogCatalog, no features", "plain/BlogCatalog.edg",
     "plain/BlogCatalog.labels.tsv", .aim = 42.3},
    {"PPI", "PPI, no features", "plain/PPI.edg", "plain/PPI.labels.tsv", .aim = 24.5},
    {"Wikipedia", "Wikipedia, no features, with weights", "plain/Wikipedia.edg",
     "plain/Wikipedia.labels.tsv", .aim = 56.8},
    {"facebook_large", "Facebook pages, edges alone", "extra/facebook_large/facebook_edges.csv",
     "extra/facebook_large/facebook_target.csv", "page_type", .aim = 88},
    {"PROTEINS", "PROTEINS, whole graphs", "tu/PROTEINS.zip", .aim = 75.3},
    {"IMDB-BINARY", "IMDB-BINARY, whole graphs", "tu/IMDB-BINARY.zip", .aim = 75.0},
    {"IMDB-MULTI", "IMDB-MULTI, whole graphs", "tu/IMDB-MULTI.zip", .aim = 50.5},
    {"NCI1", "NCI1, whole graphs", "tu/NCI1.zip", .aim = 82},
    {"DD", "DD, whole graphs", "tu/DD.zip", .aim = 78.5},
    {NULL}};

static const char trained[] = "wgdn-train"; /* ours too, by the preset of the set */
const char *const vector_peers[] = {"svd",     "prone", "cleora", "cleora-features",
                                    "pecanpy", "dgi",   trained,  NULL};

enum { ROWS_MAX = 400 };

typedef struct line {
    char set[32];
    vector_row row;
} line;

static int read_lines(line *to, const char *path)
{
    char text[1024];
    FILE *f = fopen(path, "r");
    int count = 0;
    while (f && count < ROWS_MAX && fgets(text, sizeof text, f)) {
        line *l = &to[count];
        vector_row *r = &l->row;
        long long dim;
        if (sscanf(text, "%31[^,],%31[^,],%lld,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%47s",
                   l->set, r->method, &dim, r->judge, &r->score, &r->deviation, &r->few_shot,
                   &r->neighbours, &r->macro_f1, &r->wall, &r->cpu, &r->peak_mb, r->commit) != 13)
            continue; /* the heading */
        r->dim = dim;
        count++;
    }
    if (f) fclose(f);
    return count;
}

static int by_score(const void *a, const void *b)
{
    const double x = ((const line *)a)->row.score, y = ((const line *)b)->row.score;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void put_number(FILE *to, double x, const char *format)
{
    fputs(" | ", to);
    if (isfinite(x)) fprintf(to, format, x);
}

static void put_set(FILE *to, const vector_set *s, const line *l, int count)
{
    fprintf(to, "\n## %s\n\n", s->title);
    fprintf(to,
            "| method | columns | %s | 5-shot | 5-NN | macro-F1 | seconds | CPU s | peak MB |\n",
            l[0].row.judge);
    fputs("|---|---|---|---|---|---|---|---|---|\n", to);
    for (int i = 0; i < count; i++) {
        const vector_row *r = &l[i].row;
        const bool ours = strcmp(r->method, "wgdn") == 0;
        fprintf(to, "| %s%s%s | %lld | %.2f +- %.2f", ours ? "**" : "", r->method, ours ? "**" : "",
                (long long)r->dim, r->score, r->deviation);
        put_number(to, r->few_shot, "%.1f");
        put_number(to, r->neighbours, "%.1f");
        put_number(to, r->macro_f1, "%.1f");
        put_number(to, r->wall, "%.2f");
        put_number(to, r->cpu, "%.2f");
        put_number(to, r->peak_mb, "%.0f");
        fputs(" |\n", to);
    }
}

/* Of the lines of one set: ours, the trained model's, and the best of the others'. */
typedef struct standing {
    const vector_row *own, *trained, *other;
} standing;

static standing standing_of(const char *set, const line *l, int count)
{
    standing s = {0};
    for (int i = 0; i < count; i++) {
        const vector_row *r = &l[i].row;
        if (strcmp(l[i].set, set) != 0) continue;
        if (strcmp(r->method, "wgdn") == 0)
            s.own = r;
        else if (strcmp(r->method, trained) == 0)
            s.trained = r;
        else if (!s.other || r->score > s.other->score)
            s.other = r;
    }
    return s;
}

static void put_summary(FILE *to, const line *l, int count)
{
    int first = 0, compared = 0;
    fputs(
        "| set | judge | wgdn | aim | trained | best other | its score | seconds of wgdn | commit "
        "|\n|---|---|---|---|---|---|---|---|---|\n",
        to);
    for (const vector_set *s = vector_sets; s->name; s++) {
        const standing at = standing_of(s->name, l, count);
        if (!at.own) continue;
        fprintf(to, "| %s | %s | %.2f +- %.2f | %.1f", s->title, at.own->judge, at.own->score,
                at.own->deviation, s->aim);
        put_number(to, at.trained ? at.trained->score : NAN, "%.2f");
        fprintf(to, " | %s", at.other ? at.other->method : "");
        put_number(to, at.other ? at.other->score : NAN, "%.2f");
        fprintf(to, " | %.2f | %s |\n", at.own->wall, at.own->commit);
        compared += at.other != NULL;
        first +=
            at.other && at.own->score >= at.other->score - at.own->deviation / sqrt(VECTOR_SPLITS);
    }
    fprintf(to,
            "\nFirst, or within a standard error of first (the deviation over the root of %d), on "
            "%d of the %d sets that other programs were run on.\n",
            VECTOR_SPLITS, first, compared);
}

int vectors_report(const char *folder, const char *results)
{
    char path[1200];
    line *all = calloc(ROWS_MAX, sizeof *all);
    snprintf(path, sizeof path, "%s/vectors.md", folder);
    FILE *to = all ? fopen(path, "w") : NULL;
    if (!to) {
        complain("%s: %s", path, strerror(errno));
        free(all);
        return FAILED;
    }
    const int count = read_lines(all, results);
    qsort(all, (size_t)count, sizeof *all, by_score);
    fputs(
        "# Vectors in closed form\n\n"
        "Made by `wgdn reproduce vectors`: the defaults, no label before the judge. Three seeds\n"
        "of the fit. The deviation is over five splits (the dataset's own, else random 10/10/80;\n"
        "half of the labels where nodes have several), over seeds where a set has one split,\n"
        "over folds for whole graphs. Seconds from the file to the vectors, the fastest of\n"
        "three; other programs by `bench/peers/run`, from after their imports. Compare CPU\n"
        "seconds: the machine may have been busy.\n\n",
        to);
    put_summary(to, all, count);
    for (const vector_set *s = vector_sets; s->name; s++) {
        line some[32];
        int n = 0;
        for (int i = 0; i < count && n < 32; i++)
            if (strcmp(all[i].set, s->name) == 0) some[n++] = all[i];
        if (n) put_set(to, s, some, n);
    }
    free(all);
    return fclose(to) == 0 ? DONE : FAILED;
}
