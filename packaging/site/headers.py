# SPDX-License-Identifier: Apache-2.0
"""Pages of the C interface, made of the public headers: signatures, fields, and the comments beside them."""
import re
import textwrap
from dataclasses import dataclass, field


@dataclass
class Item:
    """A declaration and its comment, or a heading or a paragraph between declarations."""
    kind: str  # function, struct, enum, handle, call, section, text
    name: str = ""
    code: str = ""
    doc: str = ""
    members: list = field(default_factory=list)  # (declaration, comment)


def plain_comment(text):
    """The words of a comment, without its marks."""
    text = re.sub(r"^/\*\*?<?|\*/$", "", text.strip())
    lines = [re.sub(r"^\s*\* ?", "", line) if i else line.strip() for i, line in enumerate(text.split("\n"))]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def member_comment(text):
    return " ".join(re.sub(r"^\s*\*(?!/) ?", "", line.strip()) for line in plain_comment(text).split("\n")).strip()


def end_of_declaration(text, at):
    """Where the declaration that begins at `at` ends, its semicolon or last brace included."""
    depth, inline = 0, text.startswith("static inline", at)
    while at < len(text):
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        c = text[at]
        depth += c in "({"
        depth -= c in ")}"
        at += 1
        if depth == 0 and (c == ";" or (inline and c == "}")):
            return at
    raise ValueError("a declaration has no end")


def members_of(body, separator):
    """(declaration, comment) of every field of a struct, or constant of an enum."""
    found, code, said = [], "", ""
    for token in re.split(rf"(/\*.*?\*/|{separator})", body, flags=re.S) + [separator]:
        if token.startswith("/*"):
            if token.startswith("/**<") and not code.strip() and found:
                found[-1] = (found[-1][0], member_comment(token))
            else:
                said = member_comment(token)
        elif token != separator:
            code += token
        elif code.strip():
            found.append((" ".join(code.split()), said))
            code, said = "", ""
    return found


def declaration(code, doc):
    flat = " ".join(code.split())
    match = re.match(r"typedef (struct|enum) (\w+) \{", flat)
    if match:
        body = code[code.index("{") + 1:code.rindex("}")]
        return Item(match[1], match[2], doc=doc, members=members_of(body, ";" if match[1] == "struct" else ","))
    match = re.match(r"enum \{ (\w+)", flat)
    if match:  # constants without a type
        body = code[code.index("{") + 1:code.rindex("}")]
        return Item("enum", match[1], doc=doc, members=members_of(body, ","))
    match = re.match(r"typedef struct \w+ (\w+);", flat)
    if match:
        return Item("handle", match[1], flat, doc)
    match = re.match(r"typedef .*\(\*(\w+)\)", flat)
    if match:
        return Item("call", match[1], flat, doc)
    if flat.startswith("static inline"):
        flat = flat[:flat.index("{")].replace("static inline ", "").strip() + ";"
    flat = flat.replace("WGDN_API ", "").replace("WGDN_MUST_CHECK ", "")
    match = re.match(r"[^(]*?\b(wgdn_\w+)\(", flat)
    if not match:
        raise ValueError(f"what is this? {flat}")
    return Item("function", match[1], flat, doc)


def read(text):
    """(what the header says of itself, its items)."""
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", text, flags=re.M)
    about, items, doc, at = "", [], "", 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        if at >= len(text):
            return about, items
        if text.startswith("/*", at):
            stop = text.index("*/", at) + 2
            comment = plain_comment(text[at:stop])
            if "@file" in comment:
                about = re.sub(r"^\s*@file \S+\s*", "", comment)
            elif text.startswith("/**", at):
                doc = comment
            elif comment.strip().startswith("----"):
                items.append(Item("section", doc=comment.strip(" -")))
            elif "SPDX" not in comment:
                items.append(Item("text", doc=comment))
            at = stop
            continue
        stop = end_of_declaration(text, at)
        code, at = text[at:stop], stop
        after = re.match(r"[ \t]*(/\*\*<.*?\*/)", text[at:], re.S)
        if after:
            doc, at = plain_comment(after[1]), at + after.end()
        items.append(declaration(code, doc))
        doc = ""


def wrap(code):
    """A signature, one parameter a line where it is long."""
    if len(code) <= 90:
        return code
    head, _, rest = code.partition("(")
    return f"{head}(\n    " + ",\n    ".join(part.strip() for part in rest.split(",")).replace(");", ");")


class Pages:
    """All headers as pages; a name of one of them is a link wherever it is mentioned."""

    def __init__(self, folder):
        self.headers = {path.stem: read(path.read_text()) for path in sorted(folder.glob("*.h"))}
        self.home = {item.name: stem for stem, (_, items) in self.headers.items() for item in items if item.name}
        self.home.update({re.split(r"\W", name)[0]: stem for stem, (_, items) in self.headers.items() for item in items
                          if item.kind == "enum" for name, _ in item.members})

    def functions(self):
        return {item.name for _, items in self.headers.values() for item in items if item.kind == "function"}

    def link(self, text, stem):
        text = re.sub(r"(?<!\w)(_\w*)|([<>*|])", lambda m: "`" + m[1] + "`" if m[1] else "\\" + m[2], text)

        def one(match):
            name = match[1]
            home = self.home.get(name)
            if not home:
                return f"`{match[0]}`"
            anchor = name if name.startswith("wgdn_") else self.enum_of(name)
            return f"[`{match[0]}`]({'' if home == stem else home + '.md'}#{anchor})"

        return re.sub(r"\b((?:wgdn|WGDN)_[A-Za-z0-9_]+)(?:\(\))?", one, text)

    def enum_of(self, constant):
        return next(item.name for _, items in self.headers.values() for item in items if item.kind == "enum"
                    and any(name.split()[0] == constant for name, _ in item.members))

    def prose(self, text, stem):
        """Paragraphs; what is indented stays as it is."""
        blocks = []
        for block in re.split(r"\n\s*\n", text):
            if block.startswith("    "):
                blocks.append("```c\n" + textwrap.dedent(block) + "\n```")
            else:
                blocks.append(self.link(" ".join(block.split()), stem))
        return "\n\n".join(blocks)

    def document(self, doc, stem):
        """A comment with @param and @return."""
        parts = re.split(r"(?m)^@(param|return)\b", doc)
        out = [self.prose(parts[0].strip("\n"), stem)] if parts[0].strip() else []
        rows = []
        for word, text in zip(parts[1::2], parts[2::2]):
            text = " ".join(text.split())
            if word == "param":
                name, _, said = text.partition(" ")
                rows.append(f"| `{name}` | {self.link(said, stem)} |")
            else:
                rows.append(f"| *returns* | {self.link(text, stem)} |")
        if rows:
            out.append("| | |\n|---|---|\n" + "\n".join(rows))
        return out

    def page(self, stem):
        about, items = self.headers[stem]
        out = [f"# {stem}.h", self.prose(about, stem), f"`#include <wgdn/{stem}.h>`, or all by `#include <wgdn/wgdn.h>`."]
        level = "##"
        for item in items:
            if item.kind == "section":
                title, _, rest = item.doc.partition(":")
                level = "###"
                out += [f"## {title}"] + ([self.link(rest.strip(), stem)] if rest else [])
                continue
            if item.kind == "text":
                out.append(self.prose(item.doc, stem))
                continue
            out.append(f"{level} {item.name} {{ #{item.name} }}")
            if item.code:
                out.append(f"```c\n{wrap(item.code)}\n```")
            out += self.document(item.doc, stem)
            if item.members:
                rows = [f"| `{name}` | {self.link(said, stem)} |" for name, said in item.members]
                out.append(f"| {'field' if item.kind == 'struct' else 'value'} | |\n|---|---|\n" + "\n".join(rows))
        return "\n\n".join(out) + "\n"

    def index(self):
        about = self.headers["wgdn"][0]
        about = re.sub(r"(?m)^    (\w+)\.h  +(.*)$", r"- [\1.h](\1.md): \2", about)
        first, _, rest = about.partition("\n\n")
        out = ["# The C interface", first.strip(),
               "Made of the headers in `include/wgdn`, whose comments these are; "
               "[how to compile and link](../../howto/c.md)."]
        for block in re.split(r"\n\s*\n", rest):
            out.append(block if block.startswith("- ") else self.prose(block, "index"))
        return "\n\n".join(out) + "\n"
