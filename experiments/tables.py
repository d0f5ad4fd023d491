#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the tables of the experiments' READMEs as their scripts print them from the raw output that is committed.

    tables.py            # writes them anew where they differ; read the diff before committing it
    tables.py --check    # only says which differ

A table stands between two lines, `<!-- table: mu.py -->` and `<!-- /table -->`: what that script, of the document's folder, prints
with --table. tests/e2e/test_repro.py checks them all.
"""

import pathlib
import re
import shlex
import subprocess
import sys

from laboratory import ROOT

MARKED = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- /table -->)", re.DOTALL)


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "experiments").glob("*/README.md"))]


def commands(document):
    return [match[1] for match in MARKED.findall(document.read_text(encoding="utf-8"))]


def printed(document, command):
    """What a script says now; figures are not drawn."""
    script, *options = shlex.split(command)
    return subprocess.run([sys.executable, "-B", document.parent / script, *options, "--table"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def renewed(document):
    text = document.read_text(encoding="utf-8")
    return MARKED.sub(lambda match: f"{match[1]}{printed(document, match[2])}\n{match[3]}", text)


def main():
    differ = [document for document in documents() if renewed(document) != document.read_text(encoding="utf-8")]
    for document in differ:
        print(document.relative_to(ROOT))
        if "--check" not in sys.argv[1:]:
            document.write_text(renewed(document), encoding="utf-8")
    return 1 if differ and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
