#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Embeddings in LanceDB: a table on disk, searched with a condition on another column.

    python vector_lancedb.py       # needs lancedb
"""
import tempfile
from typing import Any

import lancedb
import numpy as np
import wgdn
from sample import read_papers

data = read_papers()
papers = wgdn.Embedding(wgdn.embed(data), [f"paper {i}" for i in range(data.nodes)])
asked = [f"paper {i}" for i in range(0, data.nodes, 100)]
expected = wgdn.similar(papers, asked, k=10).ids

with tempfile.TemporaryDirectory() as folder:
    table = lancedb.connect(folder).create_table(
        "papers", papers.to_arrow().append_column("topic", [np.asarray(data.y)]))
    agree = 0
    for name, right in zip(asked, expected):
        query: Any = table.search(papers[name])
        found = query.distance_type("cosine").where(f"id != '{name}'", prefilter=True).limit(10).to_list()
        agree += len({row["id"] for row in found} & set(right))
    query = table.search(papers["paper 0"])
    for row in query.distance_type("cosine").where("topic = 4", prefilter=True).limit(3).to_list():
        print(row["id"], row["topic"], round(1 - row["_distance"], 3))
    print(f"neighbors as those of wgdn.similar: {agree} of {10 * len(asked)}")
    print(f"vectors: {table.count_rows()}")
