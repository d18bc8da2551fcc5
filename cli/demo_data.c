/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates the sample data of `wgdn demo NAME`: small tables of friends, payments, purchases, articles and molecules,
 * the same on every machine. They are made up, so that anybody may use and share them; demo_borders.c has the real one.
 */
#define _POSIX_C_SOURCE 200809L
#include "demo_data.h"
#include "process.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers: integers only, so that no mathematical library can change a digit ---- */

typedef struct draws {
    uint64_t state;
} draws;

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014). */
static uint32_t draw_bits(draws *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Returns an integer from 0 to n - 1. */
static int draw_below(draws *r, int n)
{
    return (int)((uint64_t)draw_bits(r) * (uint64_t)n >> 32);
}

static int draw_percent(draws *r, int percent)
{
    return draw_below(r, 100) < percent;
}

/* Returns cents around `middle` with a long tail upward: the product of three factors from 1/2 to 2. */
static int draw_cents(draws *r, int middle)
{
    int64_t cents = middle;
    for (int i = 0; i < 3; i++) {
        const int64_t up = 1000 + draw_below(r, 1001), down = 1000 + draw_below(r, 1001);
        cents = cents * up / down;
    }
    return (int)cents;
}

/* The group of thing i, for all files of a set: a hash, so that no table is needed. */
static int group_of(uint64_t set, int i, int groups)
{
    draws r = {set * 1000003u + (uint64_t)i};
    return draw_below(&r, groups);
}

/* Draws a thing of the given group, by trial. */
static int draw_member(draws *r, uint64_t set, int n, int group, int groups)
{
    for (;;) {
        const int i = draw_below(r, n);
        if (group_of(set, i, groups) == group) return i;
    }
}

/* ---- friends ---- */

enum { PEOPLE = 3000, CIRCLES = 12 };

static void write_friends(FILE *to)
{
    static const int counts[] = {2, 3, 4, 12};
    draws r = {3};
    fputs("person,friend\n", to);
    for (int i = 0; i < PEOPLE; i++)
        for (int k = counts[draw_below(&r, 4)]; k > 0; k--) {
            const int j = draw_percent(&r, 75)
                              ? draw_member(&r, 1, PEOPLE, group_of(1, i, CIRCLES), CIRCLES)
                              : draw_below(&r, PEOPLE);
            fprintf(to, "p%d,p%d\n", i, j);
        }
}

static void write_circles(FILE *to)
{
    fputs("person,circle\n", to);
    for (int i = 0; i < PEOPLE; i += 5)
        fprintf(to, "p%d,circle %d\n", i, group_of(1, i, CIRCLES));
}

/* ---- payments between accounts; a few accounts are fraudulent ---- */

enum { ACCOUNTS = 4000, PAYMENTS = 20000, TRADES = 5 };

static const char *const trades[TRADES] = {"retail", "salary", "travel", "trade", "broker"};
static const char *const lands[] = {"DE", "FR", "ES", "PL", "IT", "NL"};

static int account_number(int i)
{
    return 10000 + (int)((uint64_t)i * 39119 % 89989); /* a prime number of values: all differ */
}

static int is_fraud(int i)
{
    draws r = {0xf4a0d + (uint64_t)i * 7919};
    return draw_percent(&r, 4);
}

static int draw_fraud(draws *r)
{
    for (;;) {
        const int i = draw_below(r, ACCOUNTS);
        if (is_fraud(i)) return i;
    }
}

/* Two payments of five stay in the group and are larger; fraudulent accounts pay each other in similar amounts. */
static void write_transactions(FILE *to)
{
    draws r = {7};
    fputs("time,from_account,to_account,amount\n", to);
    for (int k = 0; k < PAYMENTS; k++) {
        int payer = draw_below(&r, ACCOUNTS), payee, middle = 1200;
        if (draw_percent(&r, 40)) {
            payee = draw_member(&r, 2, ACCOUNTS, group_of(2, payer, TRADES), TRADES);
            middle = 4500;
        } else
            payee = draw_below(&r, ACCOUNTS);
        if (k % 100 == 0) payer = draw_fraud(&r), payee = draw_fraud(&r), middle = 9000;
        const int cents = draw_cents(&r, middle);
        const int minute = draw_below(&r, 60), hour = draw_below(&r, 24);
        const int day = 1 + draw_below(&r, 28), month = 1 + draw_below(&r, 12);
        fprintf(to, "2024-%02d-%02d %02d:%02d,ACC-%d,ACC-%d,%d.%02d\n", month, day, hour, minute,
                account_number(payer), account_number(payee), cents / 100, cents % 100);
    }
}

/* What is known of an account says something of its group, and is often missing. */
static void write_accounts(FILE *to)
{
    draws r = {8};
    fputs("account,country,opened,balance,premium\n", to);
    for (int i = 0; i < ACCOUNTS; i++) {
        const int g = group_of(2, i, TRADES);
        const char *land = lands[draw_percent(&r, 40) ? g : draw_below(&r, 6)];
        const int day = 1 + draw_below(&r, 28), month = 1 + draw_below(&r, 12);
        fprintf(to, "ACC-%d,%s,%d-%02d-%02d,", account_number(i), land,
                2023 - draw_below(&r, 4 + g), month, day);
        const int balance = draw_cents(&r, 110000 + 40000 * (g % 3));
        if (draw_percent(&r, 80)) fprintf(to, "%d.%02d", balance / 100, balance % 100);
        const int premium = draw_percent(&r, 15 + 15 * g);
        fprintf(to, ",%s\n", draw_percent(&r, 90) ? (premium ? "yes" : "no") : "NA");
    }
}

/* Of every eighth account it was checked what it is. */
static void write_groups(FILE *to)
{
    fputs("account,group\n", to);
    for (int i = 0; i < ACCOUNTS; i += 8)
        fprintf(to, "ACC-%d,%s\n", account_number(i), trades[group_of(2, i, TRADES)]);
}

static void write_fraud(FILE *to)
{
    fputs("account,fraud\n", to);
    for (int i = 0; i < ACCOUNTS; i += 2)
        fprintf(to, "ACC-%d,%s\n", account_number(i), is_fraud(i) ? "yes" : "no");
}

/* ---- purchases ---- */

enum { CUSTOMERS = 1500, PRODUCTS = 400, TASTES = 8 };

static const char *const kinds[TASTES] = {"tea",   "garden", "music", "bicycle",
                                          "paint", "books",  "games", "kitchen"};

/* Customers have one taste, sometimes a second; products with small numbers sell best. */
static void write_purchases(FILE *to)
{
    draws r = {11};
    fputs("customer,product\n", to);
    for (int i = 0; i < CUSTOMERS; i++)
        for (int k = 6 + draw_below(&r, 14); k > 0; k--) {
            const int taste =
                group_of(draw_percent(&r, 75) ? 4 : 5, i, TASTES); /* first or second taste */
            const int any = draw_percent(&r, 15), best = 1 + draw_below(&r, PRODUCTS);
            int product = draw_below(&r, best);
            while (!any && group_of(6, product, TASTES) != taste) {
                product = draw_below(&r, best);
                product += draw_below(&r, PRODUCTS - best + 1);
            }
            fprintf(to, "c%d,%s-%d\n", i, kinds[group_of(6, product, TASTES)], product);
        }
}

static void write_products(FILE *to)
{
    fputs("product,kind\n", to);
    for (int i = 0; i < PRODUCTS; i++)
        fprintf(to, "%s-%d,%s\n", kinds[group_of(6, i, TASTES)], i, kinds[group_of(6, i, TASTES)]);
}

/* ---- articles: text and links ---- */

enum { ARTICLES = 1200, TOPICS = 6, TOPIC_WORDS = 16 };

static const char *const topics[TOPICS] = {"astronomy", "cooking", "sailing",
                                           "geology",   "music",   "medicine"};
static const char *const vocabulary[TOPICS] = {
    "star orbit comet lens galaxy eclipse planet moon spectrum dust telescope gravity night sky "
    "nova ring",
    "salt oven dough butter stew spice onion recipe simmer flour lemon roast yeast pepper dish "
    "taste",
    "mast harbor wind anchor keel rope tide deck compass storm sail coast rudder chart crew knot",
    "basalt fault quartz layer fossil lava erosion mineral crust slate sediment granite magma "
    "cliff ore core",
    "chord tempo violin choir melody rhythm score opera drum tune string scale concert pitch flute "
    "verse",
    "fever nurse dose blood heart lung vaccine surgery symptom bone virus therapy patient pulse "
    "nerve cell",
};
static const char common[] =
    "new early long small great study first large known part work year high low time use";

static void write_word(FILE *to, const char *words, int number)
{
    while (number-- > 0)
        words = strchr(words, ' ') + 1;
    fprintf(to, " %.*s", (int)strcspn(words, " "), words);
}

/* An article takes a third of its words from its topic, a few from another, and the rest say nothing. */
static void write_articles(FILE *to)
{
    draws r = {13};
    fputs("article,text\n", to);
    for (int i = 0; i < ARTICLES; i++) {
        fprintf(to, "a%d,A", i);
        for (int k = 0; k < 18; k++) {
            const int of = draw_below(&r, 100);
            const int topic = of < 33 ? group_of(8, i, TOPICS) : draw_below(&r, TOPICS);
            write_word(to, of < 50 ? vocabulary[topic] : common, draw_below(&r, TOPIC_WORDS));
        }
        fputs(".\n", to);
    }
}

static void write_links(FILE *to)
{
    draws r = {17};
    fputs("source,target\n", to);
    for (int i = 0; i < ARTICLES; i++)
        for (int k = 1 + draw_below(&r, 5); k > 0; k--) {
            const int j = draw_percent(&r, 70)
                              ? draw_member(&r, 8, ARTICLES, group_of(8, i, TOPICS), TOPICS)
                              : draw_below(&r, ARTICLES);
            fprintf(to, "a%d,a%d\n", i, j);
        }
}

static void write_topics(FILE *to)
{
    fputs("article,topic\n", to);
    for (int i = 0; i < ARTICLES; i += 2)
        fprintf(to, "a%d,%s\n", i, topics[group_of(8, i, TOPICS)]);
}

/* ---- molecules: rings of carbon with side groups ---- */

enum { MOLECULES = 300 };

/* Writes the bonds (atoms of a molecule in `bonds`) or the atoms; active molecules have a nitro group, N with two O. */
static void write_molecule_parts(FILE *to, int bonds)
{
    draws r = {19};
    fputs(bonds ? "graph,source,target\n" : "atom,element\n", to);
    for (int m = 0; m < MOLECULES; m++) {
        const int active = group_of(9, m, 2), ring = 5 + draw_below(&r, 2);
        const int tail = 1 + draw_below(&r, 6), groups = 1 + draw_below(&r, 3);
        int atoms = ring + tail;
        for (int i = 0; i < atoms; i++) {
            if (!bonds) fprintf(to, "m%d/%d,%s\n", m, i, i == atoms - 1 ? "O" : "C");
            if (bonds && i < ring) fprintf(to, "m%d,%d,%d\n", m, i, (i + 1) % ring);
            if (bonds && i >= ring) fprintf(to, "m%d,%d,%d\n", m, i == ring ? 0 : i - 1, i);
        }
        for (int g = 0; g < groups; g++) {
            const int nitro = active && g == 0, at = draw_below(&r, ring);
            const char *first = nitro || draw_percent(&r, 60) ? "N" : "C";
            const char *second = nitro ? "O" : draw_percent(&r, 20) ? "O" : "C";
            if (bonds)
                fprintf(to, "m%d,%d,%d\nm%d,%d,%d\nm%d,%d,%d\n", m, at, atoms, m, atoms, atoms + 1,
                        m, atoms, atoms + 2);
            else
                fprintf(to, "m%d/%d,%s\nm%d/%d,%s\nm%d/%d,%s\n", m, atoms, first, m, atoms + 1,
                        second, m, atoms + 2, nitro ? "O" : "C");
            atoms += 3;
        }
    }
}

static void write_bonds(FILE *to)
{
    write_molecule_parts(to, 1);
}

static void write_atoms(FILE *to)
{
    write_molecule_parts(to, 0);
}

static void write_activity(FILE *to)
{
    draws r = {23};
    fputs("molecule,activity\n", to);
    for (int m = 0; m < MOLECULES; m++) /* an assay is wrong now and then */
        fprintf(to, "m%d,%s\n", m,
                group_of(9, m, 2) != draw_percent(&r, 8) ? "active" : "inactive");
}

/* ---- the sets ---- */

static const demo_set sets[] = {
    {"countries",
     "countries of the world and their borders on land",
     {{"borders.csv", "which countries share a border", demo_write_borders},
      {"continents.csv", "the continent of each country", demo_write_continents}}},
    {"friends",
     "people in circles of friends, edges alone",
     {{"friends.csv", "who is a friend of whom", write_friends},
      {"circles.csv", "the circle of every fifth person", write_circles}}},
    {"transactions",
     "payments between accounts, a table of accounts with gaps",
     {{"transactions.csv", "who paid whom, when and how much", write_transactions},
      {"accounts.csv", "what is known of each account", write_accounts},
      {"groups.csv", "the group of every eighth account", write_groups},
      {"fraud.csv", "whether every second account is fraudulent", write_fraud}}},
    {"purchases",
     "customers and the products they bought",
     {{"purchases.csv", "who bought what", write_purchases},
      {"products.csv", "the kind of each product", write_products}}},
    {"articles",
     "short texts that link to each other",
     {{"links.csv", "which article links to which", write_links},
      {"articles.csv", "the text of each article", write_articles},
      {"topics.csv", "the topic of every second article", write_topics}}},
    {"molecules",
     "small molecules, one graph each",
     {{"bonds.csv", "the bonds of all molecules", write_bonds},
      {"atoms.csv", "the element of each atom", write_atoms},
      {"activity.csv", "which molecules are active", write_activity}}},
};

const demo_set *demo_get_set(int i)
{
    return i < (int)(sizeof sets / sizeof *sets) ? &sets[i] : NULL;
}

const demo_set *demo_find_set(const char *name)
{
    for (int i = 0; demo_get_set(i); i++)
        if (!strcmp(sets[i].name, name)) return &sets[i];
    return NULL;
}

char *demo_file_text(const demo_file *file, size_t *size)
{
    held text;
    if (held_open(&text)) file->write(text.to);
    const bool whole = held_close(&text);
    *size = text.size;
    if (!whole) free(text.data);
    return whole ? text.data : NULL;
}
