"""Draws the values of the files of tests/people, and writes a file with what a reader should find in it."""

import gzip
import random

MISSING = {"", "NA", "N/A", "NULL", "NaN", "None"}


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, items):
        return self.r.choice(list(items))

    def some(self, items, count):
        return self.r.sample(list(items), count)

    def two(self, items):
        """Two different ones, few of them often: graphs of people have hubs."""
        items = list(items)
        a = items[int(len(items) * self.r.random() ** 1.5)]
        b = a
        while b == a:
            b = self.pick(items)
        return a, b

    def number(self, low, high):
        return self.r.randint(low, high)

    def real(self, low, high):
        return self.r.uniform(low, high)

    def hex(self, length):
        return f"{self.r.getrandbits(4 * length):0{length}X}"

    def iban(self, country):
        return country + str(self.number(10**19, 10**20 - 1))

    def name(self):
        part = lambda n: "".join(self.pick("bdfgklmnprst") + self.pick("aeiou") for _ in range(n)).capitalize()
        return part(2) + part(3)

    def date(self):
        return f"2024-{self.number(1, 12):02d}-{self.number(1, 28):02d}"

    def date_de(self, sep="."):
        return f"{self.number(1, 28):02d}{sep}{self.number(1, 12):02d}{sep}2024"

    def stamp(self):
        return f"{self.date()} {self.number(0, 23):02d}:{self.number(0, 59):02d}:{self.number(0, 59):02d}"

    def seconds(self):
        return self.number(1577836800, 1704067200)

    def milliseconds(self):
        return 1000 * self.seconds() + self.number(0, 999)

    def money(self):
        return f"{self.real(1, 5000):.2f}"

    def money_de(self):
        whole, cents = f"{self.real(1, 5000):,.2f}".replace(",", ".").rsplit(".", 1)
        return f"{whole},{cents}"


class File:
    """A file as people have it, and what is in it: source, target, weight as columns from 0; ask: it has to be refused, naming these."""

    def __init__(self, name, head, rows, source=0, target=1, weight=None, kinds=1, ask=None, sep=",", bom=False, line_end="\n",
                 quote=False, headed=True, encoding="utf-8", extra=()):
        self.name, self.head, self.rows = name, head, [[str(c) for c in r] for r in rows]
        self.source, self.target, self.weight, self.kinds, self.ask = source, target, weight, kinds, ask
        self.sep, self.bom, self.line_end, self.quote, self.headed, self.encoding = sep, bom, line_end, quote, headed, encoding
        self.extra = dict(extra)  # row number -> raw line put before that row, as a header row in the middle

    def cell(self, text):
        if self.quote or self.sep in text or '"' in text:
            return '"' + text.replace('"', '""') + '"'
        return text

    def write(self, folder):
        lines = [self.sep.join(self.cell(c) for c in self.head)] if self.headed else []
        for i, row in enumerate(self.rows):
            if i in self.extra:
                lines.append(self.extra[i])
            lines.append(self.sep.join(self.cell(c) for c in row))
        data = (self.line_end.join(lines) + self.line_end).encode(self.encoding)
        if self.bom:
            data = b"\xef\xbb\xbf" + data
        with (gzip.open if self.name.endswith(".gz") else open)(folder / self.name, "wb") as f:
            f.write(data)

    def names(self):
        """What stands before ids of two kinds, if an id is in both columns."""
        sources = {r[self.source] for r in self.rows}
        targets = {r[self.target] for r in self.rows}
        if self.kinds == 1 or not sources & targets:
            return "", ""
        return self.head[self.source] + ":", self.head[self.target] + ":"

    def edges(self):
        """The graph in the file: pairs of names and their weights, undirected, without loops; None: it has to be refused."""
        if self.ask:
            return None
        edges, (before_u, before_v) = {}, self.names()
        for row in self.rows:
            u, v = row[self.source], row[self.target]
            weight = 1.0 if self.weight is None else number(row[self.weight])
            if u in MISSING or v in MISSING or weight is None:
                continue
            pair = frozenset((before_u + u, before_v + v))
            if len(pair) == 2:
                edges[pair] = edges.get(pair, 0) + weight if self.weight is not None else 1.0
        return edges


def number(text):
    if text in MISSING:
        return None
    if "," in text:
        text = text.replace(".", "").replace(",", ".")
    return float(text)
