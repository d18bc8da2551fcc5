#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the seeds of the binary readers' fuzz targets: fuzz/make_seeds.py [tool_archive]

Needs NumPy. The path of the built tests/tool_archive adds seeds by our own writers.
"""
import gzip
import io
import json
import pathlib
import struct
import subprocess
import sys
import zipfile

import numpy as np
from numpy.lib import format as npy_format

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


def put(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


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
    source = CORPUS / "npz" / "deflated.npz"
    plain = CORPUS / "safetensors" / "three.safetensors"
    subprocess.run([tool, source, CORPUS / "npz" / "ours.npz"], check=True)
    subprocess.run([tool, plain, CORPUS / "safetensors" / "ours.safetensors"], check=True)


if __name__ == "__main__":
    npy_seeds()
    zip_seeds()
    safetensors_seeds()
    gzip_seeds()
    embedding_seeds()
    if len(sys.argv) > 1:
        our_seeds(sys.argv[1])
