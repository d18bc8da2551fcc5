#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in PostgreSQL as a vector column (pgvector): copied as they lie in memory, neighbors by SQL.

    python vector_pgvector.py      # needs pgserver, which brings both, and psycopg
    python vector_pgvector.py postgresql://user@host/base
"""
import struct
import sys
import tempfile

import numpy as np
import psycopg
import wgdn
from psycopg import sql
from sample import read_papers

data = read_papers()
labels = np.asarray(data.y)
names = [f"paper {i}" for i in range(data.nodes)]
papers = wgdn.Embedding(wgdn.embed(data), names)

NEAR = """
    select other.id, 1 - (one.vector <=> other.vector) as score
    from papers one, papers other
    where one.id = %(id)s and other.id <> one.id and (%(topic)s::int is null or other.topic = %(topic)s)
    order by one.vector <=> other.vector limit 10
"""


def fill(base: "psycopg.Connection[tuple[object, ...]]") -> None:
    """A table of ids, labels and vectors by COPY in binary: no number becomes text on its way."""
    base.execute("create extension if not exists vector")
    base.execute(sql.SQL("create temporary table papers (id text primary key, topic int, vector vector({}))")
                 .format(papers.dim))
    head = struct.pack(">HH", papers.dim, 0)
    rows = np.asarray(papers.values, dtype=">f4")
    with base.cursor().copy("copy papers from stdin (format binary)") as out:
        out.set_types(["text", "int4", "bytea"])
        for name, topic, row in zip(names, labels.tolist(), rows):
            out.write_row((name, topic, head + row.tobytes()))


def compare(base: "psycopg.Connection[tuple[object, ...]]") -> None:
    asked = names[::100]
    agree = 0
    for name, expected in zip(asked, wgdn.similar(papers, asked, k=10).ids):
        found = base.execute(NEAR, {"id": name, "topic": None}).fetchall()
        agree += len({row[0] for row in found} & set(expected))
    for row in base.execute(NEAR, {"id": "paper 0", "topic": 4}).fetchmany(3):
        print(*row)
    print("vectors:", *base.execute("select count(*) from papers").fetchone() or ())
    print(f"neighbors as those of wgdn.similar: {agree} of {10 * len(asked)}")
    base.execute("create index on papers using hnsw (vector vector_cosine_ops)")
    plan = base.execute("explain select id from papers order by vector <=> %s::vector limit 10",
                        [str(papers.values[0].tolist())]).fetchall()
    print(f"by index: {int('Index Scan' in str(plan))} of 1")


def ask(address: str) -> None:
    with psycopg.connect(address) as base:
        fill(base)
        compare(base)


if sys.argv[1:]:
    ask(sys.argv[1])
else:
    from pgserver.postgres_server import get_server  # PostgreSQL and pgvector in a wheel
    with tempfile.TemporaryDirectory() as folder, get_server(folder) as server:
        ask(server.get_uri())
