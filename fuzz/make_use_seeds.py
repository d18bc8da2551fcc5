#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the seeds of the targets that use what was read: fuzz/make_use_seeds.py PROGRAM

PROGRAM is a built wgdn. Models, checkpoints and packed datasets of a small graph; logs; INI files.
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
CORPUS = ROOT / "corpus"
NODES = 12


def change(data, name, index, value):
    """The file with one number of a tensor replaced, and without checksums."""
    (length,) = struct.unpack_from("<Q", data)
    header, body = json.loads(data[8 : 8 + length]), bytearray(data[8 + length :])
    known = header.get("__metadata__", {})
    header["__metadata__"] = {k: v for k, v in known.items() if not k.startswith("xxh3")}
    code = {"I64": "<q", "I32": "<i", "F32": "<f"}[header[name]["dtype"]]
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
        "id,colour,size\n" + "".join(f"{i},{('red', 'blue')[i % 2]},{i / 4}\n" for i in range(NODES))
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


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_graph(folder)

        def run(*words):
            subprocess.run([program, *words, "--quiet"], check=True, cwd=folder)

        def put(file, *targets):
            for target in targets:
                (CORPUS / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / file, CORPUS / target / pathlib.Path(file).name)

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
            put(f"{key}.safetensors", "judge", "step", "closed", "share")
        for key, tensor, index, value in LARGE:
            whole = (folder / f"{key}.safetensors").read_bytes()
            name = f"{key}_{tensor}_{index}_{value % 2**64:x}.safetensors".replace("safetensors.", "")
            (folder / name).write_bytes(change(whole, tensor, index, value))
            put(name, "judge", "step", "closed", "share")
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
            put(f"{key}.model", "model")
            put(log, "log")
            run("train", *words, "-o", f"{key}.last", "--checkpoint", f"{key}.checkpoint", "--checkpoint-every", "1")
            put(f"{key}.checkpoint", "checkpoint", "model")
        fitted = {
            "features": ["dense.safetensors"],
            "structure": ["plain.safetensors"],
            "both": ["dense.safetensors", "--features", "structure"],
            "typed": ["typed.safetensors"],
        }
        run("fit", "alike.tsv", "-x", "alike_x.tsv", "--dim", "8", "--refine", "2", "-o", "fitted_refined.model")
        put("fitted_refined.model", "model")
        for key, words in fitted.items():
            run("fit", *words, "--dim", "12", "-o", f"fitted_{key}.model")
            put(f"fitted_{key}.model", "model")
        for preset in sorted((ROOT.parent / "presets").glob("*.ini")):
            (CORPUS / "ini").mkdir(exist_ok=True)
            if preset.stem in ("cora", "proteins", "arxiv"):
                shutil.copy(preset, CORPUS / "ini" / preset.name)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
