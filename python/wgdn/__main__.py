# SPDX-License-Identifier: Apache-2.0
"""
The demo: python -m wgdn [FOLDER]

Write a small graph into FOLDER (wgdn-demo), the countries of the world and their borders on land, turn it into
vectors, find the nearest neighbors of a few, report how well the vectors predict the continents, and draw a map where
matplotlib is installed. Each line of Python is shown as it would be typed.
"""
import argparse
import importlib.util
import os
import sys
from typing import Any

from . import datasets

LINES = (
    'graph = wgdn.read({borders!r}, y={continents!r})',
    'graph',
    'Z = wgdn.FilterEmbedding(dim=32).fit(graph).embed(graph)',
    'Z',
    'Z.write({vectors!r})',
    'for name in "France", "Nepal", "Chad": print(name, *wgdn.similar(Z, name, k=4).ids, sep=", ")',
    'row = wgdn.evaluate(Z, graph)["results"][0]',
    'print("continents:", round(100 * row["accuracy_mean"], 1), "% by logistic regression")',
)
PICTURE = 'wgdn.plot(Z, graph, title="Countries by their borders").figure.savefig({picture!r})'


def demo(folder: str = "wgdn-demo") -> None:
    """Write the graph into a folder, then show and run every line."""
    paths = {key: os.path.join(folder, name) for key, name in (
        ("borders", "borders.csv"), ("continents", "continents.csv"), ("vectors", "countries.tsv"),
        ("picture", "countries.png"))}
    datasets.write("countries", folder)
    print(f"{paths['borders']}: which countries share a border; {paths['continents']}: the continent of each country\n")
    lines = ["import wgdn", *LINES]
    if importlib.util.find_spec("matplotlib"):
        import matplotlib

        matplotlib.use("agg")  # a file, no window
        lines.append(PICTURE)
    names: dict[str, Any] = {}
    for line in lines:
        text = line.format(**paths)
        print(">>>", text, flush=True)
        exec(compile(text + "\n", "<demo>", "single"), names)
    if PICTURE not in lines:
        print("\nFor a map: pip install matplotlib")
    print('\nNow with a graph of your own: wgdn.embed("FILE"). help(wgdn.embed) lists what else there is.')


def main() -> int:
    what = argparse.ArgumentParser(prog="python -m wgdn", description=(__doc__ or "").split("\n\n", 1)[1],
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    what.add_argument("folder", nargs="?", default="wgdn-demo", metavar="FOLDER")
    try:
        demo(what.parse_args().folder)
    except OSError as err:
        print(f"wgdn: {err}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
