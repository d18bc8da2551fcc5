#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The archives of inputs, corpus/TARGET.tar: seeds/NAME, and what fuzz/keep found in one file, `found`.

  fuzz/seeds.py TARGET FILE ...   adds files to the seeds of a target, or replaces those of the same names
"""
import io
import pathlib
import sys
import tarfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


def read(target):
    """The files of an archive by their names in it."""
    path = CORPUS / f"{target}.tar"
    if not path.exists():
        return {}
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def put(target, files):
    """Adds files or replaces them. The same files make the same archive."""
    CORPUS.mkdir(exist_ok=True)
    files = {**read(target), **files}
    with tarfile.open(CORPUS / f"{target}.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)  # without owner and time
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    put(sys.argv[1], {f"seeds/{path.name}": path.read_bytes() for path in map(pathlib.Path, sys.argv[2:])})
