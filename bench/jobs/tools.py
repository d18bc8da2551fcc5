# SPDX-License-Identifier: Apache-2.0
"""What the sections of bench/jobs share: running the program, measuring it, and scoring lists."""
import csv
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

THREADS = 2


def run(program, *words):
    """Run the program; return its output, seconds and peak memory in MB."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        since = time.monotonic()
        child = subprocess.Popen([str(program), *map(str, words)], stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - since
        out.seek(0)
        err.seek(0)
        if child.returncode:
            sys.exit(f"wgdn {' '.join(map(str, words))}: exit code {child.returncode}\n{err.read()}")
        return out.read(), seconds, usage.ru_maxrss / 1024


def read_lists(path, number_of_user, number_of_item, width):
    """The file of `wgdn recommend` as one row of item numbers per user, -1 where a list ends."""
    lists = np.full((len(number_of_user), width), -1, dtype=np.int64)
    filled = np.zeros(len(number_of_user), dtype=np.int64)
    with open(path, newline="") as f:
        rows = csv.reader(f)
        next(rows)
        for row in rows:
            u = number_of_user[row[0]]
            if filled[u] < width:
                lists[u, filled[u]] = number_of_item[row[1]]
                filled[u] += 1
    return lists


def recall_and_ndcg(lists, test):
    """Recall@k and NDCG@k over all users who have a test item, as LightGCN defines them."""
    k = lists.shape[1]
    discount = 1 / np.log2(np.arange(2, k + 2))
    ideal = np.concatenate(([0.0], np.cumsum(discount)))
    recall, ndcg = [], []
    for u in range(test.shape[0]):
        wanted = test.indices[test.indptr[u]:test.indptr[u + 1]]
        if len(wanted) == 0:
            continue
        hits = np.isin(lists[u], wanted) & (lists[u] >= 0)
        recall.append(hits.sum() / len(wanted))
        ndcg.append((hits * discount).sum() / ideal[min(k, len(wanted))])
    return float(np.mean(recall)), float(np.mean(ndcg))


def top_rows(scores, seen, k):
    """The k best columns of each row of dense scores, without the seen ones; ties go to the smaller column."""
    scores = scores.copy()
    for i in range(scores.shape[0]):
        scores[i, seen.indices[seen.indptr[i]:seen.indptr[i + 1]]] = -np.inf
    best = np.argpartition(-scores, k, axis=1)[:, :k]
    order = np.lexsort((best, -np.take_along_axis(scores, best, 1)), axis=1)
    return np.take_along_axis(best, order, 1)
