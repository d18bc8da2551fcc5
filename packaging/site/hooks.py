# SPDX-License-Identifier: Apache-2.0
"""What MkDocs is told beside docs/: documents from other folders, pages that are generated, and links between them.

A link in a document is relative to its place in the repository. Here it becomes one to the page that the document is on;
a link to a source file becomes one to a page with its text.
"""
import ast
import os
import pathlib
import posixpath
import re
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import commands  # noqa: E402
import headers  # noqa: E402

DOCUMENTS = {  # place in the repository -> page
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "bench/README.md": "project/bench.md",
    "bench/peers/README.md": "project/peers.md",
    "fuzz/README.md": "project/fuzz.md",
    "packaging/kubernetes/README.md": "project/kubernetes.md",
    "packaging/site/README.md": "project/site.md",
    "packaging/slurm/README.md": "project/slurm.md",
    "python/README.md": "project/python.md",
    "tests/cli/README.md": "project/cli-tests.md",
}
OF_PAGE = {page: document for document, page in DOCUMENTS.items()}
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".sh": "sh", ".json": "json", ".yaml": "yaml", ".cff": "yaml"}
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
CODE = re.compile(r"(^ {0,3}```.*?^ {0,3}```[^\n]*$|``[^\n]*?``|`[^`\n]*`)", re.M | re.S)


def program():
    return os.environ.get("WGDN_PROGRAM", str(ROOT / "build/release/cli/wgdn"))


def document_of(page):
    """Where in the repository a page comes from."""
    return OF_PAGE.get(page, f"docs/{page}")


def page_of(document):
    """The page of a path of the repository: a document, a file, or a folder."""
    if document == "README.md":
        return "index.md"
    if document in DOCUMENTS:
        return DOCUMENTS[document]
    if document.startswith("docs/") and not (ROOT / document).is_dir():
        return document.removeprefix("docs/")
    return f"sources/{document}/index.md" if (ROOT / document).is_dir() else f"sources/{document}.md"


def on_config(config):
    def fill(entry):
        if isinstance(entry, list):
            return [fill(e) for e in entry]
        if isinstance(entry, dict):
            return {title: fill(e) for title, e in entry.items()}
        if entry == "COMMANDS":
            return ["reference/commands/index.md",
                    *({name: f"reference/commands/{name}.md"} for name, _ in commands.commands(program()))]
        if entry == "HEADERS":
            stems = sorted(path.stem for path in (ROOT / "include/wgdn").glob("*.h"))
            return ["reference/c/index.md", *({f"{s}.h": f"reference/c/{s}.md"} for s in stems if s != "wgdn")]
        return entry

    config.nav = fill(config.nav)
    return config


def linked(text):
    """What a document links to, outside of code."""
    return [link for piece in CODE.split(text)[::2] for link in LINK.findall(piece)]


def is_outside(link):
    return re.match(r"[a-z]+:|#|/", link)


def target_of(page, link):
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(document_of(page)), path)), anchor


def source_pages(document, made):
    """Pages for a source file or folder that is linked to, and for what such a folder holds."""
    page, path = page_of(document), ROOT / document
    if page in made:
        return
    title = f"---\nsearch:\n  exclude: true\n---\n\n# {document}\n\n"
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.is_file() and p.suffix in (*LANGUAGES, ".txt", ".md"))
        made[page] = title + "\n".join(f"- [{p.name}]({p.name}.md)" for p in inside) + "\n"
        for p in inside:
            source_pages(f"{document}/{p.name}", made)
    else:
        made[page] = f"{title}````{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text()}\n````\n"


def check_python_page():
    """Every public name of the package stands on its page."""
    tree = ast.parse((ROOT / "python/wgdn/__init__.py").read_text())
    names = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)
                 and getattr(node.targets[0], "id", "") == "__all__")
    page = (ROOT / "docs/reference/python.md").read_text()
    missing = [name for name in names if not re.search(rf"^### wgdn\.{name}$", page, re.M) and name not in ("__version__", "datasets")]
    if missing:
        raise PluginError(f"docs/reference/python.md does not have {', '.join(missing)}")


def on_files(files, config):
    for document, page in DOCUMENTS.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / document)))
    made = {"reference/commands/index.md": commands.index(program())}
    for name, _ in commands.commands(program()):
        made[f"reference/commands/{name}.md"] = commands.page(program(), name)
    interface = headers.Pages(ROOT / "include/wgdn")
    exported = set(re.findall(r"^    (wgdn_\w+);", (ROOT / "src/wgdn.map").read_text(), re.M))
    if exported - interface.functions():
        raise PluginError(f"not found in the headers: {', '.join(sorted(exported - interface.functions()))}")
    made["reference/c/index.md"] = interface.index()
    for stem in interface.headers:
        if stem != "wgdn":
            made[f"reference/c/{stem}.md"] = interface.page(stem)
    check_python_page()

    have = {f.src_uri for f in files}
    for file in [f for f in files if f.is_documentation_page() and f.src_uri not in made]:
        for link in linked(pathlib.Path(file.abs_src_path).read_text()):
            if is_outside(link):
                continue
            document, _ = target_of(file.src_uri, link)
            if page_of(document) not in have and (ROOT / document).exists():
                source_pages(document, made)
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    for name in ("site.css", "iframe-worker.js"):
        files.append(File.generated(config, name, abs_src_path=str(HERE / name)))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    markdown = re.sub(r"\A<!-- .* -->\n", "", markdown)  # what .ci/docs is told; a title comes first
    if page.file.generated_by and uri not in OF_PAGE:
        return markdown

    def one(match):
        link = match[0]
        if is_outside(link):
            return link
        document, anchor = target_of(uri, link)
        if not (ROOT / document).exists():
            raise PluginError(f"{document_of(uri)}: there is no {document}")
        to = posixpath.relpath(page_of(document), posixpath.dirname(uri) or ".")
        return to + ("#" + anchor if anchor else "")

    pieces = CODE.split(markdown)
    pieces[::2] = [LINK.sub(one, piece) for piece in pieces[::2]]
    return "".join(pieces)
