#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in DuckDB as an array column: neighbors, with conditions, in SQL.

    python vector_duckdb.py        # needs duckdb and pyarrow
"""

import duckdb
import numpy as np
import wgdn
from sample import read_papers

data = read_papers()
papers = wgdn.Embedding(wgdn.embed(data), [f"paper {i}" for i in range(data.nodes)])

base = duckdb.connect()
table = papers.to_arrow().append_column("topic", [np.asarray(data.y)])
base.register("papers_in_memory", table)
base.execute(f"""create table papers as
    select id, topic, vector::float[{papers.dim}] as vector from papers_in_memory""")

NEAR = """
    select other.id, array_cosine_similarity(one.vector, other.vector) as score
    from papers one, papers other
    where one.id = $id and other.id <> one.id and ($topic is null or other.topic = $topic)
    order by score desc limit 10
"""
asked = [f"paper {i}" for i in range(0, data.nodes, 100)]
agree = 0
for name, expected in zip(asked, wgdn.similar(papers, asked, k=10).ids):
    found = base.execute(NEAR, {"id": name, "topic": None}).fetchall()
    agree += len({row[0] for row in found} & set(expected))
print(base.execute(NEAR, {"id": "paper 0", "topic": 4}).fetchdf().head(3).to_string(index=False))

(count,), = base.execute("select count(*) from papers").fetchall()
print(f"vectors: {count}")
print(f"neighbors as those of wgdn.similar: {agree} of {10 * len(asked)}")
