#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the seeds of the fuzz targets: fuzz/make_seeds.py [BUILD]

Needs NumPy. BUILD is a built folder, whose tests/tool_archive and cli/wgdn add archives by our own writers, and models,
checkpoints, logs, INI files and packed datasets of a small graph for the targets that use what was read.
"""
import gzip
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import seeds
from numpy.lib import format as npy_format

ROOT = pathlib.Path(__file__).resolve().parent


def put(target, name, data):
    seeds.put(target, {f"seeds/{name}": data})


def npy(array, version=None):
    out = io.BytesIO()
    npy_format.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue()


def npy_seeds():
    for kind in "?bBhHiIqQefd":
        array = np.arange(6).astype(kind).reshape(2, 3)
        put("npy", f"{array.dtype.name}.npy", npy(array))
    put("npy", "big.npy", npy(np.arange(4, dtype=">f8")))
    put("npy", "fortran.npy", npy(np.asfortranarray(np.arange(6, dtype="<i4").reshape(2, 3))))
    put("npy", "version2.npy", npy(np.arange(3), (2, 0)))
    put("npy", "version3.npy", npy(np.arange(3), (3, 0)))
    put("npy", "scalar.npy", npy(np.array(1.5)))
    put("npy", "empty.npy", npy(np.zeros((0, 5), "<f4")))
    put("npy", "unicode.npy", npy(np.array(["a", "\u00e9t\u00e9", "\U0001f600"])))
    put("npy", "unicode_big.npy", npy(np.array(["node", "\u00e9"], dtype=">U5")))
    put("npy", "bytes.npy", npy(np.array([b"x", b"yz"])))
    put("npy", "object.npy", npy(np.array([{"a": 1}], dtype=object)))
    put("npy", "record.npy", npy(np.zeros(2, dtype=[("a", "<i4"), ("b", "<f4")])))


def zip_bytes(members, method, comment=b"", streamed=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        z.comment = comment
        for name, data in members:
            info = zipfile.ZipInfo(name)  # its date is fixed: seeds come out the same each time
            info.compress_type = method
            with z.open(info, "w", force_zip64=streamed) as member:
                member.write(data)
    return out.getvalue()


def zip_seeds():
    members = [("a.txt", b"1,2\n" * 20), ("set/b.txt", b"x"), ("empty", b"")]
    for name, method in ("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED):
        put("zip", f"{name}.zip", zip_bytes(members, method))
        put("zip", f"{name}64.zip", zip_bytes(members, method, b"a comment", True))
        arrays = [("x.npy", npy(np.eye(3))), ("ids.npy", npy(np.array(["a", "bc", "d"])))]
        put("npz", f"{name}.npz", zip_bytes(arrays, method))
        arrays.append(("o.npy", npy(np.array([None], dtype=object))))
        put("npz", f"{name}64.npz", zip_bytes(arrays, method, b"", True))
    put("zip", "none.zip", zip_bytes([], zipfile.ZIP_STORED))


def safetensors(header, data, pad=0):
    text = json.dumps(header).encode() + b" " * pad
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors_seeds():
    put("safetensors", "one.safetensors", safetensors({"x": entry("F32", [1, 2], 0, 8)}, b"12345678"))
    both = {
        "__metadata__": {"format": "np", "note": "\u00e9"},
        "x": entry("I64", [2], 0, 16),
        "y": entry("U8", [], 16, 17),
        "z": entry("F16", [0, 3], 17, 17),
    }
    put("safetensors", "three.safetensors", safetensors(both, bytes(range(17)), 9))
    put("safetensors", "none.safetensors", safetensors({}, b""))


def gzip_seeds():
    text = b"source\ttarget\n" + b"".join(b"%d\t%d\n" % (i, i * 7 % 50) for i in range(60))
    put("gzip", "text.gz", gzip.compress(text, mtime=0))
    put("gzip", "two.gz", gzip.compress(text[:50], mtime=0) + gzip.compress(text[50:], 1, mtime=0))
    put("gzip", "stored.gz", gzip.compress(text[:200], 0, mtime=0))
    put("gzip", "empty.gz", gzip.compress(b"", mtime=0))
    put("gzip", "zeros.gz", gzip.compress(bytes(20000), mtime=0))


def embedding_seeds():
    values = np.arange(6, dtype="<f4").reshape(3, 2)
    put("embedding", "float32.npy", npy(values))
    put("embedding", "fortran.npy", npy(np.asfortranarray(values.astype("<f2"))))
    ids = {"text": np.array(["a", "\u00e9", "b c"]), "bytes": np.array([b"x", b"yz", b""]), "numbers": np.array([5, 0, 7])}
    for name, names in ids.items():
        arrays = [("embedding.npy", npy(values)), ("ids.npy", npy(names))]
        put("embedding", f"{name}.npz", zip_bytes(arrays, zipfile.ZIP_STORED))


def our_seeds(tool):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for target, seed in ("npz", "deflated.npz"), ("safetensors", "three.safetensors"):
            (folder / seed).write_bytes(seeds.read(target)[f"seeds/{seed}"])
            subprocess.run([tool, folder / seed, folder / f"ours.{target}"], check=True)
            put(target, f"ours.{target}", (folder / f"ours.{target}").read_bytes())


TEXT = {
    "edges": {
        "tabs.tsv": "0\t1\n1\t2\n2\t2\n",
        "integers.csv": "".join("%d,%d%s" % (7**i % 9999991, i, "\r\n" if i % 5 else "\n") for i in range(20)),
        "header.csv": "source,target,weight\r\na,b,1\r\nb,\"c \"\"d\"\"\",0\r\nc,a,2.5e-3\r\n",
        "blanks.txt": "# comment\n  x   y\n\n% more\ny z 1\n",
        "mixed.tsv": "\ufeff7;8\n8;007\n9;88888888888888888888\n",
        "transactions.csv": "timestamp,from_account,to_account,amount\n2024-01-01,a,b,1.5\n2024-01-02,b,c,2\n",
        "gephi.csv": "Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,,1.0\n2,3,Undirected,1,x,0\n",
        "pandas.csv": ",from,to\n0,a,b\n1,b,a\n",
        "semicolons.csv": "a;b;1,5\nb;c;0,25\n",
        "pipes.txt": "a|b|x, y\nb|c|z\n",
        "matrix_names.csv": ",ann,bob,cy,dan\nann,0,2.5,,0\nbob,2.5,0,1,0\ncy,,1,0,0\ndan,0,0,0,0\n",
        "matrix_arrows.csv": "a;b;c;d\n0;1;0;0\n0;0;1;0\n0;0;0;1\n1;0;0;0\n",
        "matrix_numpy.txt": "0 1e0 0 3\n1 0 2 0\n0 2 0 0\n3 0 0 0\n",
        "u.data": "1\t2\t3\t88\n2\t1\t4\t89\n",
        "words.csv": "who,whom\n" + "".join("%s,%s\n" % ends for ends in zip("abcdefghij", "bcdefghija")),
    },
    "table": {
        "all.txt": "id,x,y\na,1,0\n7,-2.5e3,0.125\nb,0,0\n\fid,label\na,red\n7,blue\n\fa,train,val\nb,test,none\n",
        "columns.txt": "id,n,c,d,m,h\na,1.5,red,2024-01-31,yes,k1\n7,,blue,2024/02/01 10:30,no,k2\n"
        "b,NA,red,2024-03-01T08:00:00Z,?,k3\ne,-2,\"gr,een\",,true,k4\n\fid,label\na,red\n\fa,train\n\f"
        "columns 1\narray 3\ntable standard headed 3 4\nnumber 1 38.2 38.2 13.1 age\ncategory 1 city A%20b %\nhashed 0 32 s\n",
        "bare.txt": "a,red,2024-01-31\n7,blue,\nb,red,2024-03-01\n",
        "word2vec.txt": "2 3\na 1 2 3\nb 4 5 6\n\fa 1\nb 2\n\fa train\n",
        "wide.tsv": "1\t0\t0\t0\t0\t0\t0\t9\n2\t0\t0\t0\t0\t0\t1\t0\n\f1\t-1\n2\t1\n",
    },
    "embedding": {
        "words.tsv": "a\t0.5\t-1\nb c\t0\t2e-3\n\"d\"\"\"\t1\t1\n",
        "word2vec.txt": "2 3\n10 1 2 3\n7 0 0 -0.25\n",
        "header.csv": "id,x,y\n1,2,3\n2,0,0\n",
    },
    "json": {
        "lists.json": '{"554": [3, 0, 7], "a": [], "\u00e9": [3, 3]}',
        "one.json": '{"1": [0]}',
    },
    "matrix_market": {
        "real.mtx": "%%MatrixMarket matrix coordinate real general\n% c\n3 3 3\n1 2 1\n2 3 0\n3 3 -2.5\n",
        "pattern.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n",
        "complex.mtx": "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0 1\n",
    },
    "graphml": {
        "keys.graphml": "<graphml><key id='a' attr.type='int'><default>2</default></key>"
        "<key id='c' for='node' attr.name='class'/><key id='w' for='edge' attr.name='weight' attr.type='double'/>"
        "<graph><node id='x'><data key='a'>-1e3</data><data key='c'>r</data></node><node id='7'/>"
        "<edge source='x' target='7'><data key='w'>0.5</data></edge></graph></graphml>",
        "names.graphml": "<?xml version='1.0'?>\n<graphml><key id='n' for='node' attr.name='name'/>"
        "<key id='b' attr.type='boolean'/><graph edgedefault='directed'><desc>a<b>c</b></desc>"
        "<edge source='n1' target='n0'/><node id='n0'><data key='n'>&lt;</data><data key='b'>true</data></node>"
        "<node id='n1'><data key='n'>&#233;</data></node></graph></graphml>",
        "entity.graphml": "<!DOCTYPE graphml [<!ENTITY a 'b'>]><graphml>&a;</graphml>",
    },
    "tu": {
        "labels.txt": "1, 2\n2, 1\n3,4\n\f1\n1\n2\n2\n\f1\n-1\n\f0\n3\n1\n0\n",
        "degrees.txt": "1, 2\n2, 3\n1, 1\n\f1\n1\n1\n\f5\n",
    },
    "ogb": {
        "all.txt": "0,1\n1,2\n\f3\n\f0.5,1\n-1,2e3\n0,0\n\f1\nnan\n0\n\f0\n2\n",
        "bare.txt": "0,1\n\f2\n",
    },
}


def packed(tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name, (dtype, code, shape, values) in tensors.items():
        raw = values if code is None else struct.pack("<%d%s" % (len(values), code), *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def i64(values):
    return "I64", "q", [len(values)], values


def i32(values):
    return "I32", "i", [len(values)], values


def dataset_seeds():
    kind = {"wgdn.kind": "dataset", "wgdn.version": "1"}
    graph = {"graph.offset": i64([0, 1, 3, 4]), "graph.column": i32([1, 0, 2, 1])}
    dense = dict(graph)
    dense["features.dense"] = "F32", "f", [3, 2], [1, 0, 0, 2, 0.5, 0]
    dense["label"] = i32([0, 1, -1])
    dense["classes"] = i64([2])
    dense["class.start"] = i64([0, 1, 3])
    dense["class.text"] = "U8", None, [3], b"xyz"
    dense["split"] = "I8", None, [2, 3], bytes([1, 2, 3, 0, 1, 0])
    sparse = dict(graph)
    sparse["features.offset"] = i64([0, 1, 1, 3])
    sparse["features.column"] = i32([4, 0, 2])
    sparse["features.value"] = "F32", "f", [3], [1, 2, -3]
    sparse["features.width"] = i64([5])
    sparse["ids.start"] = i64([0, 1, 3, 6])
    sparse["ids.text"] = "U8", None, [6], b"abbccc"
    several = {"graph.offset": i64([0, 1, 2, 2]), "graph.column": i32([1, 0])}
    several["ids.first"] = i64([1])
    several["graphs.start"] = i64([0, 2, 3])
    several["graphs.label"] = i32([1, 0])
    several["graphs.classes"] = i64([2])
    several["counts"] = i64([1, 0, 0, 0, 0, 0, 0])
    return {
        "dense.safetensors": packed(dense, kind),
        "sparse.safetensors": packed(sparse, kind),
        "several.safetensors": packed(several, kind),
    }


def packed_embedding_seeds():
    matrix = {"embedding": ("F32", "f", [3, 2], [1, 0, 0, 2, 0.5, 0])}
    text = dict(matrix)
    text["ids.start"] = i64([0, 1, 3, 6])
    text["ids.text"] = "U8", None, [6], b"abbccc"
    numbers = {"x": ("F64", "d", [2, 1], [1, -2]), "ids": i32([7, 0])}
    return {
        "plain.safetensors": packed(matrix, {}),
        "ids.safetensors": packed(text, {"wgdn.kind": "embedding"}),
        "numbers.safetensors": packed(numbers, {}),
    }


def text_seeds():
    files = {target: {n: t.encode() for n, t in texts.items()} for target, texts in TEXT.items()}
    files["dataset"] = dataset_seeds()
    files["embedding"].update(packed_embedding_seeds())
    for target, named in files.items():
        seeds.put(target, {f"seeds/{name}": data for name, data in named.items()})


NODES = 12


def change(data, name, index, value):
    """The file with one number of a tensor replaced, and without checksums."""
    (length,) = struct.unpack_from("<Q", data)
    header, body = json.loads(data[8 : 8 + length]), bytearray(data[8 + length :])
    known = header.get("__metadata__", {})
    header["__metadata__"] = {k: v for k, v in known.items() if not k.startswith("xxh3")}
    code = {"I64": "<q", "I32": "<i", "F32": "<f", "F64": "<d"}[header[name]["dtype"]]
    struct.pack_into(code, body, header[name]["data_offsets"][0] + index * struct.calcsize(code), value)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(body)


LARGE = [  # dataset, tensor, index, value
    ("dense", "classes", 0, 2**62),
    ("dense", "label", 0, 2**31 - 2),
    ("sparse", "features.width", 0, 2**62),
    ("sparse", "features.width", 0, 2**31 - 1),
    ("sparse", "features.offset", 3, 2**62),
    ("plain", "graph.offset", 5, 2**63 - 1),
    ("plain", "graph.offset", 5, -(2**63)),
    ("plain", "graph.offset", 0, -(2**62)),
    ("plain", "graph.column", 2, 2**31 - 1),
    ("rings", "graphs.start", 1, 2**62),
    ("rings", "graphs.classes", 0, 2**32),
    ("typed", "relations.offset", 3, 2**62),
]


def write_graph(folder):
    edges = [(i, (i + 1) % NODES) for i in range(NODES)] + [(i, (i * 5 + 3) % NODES) for i in range(0, NODES, 2)]
    (folder / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in edges))
    (folder / "weighted.tsv").write_text("".join(f"{a}\t{b}\t{1 + a % 3}\n" for a, b in edges))
    (folder / "typed.tsv").write_text(
        "source\ttarget\ttype\n" + "".join(f"{a}\t{b}\t{'xy'[a % 2]}\n" for a, b in edges)
    )
    (folder / "x.tsv").write_text(
        "id\ta\tb\tc\n" + "".join(f"{i}\t{i % 2}\t{i % 3}\t{i % 5 - 1}\n" for i in range(NODES))
    )
    (folder / "x.json").write_text(json.dumps({str(i): [i % 7, 7 + i % 2] for i in range(NODES)}))
    (folder / "kinds.csv").write_text(
        "id,color,size\n" + "".join(f"{i},{('red', 'blue')[i % 2]},{i / 4}\n" for i in range(NODES))
    )
    (folder / "labels.tsv").write_text("".join(f"{i}\t{'ab'[i % 2]}\n" for i in range(NODES)))
    (folder / "several.tsv").write_text("".join(f"{i}\t{'abc'[i % 3]}\n{i}\tz\n" for i in range(NODES)))
    (folder / "splits.tsv").write_text(
        "".join(f"{i}\t{('train', 'train', 'val', 'test')[i % 4]}\n" for i in range(NODES))
    )
    alike = [(i, (i + 2 * k) % 40) for i in range(40) for k in (1, 3)]  # odd ones and even ones, features alike
    (folder / "alike.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in alike))
    (folder / "alike_x.tsv").write_text(
        "".join(f"{i}\t" + "\t".join(str((j % 2 == i % 2) + (i * j % 7) / 10) for j in range(12)) + "\n" for i in range(40))
    )
    rings = folder / "rings"
    rings.mkdir()
    pairs = [(3 * g + k, 3 * g + (k + 1) % 3) for g in range(4) for k in range(3)]
    (rings / "rings_A.txt").write_text("".join(f"{a + 1}, {b + 1}\n{b + 1}, {a + 1}\n" for a, b in pairs))
    (rings / "rings_graph_indicator.txt").write_text("".join(f"{i // 3 + 1}\n" for i in range(NODES)))
    (rings / "rings_graph_labels.txt").write_text("1\n2\n1\n2\n")
    (rings / "rings_node_labels.txt").write_text("".join(f"{i % 3}\n" for i in range(NODES)))


WRONG = [  # predictor or recommender, tensor, index, value
    ("predictor_two_vectors", "predict.wholes", 4, 2**31 - 3),
    ("predictor_two_vectors", "predict.wholes", 6, 2**62),
    ("predictor_two_combined", "predict.reals", 11, float("nan")),
    ("predictor_several_vectors", "predict.start", 1, 2**62),
    ("predictor_several_combined", "predict.wholes", 8, 4),
    ("predictor_numbers_combined", "predict.wholes", 4, 2**31 - 3),
    ("recommender_shop", "recommend.wholes", 7, 2**31 - 2),
    ("recommender_shop", "recommend.wholes", 0, 1),
    ("recommender_shop", "recommend.item.start", 2, -(2**63)),
    ("recommender_weighted", "recommend.value", 0, float("inf")),
    ("recommender_weighted", "recommend.reals", 5, 1e30),
    ("recommender_graph", "recommend.wholes", 2, 4096),
    ("recommender_graph", "recommend.offset", 1, 2**62),
    ("recommender_alike", "recommend.column", 0, 2**31 - 1),
    ("recommender_alike", "recommend.wholes", 0, 0),
]


def job_seeds(folder, run, take):
    """Saved predictors and recommenders; labels are the numbers that the target gives its nodes."""
    labels = {
        "two": [(i, i % 2) for i in range(NODES - 4)],
        "several": [(i, k) for i in range(NODES) for k in {0, 1, i % 3}],
        "numbers": [(i, f"{i / 8 + 0.1:.3f}") for i in range(NODES - 2)],
    }
    words = {"two": ["--features", "x.tsv"], "several": ["--features", "x.tsv"], "numbers": ["--dim", "6"]}
    for key, pairs in labels.items():
        (folder / f"{key}.tsv").write_text("".join(f"{i}\t{k}\n" for i, k in pairs))
        for method in ("vectors", "combined"):
            name = f"predictor_{key}_{method}.model"
            run("predict", "edges.tsv", *words[key], "--labels", f"{key}.tsv", "--method", method, "--save", name)
            take(name, "model")
    buys = [(i, (i * 5 + 3 * k) % 9, 1 + (i + k) % 3) for i in range(NODES) for k in range(3)]
    (folder / "buys.csv").write_text("user,item,amount\n" + "".join(f"u{u},i{i},{w}\n" for u, i, w in buys))
    recommenders = {"shop": ["buys.csv"], "weighted": ["buys.csv", "--weight", "amount", "--values", "weight"], "graph": ["edges.tsv"],
                    "alike": ["alike.tsv"]}
    for key, given in recommenders.items():
        run("recommend", *given, "--save", f"recommender_{key}.model")
        take(f"recommender_{key}.model", "model")
    for key, tensor, index, value in WRONG:
        name = f"{key}_{tensor}_{index}.model"
        (folder / name).write_bytes(change((folder / f"{key}.model").read_bytes(), tensor, index, value))
        take(name, "model")


def used_seeds(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_graph(folder)

        def run(*words):
            subprocess.run([program, *words, "--quiet"], check=True, cwd=folder)

        def take(file, *targets):
            for target in targets:
                put(target, pathlib.Path(file).name, (folder / file).read_bytes())

        notes = ["--labels", "labels.tsv", "--splits", "splits.tsv"]
        packed = {
            "plain": ["edges.tsv"],
            "dense": ["edges.tsv", "--features", "x.tsv", *notes],
            "kinds": ["edges.tsv", "--features", "kinds.csv", "--labels", "several.tsv"],
            "sparse": ["edges.tsv", "--features", "x.json", *notes],
            "weighted": ["weighted.tsv", "--features", "x.tsv", *notes],
            "typed": ["typed.tsv", "--directed", "both", "--type", "type"],
            "rings": ["rings"],
        }
        for key, words in packed.items():
            run("convert", *words, f"{key}.safetensors")
            take(f"{key}.safetensors", "judge", "step", "closed", "share")
        for key, tensor, index, value in LARGE:
            whole = (folder / f"{key}.safetensors").read_bytes()
            name = f"{key}_{tensor}_{index}_{value % 2**64:x}.safetensors".replace("safetensors.", "")
            (folder / name).write_bytes(change(whole, tensor, index, value))
            take(name, "judge", "step", "closed", "share")
        small = ["--dim", "2", "--structural-dim", "2", "--epochs", "2"]
        trained = {
            "plain": ["plain.safetensors", *small, "--layers", "1"],
            "batch": ["dense.safetensors", *small, "--layers", "1", "--norm", "batch", "--gamma", "0.1,1"],
            "kinds": ["kinds.safetensors", *small, "--layers", "1", "--embedding-activation", "--kernel", "ppr"],
            "deep": ["dense.safetensors", *small, "--layers", "2", "--skip", "sum", "--norm", "layer"],
            "rings": ["rings.safetensors", *small, "--layers", "1", "--batch-size", "2"],
        }
        for key, words in trained.items():
            log = f"{key}.jsonl" if key == "deep" else f"{key}.csv"
            run("train", *words, "-o", f"{key}.model", "--log", log)
            take(f"{key}.model", "model")
            take(log, "log")
            run("train", *words, "-o", f"{key}.last", "--checkpoint", f"{key}.checkpoint", "--checkpoint-every", "1")
            take(f"{key}.checkpoint", "checkpoint", "model")
        fitted = {
            "features": ["dense.safetensors"],
            "structure": ["plain.safetensors"],
            "both": ["dense.safetensors", "--features", "structure"],
            "typed": ["typed.safetensors"],
        }
        run("fit", "alike.tsv", "-x", "alike_x.tsv", "--dim", "8", "--refine", "2", "-o", "fitted_refined.model")
        take("fitted_refined.model", "model")
        for key, words in fitted.items():
            run("fit", *words, "--dim", "12", "-o", f"fitted_{key}.model")
            take(f"fitted_{key}.model", "model")
        job_seeds(folder, run, take)
        for preset in sorted((ROOT.parent / "presets").glob("*.ini")):
            if preset.stem in ("cora", "proteins", "arxiv"):
                take(preset, "ini")


if __name__ == "__main__":
    npy_seeds()
    zip_seeds()
    safetensors_seeds()
    gzip_seeds()
    embedding_seeds()
    text_seeds()
    if len(sys.argv) > 1:
        build = pathlib.Path(sys.argv[1]).resolve()
        our_seeds(build / "tests/tool_archive")
        used_seeds(build / "cli/wgdn")
