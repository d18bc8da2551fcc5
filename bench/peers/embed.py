# SPDX-License-Identifier: Apache-2.0
"""embed.py SET PEER VECTORS [--dim N] [--threads N] [--seed N]: one peer on one set, measured.

Writes npz with `embedding` and `ids`, which `wgdn eval` reads, and prints one line of JSON last: dim, wall
and cpu (user and system) in seconds from the arrays in memory to the vectors, the same for reading
the file (read_cpu), which is our loader's work and not the peer's, the peak of resident memory of the process
in MB, imports and data included, and the peer's version. Imports are done before the clock starts.
"""
import argparse
import importlib
import importlib.metadata
import json
import os
import resource
import time

import numpy as np

import sets

PEERS = {  # module, function, package
    "svd": ("svd", "embed", "scikit-learn"),
    "svd-features": ("svd", "embed_features", "scikit-learn"),
    "prone": ("prone", "embed", "scipy"),
    "cleora": ("cleora", "embed", "pycleora"),
    "cleora-features": ("cleora", "embed_features", "pycleora"),
    "pecanpy": ("node2vec", "embed", "pecanpy"),
    "dgi": ("dgi", "embed", "torch_geometric"),
    "wgdn-train": ("trained", "embed", None),
}


def peak_mb():
    """The most memory that was resident, in MB, here or in a program that was run from here."""
    with open("/proc/self/status") as f:
        own = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def cpu_seconds():
    return sum(os.times()[:4])   # user and system, children's too


def version(module, package):
    return f"{package} {importlib.metadata.version(package)}" if package else module.version()


def write(file, vectors, ids):
    """A complete file or none."""
    partial = f"{file}.partial"
    with open(partial, "wb") as f:
        np.savez(f, embedding=np.ascontiguousarray(vectors, np.float32), ids=ids)
    os.replace(partial, file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("set", choices=sets.SETS)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("vectors")
    for option, default in (("--dim", 256), ("--threads", 2), ("--seed", 1)):
        parser.add_argument(option, type=int, default=default)
    args = parser.parse_args()
    module, function, package = PEERS[args.peer]
    module = importlib.import_module(module)
    peer = getattr(module, function)

    read = cpu_seconds()
    data = sets.load(args.set)
    wall, cpu = time.perf_counter(), cpu_seconds()
    vectors = peer(data, args.dim, args.threads, args.seed)
    result = {"wall": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu,
              "read_cpu": cpu - read, "peak_mb": peak_mb(), "dim": vectors.shape[1],
              "version": version(module, package)}
    if len(vectors) != data.n or not np.isfinite(vectors).all():
        raise SystemExit(f"{args.peer}: {len(vectors)} vectors of {data.n}, or some not finite")
    write(args.vectors, vectors, data.ids)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
