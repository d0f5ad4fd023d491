#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what the project's pages point to exists: linked files and headings, and paths of sources in backticks.

    tools/check_documents.py [ROOT]

Prints one line per dead reference and exits 1 if there is any. Dated decisions keep the paths of their day.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`((?:src|apps|tests|tools|experiments|bench|docs|deps|cmake)/[\w./-]+)`")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SKIPPED = ("build", ".venv", ".git", "node_modules")


def anchor(heading):
    """The name by which a page of GitHub links to a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(page):
    return {anchor(line.lstrip("#")) for line in FENCE.sub("", page.read_text(encoding="utf-8")).splitlines() if line.startswith("#")}


def dead_references(page, root):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, heading = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"there is no {target}"
        elif heading and file.suffix == ".md" and heading not in anchors_of(file):
            yield f"{target}: there is no such heading"
    if "decisions" not in page.parts:
        for path in SOURCE.findall(text):
            if "NAME" not in path and not (root / path).exists():
                yield f"there is no {path}"


def check(root):
    pages = [page for page in sorted(root.rglob("*.md")) if not any(part in SKIPPED for part in page.relative_to(root).parts)]
    return [f"{page.relative_to(root)}: {what}" for page in pages for what in dead_references(page, root)]


if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = check(here)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
