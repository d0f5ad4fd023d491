#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the marked tables of READMEs as their scripts print them from the raw output that is committed.

    tables.py            # writes them anew where they differ; read the diff before committing it
    tables.py --check    # only says which differ

A table stands between two lines, `<!-- table: mu.py -->` and `<!-- /table -->`: what that script, of the document's folder, prints
with --table. tests/e2e/test_repro.py checks them.
"""

import argparse
import re
import shlex
import subprocess
import sys

from laboratory import ROOT

MARKED = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- /table -->)", re.DOTALL)


def documents():
    return [ROOT / "README.md", ROOT / "docs/results.md", *sorted((ROOT / "experiments").glob("*/README.md"))]


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    differ = False
    for document in documents():
        text = renewed(document)
        if text == document.read_text(encoding="utf-8"):
            continue
        differ = True
        print(document.relative_to(ROOT))
        if not arguments.check:
            document.write_text(text, encoding="utf-8")
    return 1 if differ and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
