#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Look at the finished site: fail on a link or an anchor that leads nowhere, on anything that a browser would fetch from the
network, and on Markdown that was not understood.

    packaging/site/check.py build/site/html
"""
import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.words, self.code = set(), [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.update(filter(None, (given.get("id"), given.get("name") if tag == "a" else None)))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("img", "script", "iframe", "source") and given.get("src"):
            self.loads.append(given["src"])
        elif tag == "link" and given.get("href") and given.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(given["href"])
        self.code += tag in ("code", "pre", "script", "style")

    def handle_endtag(self, tag):
        self.code -= tag in ("code", "pre", "script", "style")

    def handle_data(self, data):
        if not self.code:
            self.words.append(data)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(root.rglob("*.html"))}
    wrong, links, outside = [], 0, set()

    def follow(path, link, what):
        nonlocal links
        links += 1
        parts = urlsplit(link)
        if parts.scheme in ("http", "https", "mailto"):
            outside.add(link)
            return
        if parts.scheme or parts.netloc or link.startswith("/"):
            wrong.append(f"{path.relative_to(root)}: {what} {link}")
            return
        to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        to = to / "index.html" if to.is_dir() else to
        if not to.exists():
            wrong.append(f"{path.relative_to(root)}: {what} {link}: no such file")
        elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].ids:
            wrong.append(f"{path.relative_to(root)}: {what} {link}: no such anchor")

    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            follow(path, link, "link")
        for load in page.loads:
            if re.match(r"(https?:)?//", load):
                wrong.append(f"{path.relative_to(root)}: fetched from the network: {load}")
            elif not load.startswith("data:"):
                follow(path, load, "file")
        text = "".join(page.words)
        for sign in (r"(?m)^\s*\|[ |:-]*---", r"(?m)^\s*```", r"(?m)^:::", r"\]\([^)\s]+\)", r"(?m)^#{1,4} "):
            found = re.search(sign, text)
            if found:
                wrong.append(f"{path.relative_to(root)}: not understood: {text[found.start():found.start() + 60].strip()!r}")
    for path in sorted(root.rglob("*.css")):
        for url in re.findall(r"url\(\s*['\"]?((?:https?:)?//[^)]*)", path.read_text()):
            wrong.append(f"{path.relative_to(root)}: fetched from the network: {url}")
    print("\n".join(wrong))
    print(f"{len(pages)} pages, {links} links, {len(outside)} of them to other sites; {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
