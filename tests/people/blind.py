"""Twenty files written from a description of the business alone, before the author had seen how the reader chooses columns."""

from draw import Draw, File


def files():
    yield bank_transfers()
    yield order_lines()
    yield till_receipts()
    yield library_loans()
    yield patents()
    yield followers()
    yield phone_calls()
    yield sensor_pairs()
    yield proteins()
    yield drugs()
    yield flights()
    yield mail_log()
    yield power_lines()
    yield invoices()
    yield hospital_visits()
    yield bicycle_rides()
    yield trades()
    yield suppliers()
    yield customers_alone()
    yield papers_with_three_authors()


def bank_transfers():
    """A German savings bank exports a month of transfers from its accounting system, which writes for Excel."""
    d = Draw(1)
    accounts = [d.iban("DE") for _ in range(90)]
    rows = [[d.date_de(), *d.two(accounts), d.money_de(), "EUR", d.pick(["Miete", "Gehalt", "Rechnung 4711", "Danke; bis bald"])]
            for _ in range(500)]
    return File("bank_transfers.csv", ["Buchungstag", "Auftraggeber IBAN", "Empfänger IBAN", "Betrag", "Währung", "Verwendungszweck"],
                rows, source=1, target=2, sep=";", bom=True, line_end="\r\n")


def order_lines():
    """A web shop exports its order lines; numbers of customers and of products both start at 1."""
    d = Draw(2)
    rows, order = [], 50000
    for _ in range(260):
        order += d.number(1, 3)
        customer, day = d.number(1, 120), d.date()
        for product in d.some(range(1, 80), d.number(1, 4)):
            rows.append([order, day, customer, product, d.number(1, 5), d.money()])
    return File("order_lines.csv", ["order_id", "order_date", "customer_id", "product_id", "quantity", "unit_price"], rows,
                source=2, target=3, kinds=2)


def till_receipts():
    """A French chain of pharmacies lists which loyalty card bought which article, with the amount in euros."""
    d = Draw(3)
    rows = [[d.date_de("/"), d.number(1, 150), d.number(1, 90), d.money_de()] for _ in range(600)]
    return File("till_receipts.csv", ["date_achat", "client", "article", "montant"], rows, source=1, target=2, kinds=2, sep=";")


def library_loans():
    """A public library in Spain lists its loans: reader, book, when borrowed and when returned."""
    d = Draw(4)
    readers, books = [d.name() for _ in range(80)], [f"978{d.number(10**9, 10**10 - 1)}" for _ in range(100)]
    rows = [[d.date(), d.pick(readers), d.pick(books), d.pick([d.date(), ""])] for _ in range(400)]
    return File("library_loans.csv", ["fecha_prestamo", "lector", "libro", "fecha_devolucion"], rows, source=1, target=2, kinds=2)


def patents():
    """A patent office publishes which patent cites which; numbers have seven digits and a cited patent is older."""
    d = Draw(5)
    pairs = sorted({(max(a, b), min(a, b)) for a, b in (d.two(range(3858241, 3858541)) for _ in range(700))})
    return File("patents.csv", ["CITING", "CITED"], [list(p) for p in pairs], source=0, target=1)


def followers():
    """A social network exports who follows whom since when."""
    d = Draw(6)
    rows = [[*d.two(range(1, 200)), d.stamp()] for _ in range(800)]
    return File("followers.csv", ["follower_id", "followee_id", "followed_at"], rows, source=0, target=1)


def phone_calls():
    """A telephone company hands out call records: start, calling and called number, duration in seconds, cell."""
    d = Draw(7)
    numbers = [f"+4917{d.number(10**8, 10**9 - 1)}" for _ in range(120)]
    rows = [[d.stamp(), *d.two(numbers), d.number(1, 3000), f"cell-{d.number(1, 30)}"] for _ in range(500)]
    return File("phone_calls.csv", ["call_start", "caller", "callee", "duration_s", "cell"], rows, source=1, target=2)


def sensor_pairs():
    """A plant logs hourly correlations between pairs of its sensors."""
    d = Draw(8)
    sensors = [f"TT-{i:03d}" for i in range(60)]
    rows = [[d.stamp(), *d.two(sensors), f"{d.real(0.01, 1):.4f}"] for _ in range(500)]
    return File("sensor_pairs.csv", ["timestamp", "sensor_a", "sensor_b", "correlation"], rows, source=1, target=2)


def proteins():
    """A biology data base publishes pairs of proteins with a score, separated by blanks."""
    d = Draw(9)
    names = [f"9606.ENSP{d.number(0, 10**6):011d}" for _ in range(100)]
    rows = [[*p, d.number(150, 999)] for p in sorted({d.two(names) for _ in range(400)})]
    return File("proteins.txt", ["protein1", "protein2", "combined_score"], rows, source=0, target=1, sep=" ")


def drugs():
    """A pharmacologist collects which drug binds which gene's product, and how strongly."""
    d = Draw(10)
    rows = [[f"DB{d.number(1, 60):05d}", d.pick(["EGFR", "ABL1", "KIT", "JAK2", "DRD2", "HTR2A", "ACHE", "MAOB"]), f"{d.real(1, 900):.1f}"]
            for _ in range(300)]
    return File("drugs.tsv", ["drug", "gene", "affinity_nM"], rows, source=0, target=1, kinds=2, sep="\t")


def flights():
    """An airline alliance lists its routes; the headings contain blanks."""
    d = Draw(11)
    airports = sorted({"".join(d.pick("ABCDEFGHIKLMNOPRST") for _ in range(3)) for _ in range(50)})
    rows = [[d.pick(["LH", "BA", "AF", "IB", "AZ"]), *d.two(airports), d.number(0, 1), d.pick(["320", "738", "77W"])] for _ in range(300)]
    return File("flights.csv", ["Airline", "Source airport", "Destination airport", "Stops", "Equipment"], rows, source=1, target=2)


def mail_log():
    """A mail server writes one line per message, with a unique message id, everything quoted."""
    d = Draw(12)
    people = [f"{d.name().lower()}@example.org" for _ in range(70)]
    rows = [[f"<{d.number(10**11, 10**12)}.{i}@mx>", d.stamp(), *d.two(people), d.number(300, 90000)] for i in range(400)]
    return File("mail_log.csv", ["message_id", "date", "from", "to", "bytes"], rows, source=2, target=3, quote=True)


def power_lines():
    """A grid operator lists its lines: number of the line, the two buses, resistance and reactance."""
    d = Draw(13)
    rows = [[i + 1, *d.two(range(1, 119)), f"{d.real(0.001, 0.2):.5f}", f"{d.real(0.01, 0.9):.5f}"] for i in range(186)]
    return File("power_lines.csv", ["line_id", "from_bus", "to_bus", "r_pu", "x_pu"], rows, source=1, target=2)


def invoices():
    """A Brazilian tax office lists invoices between companies: number of the invoice, issuer, recipient, value."""
    d = Draw(14)
    firms = [f"{d.number(10, 99)}.{d.number(100, 999)}.{d.number(100, 999)}/0001-{d.number(10, 99)}" for _ in range(90)]
    rows = [[100000 + 7 * i, *d.two(firms), d.money_de()] for i in range(450)]
    return File("invoices.csv", ["nota_fiscal", "cnpj_emissor", "cnpj_destinatario", "valor"], rows, source=1, target=2, sep=";")


def hospital_visits():
    """A hospital counts who was seen by whom; both are numbered by the staff system and by the register, from 1."""
    d = Draw(15)
    rows = [[d.number(1, 300), d.number(1, 40), d.date()] for _ in range(700)]
    return File("hospital_visits.csv", ["patient_id", "doctor_id", "visit_date"], rows, source=0, target=1, kinds=2)


def bicycle_rides():
    """A bicycle rental publishes its rides, with stations at both ends."""
    d = Draw(16)
    rows = [[d.hex(16), d.stamp(), d.stamp(), d.number(1, 70), d.number(1, 70), d.pick(["member", "casual"])] for _ in range(600)]
    return File("bicycle_rides.csv", ["ride_id", "started_at", "ended_at", "start_station_id", "end_station_id", "member_casual"], rows,
                source=3, target=4)


def trades():
    """An exchange reports trades: number, time in milliseconds, buyer, seller, price and volume."""
    d = Draw(17)
    members = [f"M{i:03d}" for i in range(60)]
    rows = [[900000 + i, d.milliseconds(), *d.two(members), d.money(), d.number(1, 100)] for i in range(500)]
    return File("trades.csv", ["trade_no", "ts", "buyer", "seller", "price", "volume"], rows, source=2, target=3)


def suppliers():
    """An Italian consortium of companies records who supplies whom per year."""
    d = Draw(18)
    firms = [f"IT{d.number(10**10, 10**11 - 1)}" for _ in range(80)]
    rows = [[d.number(2015, 2024), *d.two(firms), d.money_de()] for _ in range(400)]
    return File("suppliers.csv", ["anno", "fornitore", "acquirente", "fatturato"], rows, source=1, target=2, sep=";")


def customers_alone():
    """Somebody passes the table of customers where the edges belong: one row a person, no pair in it."""
    d = Draw(19)
    rows = [[d.iban("DE"), d.number(18, 90), d.money(), d.date()] for _ in range(200)]
    return File("customers_alone.csv", ["iban", "age", "balance", "opened"], rows, ask=["iban"])


def papers_with_three_authors():
    """A department lists its papers with their first three authors: three columns of people, no two of which are the edge."""
    d = Draw(20)
    people = [d.name() for _ in range(60)]
    rows = [[d.number(1990, 2024), *d.some(people, 3)] for _ in range(300)]
    return File("papers_with_three_authors.csv", ["year", "author1", "author2", "author3"], rows, ask=["author1", "author2", "author3"])
