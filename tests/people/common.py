"""Forty files as people have them: banks, shops, citations, social networks, ratings, sensors, biology; headings in five languages."""

from draw import Draw, File


def files():
    d = Draw(100)
    iban = [d.iban("DE") for _ in range(60)]
    firm = [f"F{i:04d}" for i in range(70)]
    who = [d.name() for _ in range(70)]
    num = range(1, 90)

    def rows(make, count=400):
        return [make(i) for i in range(count)]

    def f(name, head, make, count=400, **more):
        return File(name, head.split("|") if head else None, rows(make, count), headed=bool(head), **more)

    # banks
    yield f("bank_en.csv", "booking_date|debtor_iban|creditor_iban|amount|currency", lambda i: [d.date(), *d.two(iban), d.money(), "EUR"],
            source=1, target=2)
    yield f("bank_swift.csv", "value_date|ordering_account|beneficiary_account|amount", lambda i: [d.date(), *d.two(iban), d.money()],
            source=1, target=2)
    yield f("bank_de.csv", "Valuta;Zahlungspflichtiger;Zahlungsempfänger;Betrag".replace(";", "|"),
            lambda i: [d.date_de(), *d.two(who), d.money_de()], source=1, target=2, sep=";", encoding="latin-1")
    yield f("bank_fr.csv", "date_opération|émetteur|bénéficiaire|montant", lambda i: [d.date_de("/"), *d.two(iban), d.money_de()],
            source=1, target=2, sep=";")
    yield f("bank_es.csv", "fecha|ordenante|beneficiario|importe", lambda i: [d.date(), *d.two(iban), d.money()], source=1, target=2)
    yield f("bank_it.csv", "data|ordinante|beneficiario|importo", lambda i: [d.date_de("/"), *d.two(iban), d.money_de()],
            source=1, target=2, sep=";")
    yield f("bank_names.csv", "From Name|From Account|To Name|To Account|Amount",
            lambda i: (lambda a, b: [who[a], iban[a], who[b], iban[b], d.money()])(*d.two(range(60))), source=1, target=3)
    yield f("bank_counterparty.csv", "account|counterparty|amount", lambda i: [*d.two(iban), d.money()], source=0, target=1)
    yield f("bank_plain.csv", "", lambda i: [d.date(), *d.two(iban), d.money()], source=1, target=2)
    yield f("cards.csv", "tx|customer|merchant|amount", lambda i: [i + 1, d.pick(num), d.pick(range(1, 30)), d.money()],
            source=1, target=2, kinds=2)
    # shops
    yield f("shop_de.csv", "Bestellnummer|Kundennummer|Artikelnummer|Menge", lambda i: [70000 + i, d.pick(num), d.pick(num), d.number(1, 5)],
            source=1, target=2, kinds=2, sep=";")
    yield f("shop_es.csv", "pedido|cliente|producto|precio", lambda i: [i, d.pick(num), d.pick(num), d.money()],
            source=1, target=2, kinds=2)
    yield f("shop_it.csv", "cliente|prodotto|quantità", lambda i: [d.pick(num), d.pick(num), d.number(1, 9)], source=0, target=1, kinds=2)
    yield f("shop_fr.tsv", "id_client|id_produit|quantité", lambda i: [d.pick(num), d.pick(num), d.number(1, 9)],
            source=0, target=1, kinds=2, sep="\t")
    yield f("shop_codes.csv", "customer_id|sku", lambda i: [d.pick(num), f"SKU-{d.pick(num):04d}"], source=0, target=1, kinds=2)
    yield f("baskets.csv", "order_id|product_id|quantity", lambda i: [1 + i // 4, d.pick(num), d.number(1, 4)],
            source=0, target=1, kinds=2)
    yield f("shop_three.csv", "customer|product|supplier|store", lambda i: [d.pick(num), d.pick(num), d.pick(num), d.pick(range(9, 40))],
            source=0, target=1, kinds=2)
    yield f("doctors_three.csv", "patient|doctor|hospital", lambda i: [d.pick(num), d.pick(num), d.pick(num)],
            ask=["doctor", "hospital"])
    # citations and social networks
    yield f("citations.csv", "citing_paper|cited_paper|year", lambda i: [*d.two(range(1000, 1200)), d.number(1990, 2020)],
            source=0, target=1)
    yield f("snap.txt", "", lambda i: [*d.two(num)], source=0, target=1, sep="\t")
    yield f("snap_times.txt", "", lambda i: [*d.two(num), d.seconds()], source=0, target=1, sep=" ")
    yield f("milliseconds.txt", "", lambda i: [*d.two(num), d.milliseconds()], source=0, target=1, sep=" ")
    yield f("weights.txt", "", lambda i: [*d.two(num), f"{d.real(0.1, 2):.3f}"], source=0, target=1, weight=2, sep=" ")
    yield f("ones.csv", "source|target|weight", lambda i: [*d.two(num), 1], source=0, target=1, weight=2)
    yield f("followers_de.csv", "Absender|Empfänger|Datum", lambda i: [*d.two(who), d.date_de()], source=0, target=1, sep=";")
    yield f("mails_fr.csv", "expéditeur|destinataire|objet", lambda i: [*d.two(who), d.pick(["bonjour", "facture"])],
            source=0, target=1, quote=True)
    yield f("calls_es.csv", "llamante|llamado|duracion", lambda i: [*d.two(who), d.number(1, 900)], source=0, target=1)
    yield f("friends.csv", "user_id|friend_id", lambda i: [*d.two(num)], source=0, target=1)
    yield f("missing.csv", "source|target", lambda i: d.pick([[*d.two(who)], [*d.two(who)], [d.pick(who), "NA"], ["", d.pick(who)]]),
            source=0, target=1)
    yield File("two_months.csv", ["sender", "receiver", "weight"], rows(lambda i: [*d.two(who), d.number(1, 9)]),
               weight=2, extra={200: "sender,receiver,weight"})
    yield f("nan_weights.csv", "from|to|weight", lambda i: [*d.two(who), d.pick([d.number(1, 9), d.number(1, 9), "NaN", ""])],
            source=0, target=1, weight=2)
    # ratings
    yield f("ratings.csv", "user|item|rating", lambda i: [d.pick(num), d.pick(num), d.number(1, 5)], source=0, target=1, kinds=2)
    yield f("movielens.csv.gz", "userId|movieId|rating|timestamp", lambda i: [d.pick(num), d.pick(num), d.number(1, 5), d.seconds()],
            source=0, target=1, kinds=2)
    yield f("books_de.csv", "Benutzer|Buch|Bewertung", lambda i: [d.pick(num), d.pick(num), d.number(1, 10)],
            source=0, target=1, kinds=2, sep=";", bom=True)
    yield f("authors.csv", "author|paper", lambda i: [d.pick(who), f"P{d.pick(num)}"], source=0, target=1, kinds=2)
    # sensors, networks, biology
    yield f("netflow.csv", "ts|src_ip|dst_ip|bytes", lambda i: [d.stamp(), *[f"10.0.0.{x}" for x in d.two(num)], d.number(40, 9000)],
            source=1, target=2)
    yield f("sensors.csv", "sensor1|sensor2|distance", lambda i: [*d.two([f"S{x}" for x in num]), f"{d.real(1, 90):.2f}"],
            source=0, target=1)
    yield f("genes.tsv", "gene_a|gene_b|score", lambda i: [*d.two([f"G{x}" for x in num]), f"{d.real(0, 1):.3f}"],
            source=0, target=1, sep="\t")
    yield f("diseases.csv", "gene|disease|pmid_count", lambda i: [f"G{d.pick(num)}", f"D{d.pick(num)}", d.number(1, 40)],
            source=0, target=1, kinds=2)
    yield f("table_of_nodes.csv", "id|age|income|opened", lambda i: [i, d.number(18, 90), d.money(), d.date()], 60, ask=["age"])
