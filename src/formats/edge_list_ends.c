/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which two columns of an edge list are the ends of its edges, from the headings and the
 * values. edge_list_layout.c calls it where the options do not name the columns.
 */
#include "edge_list.h"
#include "io/text.h"

#include <stdio.h>
#include <string.h>

/* Of two kinds of nodes in one row, people and goods are the edge; a place or a company comes next. */
typedef enum wgdn_kind_group { WGDN_PEOPLE = 1, WGDN_GOODS, WGDN_PLACES } wgdn_kind_group;

/* How well a column stands for a node: the number of a customer is better than its name. */
enum { WGDN_NAMED_BY_NAME = 1, WGDN_NAMED_BY_OTHER, WGDN_NAMED_BY_ID, WGDN_NAMED_PLAINLY };

typedef struct wgdn_heading {
    bool source, target, either; /* an end: which one, or the one that the other column is not */
    bool when, measure;          /* a date, a number: no end */
    bool record;            /* names the row, such as a transaction; an end only beside a kind */
    bool attribute;         /* a category of the row; likewise */
    bool weight, graph, id; /* the whole heading */
    int kind;               /* of nodes; 0: none that is known */
    wgdn_kind_group group;
    int named;     /* one of the above */
    bool numbered; /* holds a word such as id or iban */
    char index;    /* 1, 2, a, b, ... at its end; 0: none */
    char word[32]; /* the word that makes it an end, or a kind */
    char rest[64]; /* the heading without that word and without the index */
    char whole[64];
} wgdn_heading;

/*
 * Splits the headings of edge lists into words and looks up their meaning. A heading is split where
 * its letters change case or at any other character. Compounds of two known words, such as
 * kundennummer and userid, are split as well. Accents are ignored.
 */

enum { WORD = 32, WORDS = 8 };

typedef enum meaning {
    NOTHING,
    SOURCE,
    TARGET,
    EITHER,    /* buyer and seller */
    ACCOUNTED, /* debit and credit: ends only beside a word such as account */
    WHEN,
    MEASURE,
    RECORD,
    ATTRIBUTE,
    IDENTIFIER,
    NAME,
    PEOPLE,
    GOODS,
    PLACES
} meaning;

/* A line is one kind of nodes. English, German, French, Spanish, Italian, Portuguese, Dutch. */
static const struct {
    meaning means;
    const char *words; /* between blanks */
} lines[] = {
    {SOURCE,
     " source src from sender start origin orig debtor payer payor caller calling citing follower "
     "lender originator remitter initiator ordering referrer predecessor upstream donor parent "
     "head quelle von absender auftraggeber zahler zahlungspflichtiger schuldner debitor anrufer "
     "vorganger vorgaenger zitierend zitierende expediteur emetteur depart debiteur payeur "
     "appelant citant suiveur donneur remitente emisor ordenante pagador deudor llamante seguidor "
     "citante origen fuente padre mittente ordinante pagatore debitore chiamante partenza sorgente "
     "origine origem remetente emissor emitente devedor afzender bron betaler van "},
    {TARGET,
     " target dst dest to receiver recipient end destination creditor payee callee called cited "
     "followee followed borrower beneficiary responder referred successor downstream child tail "
     "counterparty friend neighbor neighbor nachbar follows cites depends dependency ziel nach "
     "empfanger empfaenger begunstigter beguenstigter zahlungsempfanger zahlungsempfaenger "
     "glaubiger glaeubiger kreditor angerufener nachfolger gegenkonto zitiert zitierte cible "
     "destinataire beneficiaire recepteur arrivee crediteur creancier appele cite suivi enfant "
     "contrepartie destino destinatario receptor beneficiario acreedor llamado seguido citado hijo "
     "contraparte destinazione creditore chiamato arrivo citato figlio controparte recebedor "
     "credor ontvanger doel naar "},
    {EITHER, " buyer seller purchaser kaufer kaeufer verkaufer verkaeufer acheteur vendeur "
             "comprador vendedor acquirente venditore koper verkoper supplier vendor lieferant "
             "abnehmer fournisseur proveedor fornitore fornecedor leverancier "},
    {ACCOUNTED, " debit credit soll haben "},
    {WHEN, " date datum fecha data time timestamp datetime ts zeit zeitpunkt zeitstempel uhrzeit "
           "heure hora ora tijd year jahr annee ano anno jaar month monat mois mes mese day jour "
           "dia giorno week at since seit created updated buchungstag buchungsdatum valuta "
           "wertstellung datetimeutc epoch "},
    {MEASURE,
     " amount betrag montant importe importo valor value wert valeur valore price preis prix "
     "precio prezzo preco prijs cost kosten quantity qty menge quantite cantidad quantita "
     "quantidade anzahl count counts sum summe total rating ratings score scores bewertung stars "
     "sterne points punkte age alter edad eta idade balance saldo solde duration dauer duree "
     "duracion durata duracao seconds sekunden minutes bytes size length distance distanz "
     "entfernung distancia distanza weight weights gewicht poids peso rank probability correlation "
     "korrelation lat lon lng latitude longitude stops volume umsatz revenue fatturato salary "
     "height affinity strength rate percent pct limit menges packets income kilometers km evalue "
     "pvalue confidence similarity minuten dauersekunden ohm rounds "},
    {RECORD, " tx txn trans transaction transactions transaktion transaktions transaccion "
             "transazione transacao order orders bestellung bestell auftrag commande pedido ordine "
             "encomenda invoice rechnung rechnungs facture factura fattura fatura nota fiscal "
             "trade ride trip fahrt message msg nachricht line row record buchung buchungs booking "
             "beleg receipt ticket session sitzung payment zahlung zahlungs paiement pago "
             "pagamento edge kante edges uuid guid hash reference ref referenz call anruf visit "
             "loan index operation operacion operazione operacao mouvement movimiento movimento "},
    {ATTRIBUTE,
     " category kategorie categorie categoria genre genero genere brand marke marque marca country "
     "land pays pais paese city stadt ville ciudad citta cidade region currency wahrung waehrung "
     "devise moneda moeda type typ tipo kind status state channel kanal canal department abteilung "
     "role rolle rol ruolo gender sex language sprache label labels class klasse relation comment "
     "text note notiz description verwendungszweck zweck betreff beschreibung libelle concepto "
     "causale descricao purpose subject cell airline equipment unit einheit tag tags version "
     "segment outcome ergebnis esito resultat resultado motif memo reason verdict platform "},
    {IDENTIFIER,
     " id ids no nr num number nummer numero code codigo codice key iban bic uid cnpj cpf nif vat "
     "siren siret account accounts acct konto kontonummer compte cuenta conto conta rekening email "
     "mail ip address adresse phone telefon node nodeid vertex entity identifiant kennung "},
    {NAME, " name nom nombre nome namen naam names title "},
    {PEOPLE, " user users usuario usuarios utilizateur utente benutzer nutzer utilizador gebruiker "
             "userid "},
    {PEOPLE, " customer customers client clients cust kunde kunden kundin cliente clientes klant "
             "shopper consumer household haushalt "},
    {PEOPLE, " member members mitglied membre miembro socio membro subscriber abonnent abonne "
             "suscriptor abbonato "},
    {PEOPLE, " reader readers leser lecteur lector lettore leitor borrowers "},
    {PEOPLE, " patient patients patienten paciente paziente "},
    {PEOPLE, " student students schuler schueler etudiant eleve estudiante alumno studente aluno "},
    {PEOPLE, " author authors autor auteur autore writer "},
    {PEOPLE, " employee employees mitarbeiter employe empleado dipendente worker "},
    {PEOPLE, " candidate bewerber candidat candidato applicant "},
    {PEOPLE, " reviewer "},
    {PEOPLE, " viewer zuschauer listener horer hoerer "},
    {PEOPLE, " visitor besucher visiteur visitante guest gast "},
    {PEOPLE, " player spieler joueur jugador giocatore jogador "},
    {PEOPLE, " person persons persona personne pessoa people individual "},
    {PEOPLE, " actor schauspieler acteur attore director regisseur "},
    {PEOPLE, " investor anleger developer contributor committer entwickler politician senator "},
    {PEOPLE, " card karte carte tarjeta carta cartao cardholder kartennummer "},
    {PEOPLE, " driver fahrer conducteur conductor "},
    {PEOPLE, " bidder lawyer judge teacher lehrer professor "},
    {GOODS,
     " item items artikel article articles articulo articolo artigo sku asin ware artikelnummer "},
    {GOODS, " product products produkt produkte produit producto prodotto produto ean gtin "},
    {GOODS, " movie movies film films pelicula filme "},
    {GOODS, " book books buch livre libro livro isbn boek "},
    {GOODS, " song songs track tracks lied chanson cancion canzone "},
    {GOODS, " artist artists kunstler kuenstler band album "},
    {GOODS, " video videos show series serie episode podcast "},
    {GOODS, " game games spiel jeu juego gioco "},
    {GOODS, " recipe rezept recette receta ricetta dish "},
    {GOODS, " course courses kurs cours curso corso lecture vorlesung "},
    {GOODS, " paper papers publication publikation publicacion pubblicazione doi pmid "},
    {GOODS, " ad ads anzeige campaign kampagne app apps "},
    {GOODS, " page pages seite url website webpage pagina domain "},
    {GOODS,
     " document documents dokument doc docs word words wort mot term palabra parola keyword "},
    {GOODS, " ingredient zutat "},
    {GOODS, " job jobs stelle stellenanzeige emploi empleo lavoro "},
    {GOODS, " drug drugs medikament medicament farmaco medicamento wirkstoff compound molecule "},
    {GOODS, " gene genes gen "},
    {GOODS, " protein proteine proteina enzyme "},
    {GOODS, " disease krankheit maladie enfermedad malattia doenca symptom "},
    {GOODS, " pollinator bestauber bestaeuber "},
    {GOODS, " plant plants pflanze plante planta "},
    {GOODS, " skill skills "},
    {GOODS, " event events veranstaltung evento evenement "},
    {GOODS, " part parts teil component "},
    {GOODS, " stock fund fonds security wertpapier isin "},
    {PLACES,
     " merchant merchants handler haendler marchand commercant comerciante comercio esercente "},
    {PLACES, " store stores shop filiale laden magasin boutique tienda negozio loja geschaft "
             "geschaeft winkel "},
    {PLACES, " company companies firma unternehmen entreprise societe empresa azienda organization "
             "organization org "},
    {PLACES, " business restaurant hotel venue "},
    {PLACES, " doctor arzt medecin medico physician provider "},
    {PLACES, " hospital krankenhaus klinik hopital ospedale clinic "},
    {PLACES, " school schule university universitat universitaet "},
    {PLACES, " team mannschaft equipe equipo squadra club verein "},
    {PLACES, " group groups gruppe groupe grupo gruppo community forum subreddit "},
    {PLACES, " project projects projekt repo repository projet proyecto progetto "},
    {PLACES, " device gerat geraet host server "},
    {PLACES, " board committee "},
};

/* ---- words ---- */

/* The letter without its accent, or two of them; bytes of UTF-8 and of Latin-1. */
static const char *fold(const unsigned char **at, const unsigned char *end)
{
    static const char plain[][3] = {
        "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
        "d", "n", "o", "o", "o", "o", "o",  "",  "o", "u", "u", "u", "u", "y", "",  "ss",
        "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
        "d", "n", "o", "o", "o", "o", "o",  "",  "o", "u", "u", "u", "u", "y", "",  "y"};
    const unsigned char c = **at;
    if (c == 0xc3 && end - *at > 1 && (*at)[1] >= 0x80 && (*at)[1] < 0xc0) {
        *at += 2;
        return plain[(*at)[-1] - 0x80];
    }
    ++*at;
    return c >= 0xc0 ? plain[c - 0xc0] : "";
}

typedef struct words {
    char word[WORDS][WORD];
    int count;
    size_t used; /* letters of the word that is not finished */
} words;

static void end_word(words *w)
{
    if (w->used == 0) return;
    w->word[w->count++][w->used] = '\0';
    w->used = 0;
}

static void add_letter(words *w, char c)
{
    if (w->count < WORDS && w->used + 1 < WORD) w->word[w->count][w->used++] = c;
}

/* Where a digit meets a letter, and where a small letter meets a capital one, a word ends. */
static words cut(wgdn_text t)
{
    words w;
    memset(&w, 0, sizeof w);
    const unsigned char *at = t.at, *const end = t.at + t.size;
    bool small = false, digit = false;
    while (at < end && w.count < WORDS) {
        const unsigned char c = *at;
        const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
        const bool number = c >= '0' && c <= '9';
        if ((upper && small) || (w.used && number != digit)) end_word(&w);
        small = lower || c >= 0x80;
        digit = number;
        if (upper || lower || number) {
            add_letter(&w, (char)(upper ? c + 32 : c));
            at++;
        } else if (c >= 0x80) {
            const char *letters = fold(&at, end);
            for (int k = 0; k < 2 && letters[k]; k++)
                add_letter(&w, letters[k]);
        } else {
            end_word(&w);
            at++;
        }
    }
    if (w.count < WORDS) end_word(&w);
    return w;
}

/* The line that a word is on, from 1; 0: none. */
static int line_of(const char *word, size_t size)
{
    char between[WORD + 2];
    if (size == 0 || size >= WORD) return 0;
    snprintf(between, sizeof between, " %.*s ", (int)size, word);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strstr(lines[i].words, between)) return (int)i + 1;
    return 0;
}

/* kundennummer, rechnungsnummer, userid, idcliente: where the second word begins; 0: nowhere. */
static size_t second_word(const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = size - 1; at >= 2; at--) {
        const int second = line_of(word + at, size - at);
        if (!second || size - at < 2) continue;
        const meaning means = lines[second - 1].means;
        const bool noun = means == IDENTIFIER || means == NAME || means == WHEN || means == MEASURE;
        const bool first = line_of(word, at) || (word[at - 1] == 's' && line_of(word, at - 1));
        const bool leads = strncmp(word, "id", 2) == 0 && at == 2;
        if ((first && noun && at > 2) || leads) return at;
    }
    return 0;
}

static void split_compounds(words *w)
{
    for (int i = 0; i < w->count && w->count < WORDS; i++) {
        const size_t at = line_of(w->word[i], strlen(w->word[i])) ? 0 : second_word(w->word[i]);
        if (!at) continue;
        memmove(w->word[i + 2], w->word[i + 1], (size_t)(w->count - i - 1) * WORD);
        memcpy(w->word[i + 1], w->word[i] + at, strlen(w->word[i]) - at + 1);
        w->word[i][at] = '\0';
        if (!line_of(w->word[i], at)) w->word[i][at - 1] = '\0';
        w->count++;
        i++;
    }
}

/* ---- headings ---- */

static void append(char to[64], const char *word)
{
    const size_t used = strlen(to);
    snprintf(to + used, 64 - used, "%s", word);
}

static bool is_kind(meaning m)
{
    return m == PEOPLE || m == GOODS || m == PLACES;
}

/* The last word that is a kind counts: a customer group is a group. */
static void note_meaning(wgdn_heading *h, const char *word, int line)
{
    const meaning m = line ? lines[line - 1].means : NOTHING;
    h->when |= m == WHEN;
    h->measure |= m == MEASURE;
    h->record |= m == RECORD;
    h->attribute |= m == ATTRIBUTE;
    h->numbered |= m == IDENTIFIER;
    if (m == NAME) h->named = WGDN_NAMED_BY_NAME;
    if (m == IDENTIFIER && h->named != WGDN_NAMED_BY_NAME) h->named = WGDN_NAMED_BY_ID;
    if ((m == NOTHING || m == ATTRIBUTE) && h->named == WGDN_NAMED_PLAINLY)
        h->named = WGDN_NAMED_BY_OTHER;
    if (is_kind(m)) {
        h->kind = line;
        h->group = (wgdn_kind_group)(m - PEOPLE + 1);
        if (!h->source && !h->target && !h->either) snprintf(h->word, sizeof h->word, "%s", word);
    }
}

static bool is_end_word(meaning m)
{
    return m == SOURCE || m == TARGET || m == EITHER || m == ACCOUNTED;
}

static bool is_any(const char *text, const char *all)
{
    char between[66];
    snprintf(between, sizeof between, " %.63s ", text);
    return strstr(all, between) != NULL;
}

/* 1, 2, a, b as the last word, behind another one. */
static char index_of(const words *w)
{
    const char *last = w->count > 1 ? w->word[w->count - 1] : "";
    return (char)(strlen(last) == 1 && strchr("0123456789abcdeijxy", last[0]) ? last[0] : 0);
}

static wgdn_heading heading_of(wgdn_text t)
{
    wgdn_heading h = {.named = WGDN_NAMED_PLAINLY};
    words w = cut(t);
    for (int i = 0; i < w.count; i++)
        append(h.whole, w.word[i]);
    split_compounds(&w);
    h.index = index_of(&w);
    for (int i = 0; i < w.count - (h.index != 0); i++) {
        const int line = line_of(w.word[i], strlen(w.word[i]));
        const meaning m = line ? lines[line - 1].means : NOTHING;
        const bool end = is_end_word(m) && !h.source && !h.target && !h.either;
        if (end && (m != ACCOUNTED || w.count > 1)) {
            h.source =
                m == SOURCE || strcmp(w.word[i], "debit") == 0 || strcmp(w.word[i], "soll") == 0;
            h.target = m == TARGET || (m == ACCOUNTED && !h.source);
            h.either = m == EITHER;
            snprintf(h.word, sizeof h.word, "%s", w.word[i]);
            if (m == EITHER) { /* beside goods a buyer is a person, a supplier a company */
                h.kind = line;
                h.group = WGDN_PLACES;
            }
            continue;
        }
        note_meaning(&h, w.word[i], line);
        append(h.rest, w.word[i]);
    }
    h.weight = is_any(h.whole,
                      " weight weights edgeweight w gewicht kantengewicht poids peso gewichtung ");
    h.graph = is_any(h.whole, " graph graphid ");
    h.id = strcmp(h.whole, "id") == 0;
    return h;
}

/* Headings such as u and v, which are a source and a target only side by side. */
static bool heading_pair(const wgdn_heading *source, const wgdn_heading *target)
{
    static const char *const pairs[][2] = {
        {"u", "v"},     {"i", "j"},    {"de", "a"},   {"da", "a"},           {"de", "para"},
        {"de", "vers"}, {"von", "an"}, {"von", "zu"}, {"subject", "object"}, {"desde", "hasta"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(source->whole, pairs[i][0]) == 0 && strcmp(target->whole, pairs[i][1]) == 0)
            return true;
    return false;
}

/*
 * Chooses the two columns that hold the ends of the edges, by the headings and the values below
 * them. A date, an amount or a column of distinct values is not an end unless its heading says so.
 * If two readings are plausible, none is chosen and the caller asks the user.
 */

enum {
    MOST = 64,
    ENOUGH = 20
}; /* columns that are looked at; rows that show whether values recur */

typedef struct view {
    const wgdn_edge_layout *y;
    wgdn_heading h[MOST];
    int64_t columns;
    wgdn_edge_ends *out;
} view;

static const wgdn_column_look *look_of(const view *v, int64_t j)
{
    return &v->y->look[j];
}

/* By its values. */
static bool may_hold_ends(const view *v, int64_t j)
{
    const wgdn_column_look *c = look_of(v, j);
    return !c->dates && !c->amounts && !c->signs;
}

static bool is_unique(const view *v, int64_t j)
{
    const wgdn_column_look *c = look_of(v, j);
    return c->filled >= ENOUGH && c->distinct == c->filled;
}

static bool is_usable(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    return may_hold_ends(v, j) && !h->when && !h->measure && !h->weight && !h->graph;
}

static void name_candidate(view *v, int64_t j)
{
    wgdn_edge_ends *const e = v->out;
    for (int i = 0; i < e->candidates; i++)
        if (e->candidate[i] == j) return;
    if (e->candidates < WGDN_END_CANDIDATES) e->candidate[e->candidates++] = j;
}

static bool choose(view *v, int64_t source, int64_t target)
{
    v->out->source = source;
    v->out->target = target;
    return true;
}

/* ---- from and to ---- */

/* How well two columns go together as source and target; 0: not at all. */
static int role_score(const view *v, int64_t i, int64_t j)
{
    const wgdn_heading *s = &v->h[i], *t = &v->h[j];
    int strength = 0;
    if (heading_pair(s, t)) return 200;
    if (s->source && t->target) strength = 3;
    if ((s->source && t->either) || (s->either && t->target)) strength = 2;
    if (s->either && t->either && i < j && strcmp(s->word, t->word) != 0) strength = 1;
    if (!strength) return 0;
    const bool same = strcmp(s->rest, t->rest) == 0 && s->index == t->index;
    return 100 * same + 10 * strength + (int)wgdn_min(s->named, t->named);
}

static bool by_roles(view *v)
{
    int best = 0, ties = 0;
    for (int64_t i = 0; i < v->columns; i++)
        for (int64_t j = 0; j < v->columns; j++) {
            if (i == j || !is_usable(v, i) || !is_usable(v, j)) continue;
            const int score = role_score(v, i, j);
            if (score == 0 || score < best) continue;
            ties = score == best ? ties + 1 : 0;
            if (score > best) {
                best = score;
                v->out->candidates = 0;
                choose(v, i, j);
            }
            name_candidate(v, i);
            name_candidate(v, j);
        }
    v->out->doubt = ties > 0;
    return best > 0;
}

/* ---- author1 and author2 ---- */

static bool follows(char a, char b)
{
    return (a == '0' && b == '1') || (a == '1' && b == '2') || (a == 'a' && b == 'b') ||
           (a == 'i' && b == 'j') || (a == 'x' && b == 'y');
}

static bool is_numbered_as(const view *v, int64_t i, int64_t j)
{
    return v->h[i].index && v->h[j].index && *v->h[i].rest &&
           strcmp(v->h[i].rest, v->h[j].rest) == 0;
}

static bool by_index(view *v)
{
    for (int64_t i = 0; i < v->columns; i++)
        for (int64_t j = 0; j < v->columns; j++) {
            if (i == j || !is_usable(v, i) || !is_usable(v, j) || !is_numbered_as(v, i, j) ||
                !follows(v->h[i].index, v->h[j].index))
                continue;
            choose(v, i, j);
            for (int64_t k = 0; k < v->columns; k++)
                if (is_usable(v, k) && is_numbered_as(v, i, k)) name_candidate(v, k);
            v->out->doubt = v->out->candidates > 2;
            return true;
        }
    return false;
}

/* ---- customers and products ---- */

static bool edge_list_ends_is_kind(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    return is_usable(v, j) && h->kind && !h->record && !h->attribute && !h->source && !h->target;
}

/* The best column of each kind: its number rather than its name. */
static int64_t list_kinds(const view *v, int64_t list[MOST])
{
    int64_t count = 0;
    for (int64_t j = 0; j < v->columns; j++) {
        int64_t k = 0;
        if (!edge_list_ends_is_kind(v, j)) continue;
        while (k < count && v->h[list[k]].kind != v->h[j].kind)
            k++;
        if (k == count)
            list[count++] = j;
        else if (v->h[j].named > v->h[list[k]].named)
            list[k] = j;
    }
    return count;
}

static int64_t only_one_of(const view *v, const int64_t *list, int64_t count, wgdn_kind_group group)
{
    int64_t found = -1;
    for (int64_t k = 0; k < count; k++) {
        if (v->h[list[k]].group != group) continue;
        if (found >= 0) return -1;
        found = list[k];
    }
    return found;
}

static bool by_kinds(view *v)
{
    int64_t list[MOST];
    const int64_t count = list_kinds(v, list);
    if (count < 2) return false;
    if (count == 2) return choose(v, list[0], list[1]);
    const int64_t who = only_one_of(v, list, count, WGDN_PEOPLE);
    const int64_t what = only_one_of(v, list, count, WGDN_GOODS);
    if (who >= 0 && what >= 0) return who < what ? choose(v, who, what) : choose(v, what, who);
    for (int64_t k = 0; k < count; k++)
        name_candidate(v, list[k]);
    v->out->doubt = true;
    return choose(v, list[0], list[1]);
}

/* An order and its products; a user and tags: nothing else may be in the row that could be an end. */
static bool by_kind_and_rest(view *v)
{
    int64_t list[MOST], other = -1;
    if (list_kinds(v, list) != 1) return false;
    for (int64_t j = 0; j < v->columns; j++) {
        if (j == list[0] || !is_usable(v, j) || is_unique(v, j)) continue;
        if (v->h[j].kind == v->h[list[0]].kind) continue; /* its name beside its number */
        if (!v->h[j].record && !v->h[j].attribute) return false;
        if (other >= 0) return false;
        other = j;
    }
    if (other < 0) return false;
    return other < list[0] ? choose(v, other, list[0]) : choose(v, list[0], other);
}

/* ---- an account and its counterparty ---- */

static bool by_one_role(view *v)
{
    int64_t role = -1, partner = -1;
    int best = 0;
    bool tie = false;
    for (int64_t j = 0; j < v->columns; j++) {
        if (!is_usable(v, j) || !(v->h[j].source || v->h[j].target)) continue;
        if (role >= 0) return false;
        role = j;
    }
    if (role < 0) return false;
    for (int64_t j = 0; j < v->columns; j++) {
        const wgdn_heading *h = &v->h[j];
        if (j == role || !is_usable(v, j) || h->record || h->attribute) continue;
        const int score = h->kind || (h->numbered && !h->id) ? 3
                          : h->id                            ? 2
                          : is_unique(v, j)                  ? 0
                                                             : 1;
        tie = score == best ? true : score > best ? false : tie;
        if (score > best) partner = j;
        best = score > best ? score : best;
    }
    if (partner < 0 || tie) return false;
    return v->h[role].source ? choose(v, role, partner) : choose(v, partner, role);
}

/* ---- by values ---- */

static int64_t shared(const view *v, int64_t i, int64_t j)
{
    return v->y->shared && i < WGDN_LOOK_COLUMNS && j < WGDN_LOOK_COLUMNS
               ? v->y->shared[i * WGDN_LOOK_COLUMNS + j]
               : 0;
}

/* A fifth of the different values of one column is in the other, too. */
static bool overlap(const view *v, int64_t i, int64_t j)
{
    const int64_t a = look_of(v, i)->distinct, b = look_of(v, j)->distinct;
    return 5 * shared(v, i, j) >= (a < b ? a : b) && shared(v, i, j) > 1;
}

static bool overlaps_any(const view *v, int64_t i)
{
    for (int64_t j = 0; j < v->columns; j++)
        if (j != i && is_usable(v, j) && overlap(v, i, j)) return true;
    return false;
}

/* pandas writes an index of rows under no name. */
static bool is_index(wgdn_text t)
{
    return t.size == 0 || (t.size > 8 && wgdn_text_is(wgdn_text_of(t.at, 8), "unnamed:"));
}

static bool may_be_end(const view *v, int64_t j)
{
    const wgdn_heading *h = &v->h[j];
    if (!is_usable(v, j) || look_of(v, j)->filled == 0 || h->record || h->attribute || h->id ||
        is_index(v->y->name[j]))
        return false;
    return !look_of(v, j)->times && (!is_unique(v, j) || overlaps_any(v, j));
}

/* Values that recur much more often than those of another column are a category of the row. */
static int64_t drop_categories(const view *v, int64_t *list, int64_t count)
{
    int64_t most = 0, kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (look_of(v, list[k])->distinct > most) most = look_of(v, list[k])->distinct;
    for (int64_t k = 0; k < count; k++) {
        const wgdn_column_look *c = look_of(v, list[k]);
        if (c->filled < ENOUGH || 10 * c->distinct >= c->filled || 5 * c->distinct >= most)
            list[kept++] = list[k];
    }
    return kept;
}

static bool by_overlap(view *v, const int64_t *list, int64_t count)
{
    int64_t pairs = 0, source = -1, target = -1;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a + 1; b < count; b++) {
            if (!overlap(v, list[a], list[b])) continue;
            if (pairs++ > 0) return false;
            source = list[a];
            target = list[b];
        }
    return pairs == 1 && choose(v, source, target);
}

static bool by_text(view *v, const int64_t *list, int64_t count)
{
    int64_t found[2], texts = 0;
    for (int64_t k = 0; k < count; k++) {
        if (look_of(v, list[k])->integers) continue;
        if (texts == 2) return false;
        found[texts++] = list[k];
    }
    return texts == 2 && choose(v, found[0], found[1]);
}

static bool by_values(view *v)
{
    int64_t list[MOST], count = 0;
    for (int64_t j = 0; j < v->columns; j++)
        if (may_be_end(v, j)) list[count++] = j;
    if (count > 2) count = drop_categories(v, list, count);
    if (count == 2) return choose(v, list[0], list[1]);
    if (count > 2 && (by_overlap(v, list, count) || by_text(v, list, count))) return true;
    v->out->doubt = v->y->rows >= WGDN_LOOK_FEW || count < 2;
    for (int64_t k = 0; k < count; k++)
        name_candidate(v, list[k]);
    return count >= 2 && choose(v, list[0], list[1]);
}

/* ---- the decision ---- */

static void open_view(view *v, const wgdn_edge_layout *y, wgdn_edge_ends *out)
{
    v->y = y;
    v->out = out;
    v->columns = y->columns < MOST ? y->columns : MOST;
    for (int64_t j = 0; j < v->columns; j++)
        v->h[j] = heading_of(y->name[j]);
    *out = (wgdn_edge_ends){.source = -1, .target = -1};
}

void wgdn_edge_ends_named(wgdn_edge_ends *out, const wgdn_edge_layout *y)
{
    view v;
    open_view(&v, y, out);
    if (by_roles(&v) || by_index(&v) || by_kinds(&v) || by_one_role(&v) || by_kind_and_rest(&v))
        return;
    if (y->columns == 2)
        (void)choose(&v, 0, 1);
    else
        (void)by_values(&v);
}

/* Words that are headings whatever stands below; else the whole list tells. */
bool wgdn_edge_ends_known(const wgdn_edge_layout *y)
{
    wgdn_edge_ends e;
    view v;
    open_view(&v, y, &e);
    for (int64_t j = 0; j < v.columns; j++)
        if (look_of(&v, j)->names_itself) return false; /* row 1 has a date: it is data */
    if (by_roles(&v)) return true;
    if (by_index(&v))
        return v.h[e.source].kind || v.h[e.source].numbered || y->columns > 2 ||
               strcmp(v.h[e.source].rest, "object") == 0 || strcmp(v.h[e.source].rest, "city") == 0;
    if (!by_kinds(&v)) return false;
    const wgdn_kind_group s = v.h[e.source].group, g = v.h[e.target].group;
    const bool offered =
        (s == WGDN_PEOPLE && g == WGDN_GOODS) || (s == WGDN_GOODS && g == WGDN_PEOPLE);
    return y->columns > 2 || offered || v.h[e.source].numbered || v.h[e.target].numbered ||
           look_of(&v, e.source)->digits || look_of(&v, e.target)->digits;
}

bool wgdn_edge_ends_two_kinds(const wgdn_edge_layout *y, int64_t source, int64_t target)
{
    const wgdn_heading s = heading_of(y->name[source]), t = heading_of(y->name[target]);
    wgdn_edge_ends e;
    view v;
    if (s.source || s.target || t.source || t.target || (s.either && t.either)) return false;
    const bool some = (s.kind || s.record || s.attribute) && (t.kind || t.record || t.attribute);
    if (!some || (!s.kind && !t.kind) || (s.kind == t.kind && s.record == t.record)) return false;
    open_view(&v, y, &e);
    /* Names that are in both columns are the same things: numbers may be so by chance. */
    if (source >= v.columns || target >= v.columns) return true;
    return look_of(&v, source)->integers || look_of(&v, target)->integers ||
           !overlap(&v, source, target);
}

int64_t wgdn_edge_ends_column(const wgdn_edge_layout *y, bool weight)
{
    for (int64_t j = 0; j < y->columns; j++) {
        const wgdn_heading h = heading_of(y->name[j]);
        if (weight ? h.weight : h.graph) return j;
    }
    return -1;
}

void wgdn_edge_ends_placed(wgdn_edge_ends *out, const wgdn_edge_layout *y)
{
    int64_t list[MOST], count = 0, filled = 0; /* no column is filled where there is one row */
    *out = (wgdn_edge_ends){.source = -1, .target = -1};
    for (int64_t j = 0; j < y->columns; j++)
        filled += y->look[j].filled;
    for (int64_t j = 0; j < y->columns && count < MOST; j++) {
        const wgdn_column_look *c = &y->look[j];
        if (!c->dates && !c->amounts && !c->signs && (c->filled > 0 || !filled || y->columns == 2))
            list[count++] = j;
    }
    if (count > 2 && y->look[list[0]].times && !y->look[list[1]].times && !y->look[list[2]].times) {
        memmove(list, list + 1, (size_t)(count - 1) * sizeof *list);
        count--;
    }
    if (count < 2) return;
    out->source = list[0];
    out->target = list[1];
    if (count < 3 || y->columns < 4) return;
    /* A column of different numbers before two of the same sort may count the rows. */
    const wgdn_column_look *a = &y->look[list[0]], *b = &y->look[list[1]], *c = &y->look[list[2]];
    const bool sure = a->filled >= ENOUGH && a->distinct == a->filled && !c->amounts && !c->times;
    out->doubt = sure && b->distinct < b->filled && c->distinct < c->filled &&
                 b->integers == c->integers && 20 * b->distinct >= b->filled &&
                 20 * c->distinct >= c->filled;
    for (int i = 0; out->doubt && i < 3; i++)
        out->candidate[out->candidates++] = list[i];
}
