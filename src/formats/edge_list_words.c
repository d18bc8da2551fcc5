/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headings of edge lists, word by word. A heading is cut into words where its letters change case or
 * something else stands between them; compounds such as kundennummer and userid are cut into two words
 * that are known. Accents do not count.
 */
#include "edge_list_words.h"

#include <stdio.h>
#include <string.h>

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
     "lender "
     "originator remitter initiator ordering referrer predecessor upstream donor parent head "
     "quelle von absender auftraggeber zahler zahlungspflichtiger schuldner debitor anrufer "
     "vorganger "
     "vorgaenger zitierend zitierende expediteur emetteur depart debiteur payeur appelant citant "
     "suiveur "
     "donneur remitente emisor ordenante pagador deudor llamante seguidor citante origen fuente "
     "padre "
     "mittente ordinante pagatore debitore chiamante partenza sorgente origine origem remetente "
     "emissor "
     "emitente devedor afzender bron betaler van "},
    {TARGET,
     " target dst dest to receiver recipient end destination creditor payee callee called cited "
     "followee "
     "followed borrower beneficiary responder referred successor downstream child tail "
     "counterparty friend neighbor neighbour nachbar "
     "follows cites depends dependency ziel nach empfanger empfaenger begunstigter beguenstigter "
     "zahlungsempfanger zahlungsempfaenger glaubiger glaeubiger kreditor angerufener nachfolger "
     "gegenkonto "
     "zitiert zitierte cible destinataire beneficiaire recepteur arrivee crediteur creancier "
     "appele cite "
     "suivi enfant contrepartie destino destinatario receptor beneficiario acreedor llamado "
     "seguido citado "
     "hijo contraparte destinazione creditore chiamato arrivo citato figlio controparte recebedor "
     "credor "
     "ontvanger doel naar "},
    {EITHER, " buyer seller purchaser kaufer kaeufer verkaufer verkaeufer acheteur vendeur "
             "comprador vendedor "
             "acquirente venditore koper verkoper supplier vendor lieferant abnehmer fournisseur "
             "proveedor fornitore "
             "fornecedor leverancier "},
    {ACCOUNTED, " debit credit soll haben "},
    {WHEN, " date datum fecha data time timestamp datetime ts zeit zeitpunkt zeitstempel uhrzeit "
           "heure hora ora tijd "
           "year jahr annee ano anno jaar month monat mois mes mese day jour dia giorno week at "
           "since seit created "
           "updated buchungstag buchungsdatum valuta wertstellung datetimeutc epoch "},
    {MEASURE, " amount betrag montant importe importo valor value wert valeur valore price preis "
              "prix precio prezzo "
              "preco prijs cost kosten quantity qty menge quantite cantidad quantita quantidade "
              "anzahl count counts "
              "sum summe total rating ratings score scores bewertung stars sterne points punkte "
              "age alter edad eta "
              "idade balance saldo solde duration dauer duree duracion durata duracao seconds "
              "sekunden minutes bytes "
              "size length distance distanz entfernung distancia distanza weight weights gewicht "
              "poids peso rank "
              "probability correlation korrelation lat lon lng latitude longitude stops volume "
              "umsatz revenue "
              "fatturato salary height affinity strength rate percent pct limit menges packets "
              "income kilometers km "
              "evalue pvalue confidence similarity minuten dauersekunden ohm rounds "},
    {RECORD, " tx txn trans transaction transactions transaktion transaktions transaccion "
             "transazione transacao order "
             "orders bestellung bestell auftrag commande pedido ordine encomenda invoice rechnung "
             "rechnungs facture "
             "factura fattura fatura nota fiscal trade ride trip fahrt message msg nachricht line "
             "row record buchung "
             "buchungs booking beleg receipt ticket session sitzung payment zahlung zahlungs "
             "paiement pago pagamento "
             "edge kante edges uuid guid hash reference ref referenz call anruf visit loan index "
             "operation operacion "
             "operazione operacao mouvement movimiento movimento "},
    {ATTRIBUTE, " category kategorie categorie categoria genre genero genere brand marke marque "
                "marca country land "
                "pays pais paese city stadt ville ciudad citta cidade region currency wahrung "
                "waehrung devise moneda "
                "moeda type typ tipo kind status state channel kanal canal department abteilung "
                "role rolle rol ruolo "
                "gender sex language sprache label labels class klasse relation comment text note "
                "notiz description "
                "verwendungszweck zweck betreff beschreibung libelle concepto causale descricao "
                "purpose subject cell "
                "airline equipment unit einheit tag tags version segment outcome ergebnis esito "
                "resultat resultado "
                "motif memo reason verdict platform "},
    {IDENTIFIER, " id ids no nr num number nummer numero code codigo codice key iban bic uid cnpj "
                 "cpf nif vat siren "
                 "siret account accounts acct konto kontonummer compte cuenta conto conta rekening "
                 "email mail ip address "
                 "adresse phone telefon node nodeid vertex entity identifiant kennung "},
    {NAME, " name nom nombre nome namen naam names title "},
    {PEOPLE, " user users usuario usuarios utilisateur utente benutzer nutzer utilizador gebruiker "
             "userid "},
    {PEOPLE, " customer customers client clients cust kunde kunden kundin cliente clientes klant "
             "shopper consumer "
             "household haushalt "},
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
    {PLACES, " company companies firma unternehmen entreprise societe empresa azienda organisation "
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

wgdn_heading wgdn_heading_of(wgdn_text t)
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

bool wgdn_heading_pair(const wgdn_heading *source, const wgdn_heading *target)
{
    static const char *const pairs[][2] = {
        {"u", "v"},     {"i", "j"},    {"de", "a"},   {"da", "a"},           {"de", "para"},
        {"de", "vers"}, {"von", "an"}, {"von", "zu"}, {"subject", "object"}, {"desde", "hasta"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(source->whole, pairs[i][0]) == 0 && strcmp(target->whole, pairs[i][1]) == 0)
            return true;
    return false;
}
