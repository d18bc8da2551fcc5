#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the readers of text, packed datasets and vectors, into corpus/<target>/."""
import json
import pathlib
import struct

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"

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


def embedding_seeds():
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


if __name__ == "__main__":
    seeds = {target: {n: t.encode() for n, t in files.items()} for target, files in TEXT.items()}
    seeds["dataset"] = dataset_seeds()
    seeds["embedding"].update(embedding_seeds())
    for target, files in seeds.items():
        (CORPUS / target).mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (CORPUS / target / name).write_bytes(data)
