# SPDX-License-Identifier: Apache-2.0
"""Docstrings of the package as Markdown: sections become headings, `name : what it is` a row of a table."""
import re
import textwrap

import griffe

SECTION = re.compile(r"(?m)^ *([A-Z]\w+)\n *-{3,}\n")
ENTRY = re.compile(r"( *)(\w[\w, ]*?) : (.+)")


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def table(rows):
    return "| | |\n|---|---|\n" + "\n".join(
        f"| `{name}` | {cell(' '.join(said) if len(said) == 1 else said[0] + '. ' + ' '.join(said[1:]))} |"
        for name, said in rows)


def block(text):
    """A paragraph, a piece of code, a session, or a table of entries."""
    if text.lstrip().startswith(">>>"):
        return f"```pycon\n{textwrap.dedent(text)}\n```"
    first = ENTRY.match(text)
    if not first:
        return text
    rows, indent = [], len(first[1])
    for line in text.split("\n"):
        entry = ENTRY.match(line)
        depth = len(line) - len(line.lstrip())
        if entry and depth == indent:
            rows.append((entry[2], [entry[3]]))
        elif depth > indent:
            whole = len(rows[-1][1]) > 1 or re.match(r" *[A-Z][a-z ]", line)  # a sentence of its own
            if whole:
                rows[-1][1].append(line.strip())
            else:
                rows[-1][1][0] += " " + line.strip()
        else:
            return text
    return table(rows)


def to_markdown(text):
    lead, *rest = SECTION.split(re.sub(r":(?:func|meth|class|mod):(?=`)", "", text))
    out = []
    for name, body in [("", lead), *zip(rest[::2], rest[1::2])]:
        body = textwrap.dedent(body.strip("\n"))
        out += [f"**{name}**"] if name else []
        out += [block(part) for part in re.split(r"\n[ \t]*\n", body) if part.strip()]
    return "\n\n".join(out)


class Markdown(griffe.Extension):
    def on_instance(self, *, obj, **_):
        if obj.docstring:
            obj.docstring.value = to_markdown(obj.docstring.value)
