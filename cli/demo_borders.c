/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the countries and the land borders between them, overseas parts included, with their
 * continents as labels. `wgdn demo` writes them as an edge list and a label file.
 */
#define _POSIX_C_SOURCE 200809L
#include "demo_borders.h"
#include "memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct country {
    const char *name, *continent, *neighbours; /* separated by commas */
} country;

/* Each border is listed once, with the later of its two countries. */
static const country countries[] = {
    {"Portugal", "Europe", ""},
    {"Spain", "Europe", "Portugal"},
    {"Andorra", "Europe", "Spain"},
    {"France", "Europe", "Spain,Andorra"},
    {"Monaco", "Europe", "France"},
    {"Italy", "Europe", "France"},
    {"San Marino", "Europe", "Italy"},
    {"Vatican City", "Europe", "Italy"},
    {"Switzerland", "Europe", "France,Italy"},
    {"Liechtenstein", "Europe", "Switzerland"},
    {"Austria", "Europe", "Italy,Switzerland,Liechtenstein"},
    {"Germany", "Europe", "France,Switzerland,Austria"},
    {"Luxembourg", "Europe", "France,Germany"},
    {"Belgium", "Europe", "France,Germany,Luxembourg"},
    {"Netherlands", "Europe", "Germany,Belgium"},
    {"Denmark", "Europe", "Germany"},
    {"United Kingdom", "Europe", ""},
    {"Ireland", "Europe", "United Kingdom"},
    {"Norway", "Europe", ""},
    {"Sweden", "Europe", "Norway"},
    {"Finland", "Europe", "Norway,Sweden"},
    {"Estonia", "Europe", ""},
    {"Latvia", "Europe", "Estonia"},
    {"Lithuania", "Europe", "Latvia"},
    {"Poland", "Europe", "Germany,Lithuania"},
    {"Czechia", "Europe", "Austria,Germany,Poland"},
    {"Slovakia", "Europe", "Austria,Poland,Czechia"},
    {"Hungary", "Europe", "Austria,Slovakia"},
    {"Slovenia", "Europe", "Italy,Austria,Hungary"},
    {"Croatia", "Europe", "Hungary,Slovenia"},
    {"Bosnia and Herzegovina", "Europe", "Croatia"},
    {"Montenegro", "Europe", "Croatia,Bosnia and Herzegovina"},
    {"Serbia", "Europe", "Hungary,Croatia,Bosnia and Herzegovina,Montenegro"},
    {"Kosovo", "Europe", "Montenegro,Serbia"},
    {"Albania", "Europe", "Montenegro,Kosovo"},
    {"North Macedonia", "Europe", "Serbia,Kosovo,Albania"},
    {"Greece", "Europe", "Albania,North Macedonia"},
    {"Bulgaria", "Europe", "Serbia,North Macedonia,Greece"},
    {"Romania", "Europe", "Hungary,Serbia,Bulgaria"},
    {"Moldova", "Europe", "Romania"},
    {"Ukraine", "Europe", "Poland,Slovakia,Hungary,Romania,Moldova"},
    {"Belarus", "Europe", "Latvia,Lithuania,Poland,Ukraine"},
    {"Russia", "Europe", "Norway,Finland,Estonia,Latvia,Lithuania,Poland,Ukraine,Belarus"},
    {"Turkey", "Asia", "Greece,Bulgaria"},
    {"Georgia", "Asia", "Russia,Turkey"},
    {"Armenia", "Asia", "Turkey,Georgia"},
    {"Azerbaijan", "Asia", "Russia,Turkey,Georgia,Armenia"},
    {"Syria", "Asia", "Turkey"},
    {"Lebanon", "Asia", "Syria"},
    {"Israel", "Asia", "Syria,Lebanon"},
    {"Palestine", "Asia", "Israel"},
    {"Jordan", "Asia", "Syria,Israel,Palestine"},
    {"Iraq", "Asia", "Turkey,Syria,Jordan"},
    {"Iran", "Asia", "Turkey,Armenia,Azerbaijan,Iraq"},
    {"Kuwait", "Asia", "Iraq"},
    {"Saudi Arabia", "Asia", "Jordan,Iraq,Kuwait"},
    {"Qatar", "Asia", "Saudi Arabia"},
    {"United Arab Emirates", "Asia", "Saudi Arabia"},
    {"Oman", "Asia", "Saudi Arabia,United Arab Emirates"},
    {"Yemen", "Asia", "Saudi Arabia,Oman"},
    {"Kazakhstan", "Asia", "Russia"},
    {"Uzbekistan", "Asia", "Kazakhstan"},
    {"Turkmenistan", "Asia", "Iran,Kazakhstan,Uzbekistan"},
    {"Kyrgyzstan", "Asia", "Kazakhstan,Uzbekistan"},
    {"Tajikistan", "Asia", "Uzbekistan,Kyrgyzstan"},
    {"Afghanistan", "Asia", "Iran,Uzbekistan,Turkmenistan,Tajikistan"},
    {"Pakistan", "Asia", "Iran,Afghanistan"},
    {"India", "Asia", "Pakistan"},
    {"Nepal", "Asia", "India"},
    {"Bhutan", "Asia", "India"},
    {"Bangladesh", "Asia", "India"},
    {"Myanmar", "Asia", "India,Bangladesh"},
    {"China", "Asia",
     "Russia,Kazakhstan,Kyrgyzstan,Tajikistan,Afghanistan,Pakistan,India,Nepal,Bhutan,Myanmar"},
    {"Mongolia", "Asia", "Russia,China"},
    {"North Korea", "Asia", "Russia,China"},
    {"South Korea", "Asia", "North Korea"},
    {"Laos", "Asia", "Myanmar,China"},
    {"Vietnam", "Asia", "China,Laos"},
    {"Cambodia", "Asia", "Laos,Vietnam"},
    {"Thailand", "Asia", "Myanmar,Laos,Cambodia"},
    {"Malaysia", "Asia", "Thailand"},
    {"Brunei", "Asia", "Malaysia"},
    {"Indonesia", "Asia", "Malaysia"},
    {"Timor-Leste", "Asia", "Indonesia"},
    {"Papua New Guinea", "Oceania", "Indonesia"},
    {"Morocco", "Africa", "Spain"},
    {"Algeria", "Africa", "Morocco"},
    {"Tunisia", "Africa", "Algeria"},
    {"Libya", "Africa", "Algeria,Tunisia"},
    {"Egypt", "Africa", "Israel,Palestine,Libya"},
    {"Sudan", "Africa", "Libya,Egypt"},
    {"South Sudan", "Africa", "Sudan"},
    {"Eritrea", "Africa", "Sudan"},
    {"Djibouti", "Africa", "Eritrea"},
    {"Ethiopia", "Africa", "Sudan,South Sudan,Eritrea,Djibouti"},
    {"Somalia", "Africa", "Djibouti,Ethiopia"},
    {"Kenya", "Africa", "South Sudan,Ethiopia,Somalia"},
    {"Uganda", "Africa", "South Sudan,Kenya"},
    {"Rwanda", "Africa", "Uganda"},
    {"Burundi", "Africa", "Rwanda"},
    {"Tanzania", "Africa", "Kenya,Uganda,Rwanda,Burundi"},
    {"Malawi", "Africa", "Tanzania"},
    {"Mozambique", "Africa", "Tanzania,Malawi"},
    {"Eswatini", "Africa", "Mozambique"},
    {"Lesotho", "Africa", ""},
    {"South Africa", "Africa", "Mozambique,Eswatini,Lesotho"},
    {"Namibia", "Africa", "South Africa"},
    {"Botswana", "Africa", "South Africa,Namibia"},
    {"Zimbabwe", "Africa", "Mozambique,South Africa,Botswana"},
    {"Zambia", "Africa", "Tanzania,Malawi,Mozambique,Namibia,Botswana,Zimbabwe"},
    {"Angola", "Africa", "Namibia,Zambia"},
    {"DR Congo", "Africa", "South Sudan,Uganda,Rwanda,Burundi,Tanzania,Zambia,Angola"},
    {"Congo", "Africa", "Angola,DR Congo"},
    {"Gabon", "Africa", "Congo"},
    {"Equatorial Guinea", "Africa", "Gabon"},
    {"Cameroon", "Africa", "Congo,Gabon,Equatorial Guinea"},
    {"Central African Republic", "Africa", "Sudan,South Sudan,DR Congo,Congo,Cameroon"},
    {"Chad", "Africa", "Libya,Sudan,Cameroon,Central African Republic"},
    {"Niger", "Africa", "Algeria,Libya,Chad"},
    {"Nigeria", "Africa", "Cameroon,Chad,Niger"},
    {"Benin", "Africa", "Niger,Nigeria"},
    {"Togo", "Africa", "Benin"},
    {"Ghana", "Africa", "Togo"},
    {"Burkina Faso", "Africa", "Niger,Benin,Togo,Ghana"},
    {"Ivory Coast", "Africa", "Ghana,Burkina Faso"},
    {"Liberia", "Africa", "Ivory Coast"},
    {"Sierra Leone", "Africa", "Liberia"},
    {"Guinea", "Africa", "Ivory Coast,Liberia,Sierra Leone"},
    {"Guinea-Bissau", "Africa", "Guinea"},
    {"Senegal", "Africa", "Guinea,Guinea-Bissau"},
    {"Gambia", "Africa", "Senegal"},
    {"Mauritania", "Africa", "Algeria,Senegal"},
    {"Mali", "Africa", "Algeria,Niger,Burkina Faso,Ivory Coast,Guinea,Senegal,Mauritania"},
    {"Canada", "North America", ""},
    {"United States", "North America", "Canada"},
    {"Mexico", "North America", "United States"},
    {"Guatemala", "North America", "Mexico"},
    {"Belize", "North America", "Mexico,Guatemala"},
    {"Honduras", "North America", "Guatemala"},
    {"El Salvador", "North America", "Guatemala,Honduras"},
    {"Nicaragua", "North America", "Honduras"},
    {"Costa Rica", "North America", "Nicaragua"},
    {"Panama", "North America", "Costa Rica"},
    {"Haiti", "North America", ""},
    {"Dominican Republic", "North America", "Haiti"},
    {"Colombia", "South America", "Panama"},
    {"Venezuela", "South America", "Colombia"},
    {"Guyana", "South America", "Venezuela"},
    {"Suriname", "South America", "France,Guyana"},
    {"Brazil", "South America", "France,Colombia,Venezuela,Guyana,Suriname"},
    {"Ecuador", "South America", "Colombia"},
    {"Peru", "South America", "Colombia,Brazil,Ecuador"},
    {"Bolivia", "South America", "Brazil,Peru"},
    {"Paraguay", "South America", "Brazil,Bolivia"},
    {"Uruguay", "South America", "Brazil"},
    {"Argentina", "South America", "Brazil,Bolivia,Paraguay,Uruguay"},
    {"Chile", "South America", "Peru,Bolivia,Argentina"},
    {NULL, NULL, NULL},
};

static void put_borders(FILE *to)
{
    fputs("source,target\n", to);
    for (const country *c = countries; c->name; c++)
        for (const char *at = c->neighbours; *at; at += strspn(at, ",")) {
            const size_t size = strcspn(at, ",");
            fprintf(to, "%s,%.*s\n", c->name, (int)size, at);
            at += size;
        }
}

static void put_continents(FILE *to)
{
    fputs("id,continent\n", to);
    for (const country *c = countries; c->name; c++)
        fprintf(to, "%s,%s\n", c->name, c->continent);
}

static char *text_of(void (*put)(FILE *to), size_t *size)
{
    held text;
    if (held_open(&text)) put(text.to);
    const bool whole = held_close(&text);
    *size = text.size;
    if (!whole) free(text.data);
    return whole ? text.data : NULL;
}

char *demo_borders(size_t *size)
{
    return text_of(put_borders, size);
}

char *demo_continents(size_t *size)
{
    return text_of(put_continents, size);
}
