#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parquet -> DuckDB -> wgdn -> Parquet: purchases by day become vectors of products, which SQL joins to their names.

    examples/pipelines/parquet.py         # needs the Python packages wgdn, duckdb and pyarrow
"""
import tempfile
from pathlib import Path

import duckdb
import wgdn

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    base = duckdb.connect()

    # What a shop has: a folder of Parquet files by day, and products with names. 3000 customers buy nine times
    # of ten what belongs to one of six hobbies.
    base.execute("select setseed(0.25)")
    base.execute(f"""
        copy (select 'c' || c as customer, 'p' || case when random() < 0.9 then c % 6 + 6 * floor(random() * 50)::int
                                                       else floor(random() * 300)::int end as product,
                     date '2026-01-01' + (i % 5)::int as day
              from (select i, i % 3000 as c from range(60000) as t(i)))
        to '{folder}/purchases' (format parquet, partition_by (day))""")
    base.execute(f"""
        copy (select 'p' || p as id, 'hobby ' || p % 6 || ', article ' || p // 6 as name from range(300) as t(p))
        to '{folder}/products.parquet' (format parquet)""")

    # Products that the same customers buy, by the number of them; pairs of one customer say nothing.
    purchases = f"read_parquet('{folder}/purchases/*/*.parquet', hive_partitioning = true)"
    (rows, days), = base.execute(f"select count(*), count(distinct day) from {purchases}").fetchall()
    edges = base.sql(f"""
        with one as (select distinct customer, product from {purchases})
        select a.product as source, b.product as target, count(*) as weight
        from one a join one b on a.customer = b.customer and a.product < b.product
        group by all having count(*) > 1 order by all""")
    (pairs,), = base.execute("select count(*) from edges").fetchall()

    # DuckDB's result goes into wgdn, vectors leave as Parquet.
    edges.to_parquet(f"{folder}/edges.parquet")
    model = wgdn.FilterEmbedding(dim=32)
    model.fit(f"{folder}/edges.parquet")
    vectors = model.embed(f"{folder}/edges.parquet")
    vectors.to_parquet(folder / "vectors.parquet")

    # SQL over the three files: for each product the five that are most like it, by name.
    near = base.execute(f"""
        with v as (select p.id, p.name, v.vector::float[32] as vector
                   from read_parquet('{folder}/vectors.parquet') v join read_parquet('{folder}/products.parquet') p using (id))
        select one.name, other.name, other.id, one.id
        from v one join v other on one.id <> other.id
        qualify row_number() over (partition by one.id order by
            array_cosine_similarity(one.vector, other.vector) desc) <= 5""").fetchall()
    same = sum(a.split(",")[0] == b.split(",")[0] for a, b, _, _ in near)
    own = wgdn.similar(vectors, list(vectors.ids), k=5).ids
    exact = {(a, b) for a, found in zip(vectors.ids, own) for b in found}
    agree = len(exact & {(a, b) for _, _, b, a in near})

    print(f"parquet: {rows} purchases of {days} days, {pairs} pairs, {len(vectors)} vectors; "
          f"neighbors of wgdn's {len(exact)}: {agree} in SQL; {same} of the same hobby")
    assert rows == 60000 and days == 5 and len(vectors) == 300 and len(near) == 1500
    assert agree >= 0.999 * len(exact) and same >= 0.9 * len(near)
