# SPDX-License-Identifier: Apache-2.0
"""Our archives read by NumPy and safetensors, and theirs by us: test_archive.py TOOL"""
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

try:
    from safetensors.numpy import load_file, save_file
except ImportError:
    load_file = save_file = None

TOOL = sys.argv[1]
NAMES = {"BOOL": "?", "I8": "i1", "U8": "u1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4",
         "I64": "<i8", "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8"}


def arrays():
    """One of each type, and shapes from a scalar to three dimensions."""
    found = {}
    for kind in NAMES.values():
        found["type " + kind] = (np.arange(12) % 3).astype(kind).reshape(3, 4)
    found["scalar"] = np.array(2.5)
    found["empty"] = np.zeros((0, 3), "<f4")
    found["cube"] = np.arange(24, dtype="<f4").reshape(2, 3, 4)
    found["\u00e9"] = np.array([1, -1], "<i8")
    return found


def texts():
    return {"ids": np.array(["a", "\u00e9t\u00e9", "\U0001f600 node", ""]),
            "bytes": np.array([b"xy", b"\xff"])}


def convert(source, target):
    result = subprocess.run([TOOL, source, target], capture_output=True, text=True)
    return result.returncode, result.stderr


def expect_equal(found, wanted):
    assert set(found) == set(wanted), (sorted(found), sorted(wanted))
    for name, array in wanted.items():
        got = np.asarray(found[name])
        assert got.shape == array.shape, (name, got.shape, array.shape)
        assert got.dtype.kind == array.dtype.kind, (name, got.dtype, array.dtype)
        if array.dtype.kind not in "US":
            assert got.dtype.itemsize == array.dtype.itemsize, (name, got.dtype, array.dtype)
        assert np.array_equal(got, array), name


def read_safetensors(path):
    """By hand from the header, and by the package where there is one: both must agree."""
    data = pathlib.Path(path).read_bytes()
    size, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])
    assert (8 + size) % 64 == 0
    metadata = header.pop("__metadata__", {})
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = np.frombuffer(data[8 + size + begin:8 + size + end], NAMES[entry["dtype"]])
        found[name] = raw.reshape(entry["shape"])
        assert len(metadata["xxh3:" + name]) == 16
    if load_file:
        expect_equal(load_file(path), found)
    return found


def write_safetensors(path, wanted):
    """As others write: no hashes. By hand where there is no package."""
    if save_file:
        save_file(wanted, path, metadata={"format": "np"})
        return
    header, data = {"__metadata__": {"format": "np"}}, b""
    types = {np.dtype(kind): name for name, kind in NAMES.items()}
    for name, array in wanted.items():
        raw = array.tobytes()
        header[name] = {"dtype": types[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def test_npz(folder):
    wanted = arrays() | texts()
    for save in np.savez, np.savez_compressed:
        save(folder / "in.npz", **wanted)
        assert convert(folder / "in.npz", folder / "out.npz") == (0, "")
        with np.load(folder / "out.npz") as found:
            expect_equal(found, wanted)
    assert zipfile.ZipFile(folder / "out.npz").testzip() is None


def test_safetensors(folder):
    wanted = arrays()
    write_safetensors(folder / "in.safetensors", wanted)
    assert convert(folder / "in.safetensors", folder / "out.safetensors") == (0, "")
    expect_equal(read_safetensors(folder / "out.safetensors"), wanted)
    assert convert(folder / "out.safetensors", folder / "out.npz") == (0, "")
    with np.load(folder / "out.npz") as found:
        expect_equal(found, wanted)
    assert convert(folder / "out.npz", folder / "back.safetensors") == (0, "")
    expect_equal(read_safetensors(folder / "back.safetensors"), wanted)


def test_npy(folder):
    wanted = arrays() | texts()
    for array in wanted.values():
        variants = [array, np.asarray(array, order="F"), array.astype(array.dtype.newbyteorder(">"))]
        for version in (1, 0), (2, 0), (3, 0):
            for variant in variants:
                if variant.ndim > 2 and not variant.flags.c_contiguous:
                    continue
                out = io.BytesIO()
                np.lib.format.write_array(out, variant, version=version)
                (folder / "in.npy").write_bytes(out.getvalue())
                assert convert(folder / "in.npy", folder / "out.npy") == (0, "")
                expect_equal({"": np.load(folder / "out.npy")}, {"": array})


def test_large_and_stored(folder):
    wanted = {"x": np.random.default_rng(1).random((3 << 20,)), "n": np.arange(5)}
    np.savez(folder / "in.npz", **wanted)
    assert convert(folder / "in.npz", folder / "out.npz") == (0, "")
    assert zipfile.ZipFile(folder / "out.npz").getinfo("x.npy").compress_type == zipfile.ZIP_STORED
    with np.load(folder / "out.npz") as found:
        expect_equal(found, wanted)


def test_refusals(folder):
    np.save(folder / "object.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    status, message = convert(folder / "object.npy", folder / "out.npy")
    assert status == 3 and "pickle runs code" in message, message
    (folder / "text.npy").write_text("1 2\n")
    status, message = convert(folder / "text.npy", folder / "out.npy")
    assert status == 3 and "looks like text" in message, message


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(pathlib.Path(folder))
            print("ok  ", name)
    if not load_file:
        print("the safetensors package is not there: headers were read by hand only")


if __name__ == "__main__":
    main()
