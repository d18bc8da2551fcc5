# SPDX-License-Identifier: Apache-2.0
"""Generated interactions from 10^6 to 10^8: time and peak memory of `wgdn recommend`."""
import json
import os
import tempfile
from pathlib import Path

import numpy as np

import tools

NAME = "scale"
SETS = ("10^6", "10^7", "10^8")
METHODS = ("wgdn",)
TEXT = """## Scale

Generated interactions: a tenth as many users and a hundredth as many items, in 1000 groups of tastes, with
popularities by Zipf's law. Lists of 20 items for at most 10^5 users, with `--memory 8G`, from the CSV to the file of
lists. Nothing else ran on the machine, except during the run with 10^8 interactions. *Estimated* is what `wgdn estimate --method recommend` says of the peak, with
lists for all users.

The run with 10^8 interactions shared the machine with tests, so its seconds are an upper bound. Reading, the choice and the fit
took 13 of its 31 minutes, the lists of 10^5 users 18. The choice is limited by the term G^2, which takes two products with all
interactions for each group of 32 of its users. Lists do not need them unless that term is chosen: each user's row of G is
walked alone where it reaches few interactions.
"""
COLUMNS = (("interactions", "interactions", 0), ("seconds", "seconds", 0), ("peak", "peak MB", 0),
           ("estimate", "estimated MB", 0), ("csv", "CSV MB", 0))
GROUPS, ASKED, CHUNK = 1000, 100_000, 1 << 22


def write_interactions(path, count):
    """Users choose four times of five from the items of their group; small numbers are popular."""
    random = np.random.default_rng(1)
    users, items = count // 10, count // 100
    of_group = items // GROUPS
    with open(path, "w") as f:
        f.write("user,item\n")
        for at in range(0, count, CHUNK):
            n = min(CHUNK, count - at)
            u = random.integers(0, users, n)
            popular = np.minimum((of_group ** random.random(n)).astype(np.int64), of_group - 1)
            group = np.where(random.random(n) < .8, u % GROUPS, random.integers(0, GROUPS, n))
            i = popular * GROUPS + group
            np.savetxt(f, np.column_stack((u, i)), fmt="u%d,i%d")


def measure(program, data, name, method):
    count = 10 ** int(name[3:])
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        source, asked, lists = (Path(folder) / part for part in ("train.csv", "asked.txt", "lists.csv"))
        write_interactions(source, count)
        users = np.random.default_rng(2).choice(count // 10, min(ASKED, count // 10), replace=False)
        asked.write_text("".join(f"u{u}\n" for u in users))
        size = source.stat().st_size
        words = (source, "--memory", "8G", "--scratch", folder, "--ids", asked, "--count", 20, "-T", tools.THREADS)
        told, _, _ = tools.run(program, "estimate", source, "--memory", "8G", "--scratch", folder, "--method", "recommend",
                               "-T", tools.THREADS, "--json", "-q")
        _, seconds, peak = tools.run(program, "recommend", *words, "-o", lists, "-q")
    return {"interactions": count, "seconds": seconds, "peak": peak, "csv": size / 2 ** 20,
            "estimate": json.loads(told)["recommend_bytes"] / 2 ** 20}
