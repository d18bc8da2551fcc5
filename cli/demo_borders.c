/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the countries and the land borders between them, overseas parts included, with their
 * continents as labels. `wgdn demo` writes them as an edge list and a label file.
 */
#define _POSIX_C_SOURCE 200809L
#include "demo_data.h"

#include <stdbool.h>
#include <string.h>

/* The countries of a continent, separated by "; ", each with the countries before it that it borders on. */
typedef struct region {
    const char *continent, *countries;
} region;

/* Each border is listed once, with the later of its two countries. */
static const region regions[] = {
    {"Europe",
     "Portugal; Spain: Portugal; Andorra: Spain; France: Spain, Andorra; Monaco: France; "
     "Italy: France; San Marino: Italy; Vatican City: Italy; Switzerland: France, Italy; "
     "Liechtenstein: Switzerland; Austria: Italy, Switzerland, Liechtenstein; Germany: "
     "France, Switzerland, Austria; Luxembourg: France, Germany; Belgium: France, Germany, "
     "Luxembourg; Netherlands: Germany, Belgium; Denmark: Germany; United Kingdom; "
     "Ireland: United Kingdom; Norway; Sweden: Norway; Finland: Norway, Sweden; Estonia; "
     "Latvia: Estonia; Lithuania: Latvia; Poland: Germany, Lithuania; Czechia: Austria, "
     "Germany, Poland; Slovakia: Austria, Poland, Czechia; Hungary: Austria, Slovakia; "
     "Slovenia: Italy, Austria, Hungary; Croatia: Hungary, Slovenia; Bosnia and "
     "Herzegovina: Croatia; Montenegro: Croatia, Bosnia and Herzegovina; Serbia: Hungary, "
     "Croatia, Bosnia and Herzegovina, Montenegro; Kosovo: Montenegro, Serbia; Albania: "
     "Montenegro, Kosovo; North Macedonia: Serbia, Kosovo, Albania; Greece: Albania, North "
     "Macedonia; Bulgaria: Serbia, North Macedonia, Greece; Romania: Hungary, Serbia, "
     "Bulgaria; Moldova: Romania; Ukraine: Poland, Slovakia, Hungary, Romania, Moldova; "
     "Belarus: Latvia, Lithuania, Poland, Ukraine; Russia: Norway, Finland, Estonia, "
     "Latvia, Lithuania, Poland, Ukraine, Belarus"},
    {"Asia", "Turkey: Greece, Bulgaria; Georgia: Russia, Turkey; Armenia: Turkey, Georgia; "
             "Azerbaijan: Russia, Turkey, Georgia, Armenia; Syria: Turkey; Lebanon: Syria; Israel: "
             "Syria, Lebanon; Palestine: Israel; Jordan: Syria, Israel, Palestine; Iraq: Turkey, "
             "Syria, Jordan; Iran: Turkey, Armenia, Azerbaijan, Iraq; Kuwait: Iraq; Saudi Arabia: "
             "Jordan, Iraq, Kuwait; Qatar: Saudi Arabia; United Arab Emirates: Saudi Arabia; Oman: "
             "Saudi Arabia, United Arab Emirates; Yemen: Saudi Arabia, Oman; Kazakhstan: Russia; "
             "Uzbekistan: Kazakhstan; Turkmenistan: Iran, Kazakhstan, Uzbekistan; Kyrgyzstan: "
             "Kazakhstan, Uzbekistan; Tajikistan: Uzbekistan, Kyrgyzstan; Afghanistan: Iran, "
             "Uzbekistan, Turkmenistan, Tajikistan; Pakistan: Iran, Afghanistan; India: Pakistan; "
             "Nepal: India; Bhutan: India; Bangladesh: India; Myanmar: India, Bangladesh; China: "
             "Russia, Kazakhstan, Kyrgyzstan, Tajikistan, Afghanistan, Pakistan, India, Nepal, "
             "Bhutan, Myanmar; Mongolia: Russia, China; North Korea: Russia, China; South Korea: "
             "North Korea; Laos: Myanmar, China; Vietnam: China, Laos; Cambodia: Laos, Vietnam; "
             "Thailand: Myanmar, Laos, Cambodia; Malaysia: Thailand; Brunei: Malaysia; Indonesia: "
             "Malaysia; Timor-Leste: Indonesia"},
    {"Oceania", "Papua New Guinea: Indonesia"},
    {"Africa",
     "Morocco: Spain; Algeria: Morocco; Tunisia: Algeria; Libya: Algeria, Tunisia; Egypt: "
     "Israel, Palestine, Libya; Sudan: Libya, Egypt; South Sudan: Sudan; Eritrea: Sudan; "
     "Djibouti: Eritrea; Ethiopia: Sudan, South Sudan, Eritrea, Djibouti; Somalia: "
     "Djibouti, Ethiopia; Kenya: South Sudan, Ethiopia, Somalia; Uganda: South Sudan, "
     "Kenya; Rwanda: Uganda; Burundi: Rwanda; Tanzania: Kenya, Uganda, Rwanda, Burundi; "
     "Malawi: Tanzania; Mozambique: Tanzania, Malawi; Eswatini: Mozambique; Lesotho; South "
     "Africa: Mozambique, Eswatini, Lesotho; Namibia: South Africa; Botswana: South "
     "Africa, Namibia; Zimbabwe: Mozambique, South Africa, Botswana; Zambia: Tanzania, "
     "Malawi, Mozambique, Namibia, Botswana, Zimbabwe; Angola: Namibia, Zambia; DR Congo: "
     "South Sudan, Uganda, Rwanda, Burundi, Tanzania, Zambia, Angola; Congo: Angola, DR "
     "Congo; Gabon: Congo; Equatorial Guinea: Gabon; Cameroon: Congo, Gabon, Equatorial "
     "Guinea; Central African Republic: Sudan, South Sudan, DR Congo, Congo, Cameroon; "
     "Chad: Libya, Sudan, Cameroon, Central African Republic; Niger: Algeria, Libya, Chad; "
     "Nigeria: Cameroon, Chad, Niger; Benin: Niger, Nigeria; Togo: Benin; Ghana: Togo; "
     "Burkina Faso: Niger, Benin, Togo, Ghana; Ivory Coast: Ghana, Burkina Faso; Liberia: "
     "Ivory Coast; Sierra Leone: Liberia; Guinea: Ivory Coast, Liberia, Sierra Leone; "
     "Guinea-Bissau: Guinea; Senegal: Guinea, Guinea-Bissau; Gambia: Senegal; Mauritania: "
     "Algeria, Senegal; Mali: Algeria, Niger, Burkina Faso, Ivory Coast, Guinea, Senegal, "
     "Mauritania"},
    {"North America",
     "Canada; United States: Canada; Mexico: United States; Guatemala: Mexico; Belize: "
     "Mexico, Guatemala; Honduras: Guatemala; El Salvador: Guatemala, Honduras; Nicaragua: "
     "Honduras; Costa Rica: Nicaragua; Panama: Costa Rica; Haiti; Dominican Republic: "
     "Haiti"},
    {"South America",
     "Colombia: Panama; Venezuela: Colombia; Guyana: Venezuela; Suriname: France, Guyana; "
     "Brazil: France, Colombia, Venezuela, Guyana, Suriname; Ecuador: Colombia; Peru: "
     "Colombia, Brazil, Ecuador; Bolivia: Brazil, Peru; Paraguay: Brazil, Bolivia; "
     "Uruguay: Brazil; Argentina: Brazil, Bolivia, Paraguay, Uruguay; Chile: Peru, "
     "Bolivia, Argentina"},
};
enum { REGIONS = sizeof regions / sizeof *regions };

/* The next word of a list, and its length; `stops` end it. Moves behind the separator. */
static const char *next_word(const char **at, const char *stops, int *size)
{
    const char *word = *at;
    *size = (int)strcspn(word, stops);
    *at = word + *size;
    *at += strspn(*at, ":;, ");
    return word;
}

/* A line for each border, or with its continent for each country. */
static void put_lines(FILE *to, bool borders)
{
    for (int i = 0; i < REGIONS; i++)
        for (const char *at = regions[i].countries; *at;) {
            int size, length;
            const char *name = next_word(&at, ":;", &size);
            if (!borders) fprintf(to, "%.*s,%s\n", size, name, regions[i].continent);
            bool more = name[size] == ':';
            while (more) {
                const char *other = next_word(&at, ",;", &length);
                if (borders) fprintf(to, "%.*s,%.*s\n", size, name, length, other);
                more = other[length] == ',';
            }
        }
}

void demo_write_borders(FILE *to)
{
    fputs("source,target\n", to);
    put_lines(to, true);
}

void demo_write_continents(FILE *to)
{
    fputs("id,continent\n", to);
    put_lines(to, false);
}
