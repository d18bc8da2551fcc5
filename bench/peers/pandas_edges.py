# SPDX-License-Identifier: Apache-2.0
"""pandas_edges.py FILE: milliseconds for pandas and scipy to load an edge list into symmetric rows."""
import json
import sys
import time

import numpy as np
import pandas as pd
import scipy.sparse as sp

start = time.perf_counter()
table = pd.read_csv(sys.argv[1], sep="\t", header=None)
if pd.api.types.is_integer_dtype(table[0].dtype):
    u, v = table[0].to_numpy(), table[1].to_numpy()
    n = int(max(u.max(), v.max())) + 1
else:
    codes, names = pd.factorize(pd.concat([table[0], table[1]], ignore_index=True))
    u, v, n = codes[: len(table)], codes[len(table) :], len(names)
keep = u != v
u, v = u[keep], v[keep]
rows = sp.coo_matrix((np.ones(len(u), np.float32), (u, v)), shape=(n, n)).tocsr()
rows = (rows + rows.T).tocsr()
rows.sum_duplicates()
rows.data[:] = 1
ms = (time.perf_counter() - start) * 1e3
print(json.dumps({"ms": round(ms, 1), "nodes": n, "edges": rows.nnz // 2}))
