#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn cora.npz (CSR parts adj_*, attr_*) into the text extract cora.txt.

    make_cora.py path/to/cora.npz > cora.txt

Lines that start with # are comments. Then one line "nodes features", and one line per node: its
neighbours of a higher number, a bar, and the columns of its features, all of which are 1.
"""
import sys

import numpy

data = numpy.load(sys.argv[1])
nodes, features = (int(v) for v in data["attr_shape"])


def row(name, i):
    start, end = data[name + "_indptr"][i:i + 2]
    if not (data[name + "_data"][start:end] == 1).all():
        sys.exit(f"row {i} of {name}: an entry is not 1")
    return sorted(int(v) for v in data[name + "_indices"][start:end])


data = {key: data[key] for key in data.files}
print("# Cora citation network, from the Planetoid distribution (MIT licence); see make_cora.py.")
print(nodes, features)
for i in range(nodes):
    higher = [str(j) for j in row("adj", i) if j > i]
    print(" ".join(higher + ["|"] + [str(j) for j in row("attr", i)]))
