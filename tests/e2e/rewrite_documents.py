#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes into the documents what their commands print now. Look at the diff before you commit it.

    POLYRX=build/release/polyrx .venv/bin/python3 tests/e2e/rewrite_documents.py [DOCUMENT ...]

Without a document, all are rewritten. Where a document abridges with "...", as many lines stay before and behind it.
Output that test_readme.py accepts stays as it is. docs/warfarin.md needs the consortium's file (tests/e2e/iwpc.py).
"""

import os
import pathlib
import re
import sys
import tempfile

from iwpc import REAL
from test_readme import DOCUMENTS, ROOT, commands_of, make_folders, output_of, says_the_same


def abridged(expected, prints):
    """The printed lines, shortened as the expected ones are."""
    lines = [line.rstrip() for line in prints.rstrip("\n").split("\n")] if prints.strip() else []
    dots = [i for i, line in enumerate(expected) if line.strip() == "..."]
    if len(dots) != 1:
        return lines
    behind = len(expected) - 1 - dots[0]
    if len(lines) <= dots[0] + behind:
        return lines
    return [*lines[:dots[0]], expected[dots[0]], *(lines[len(lines) - behind:] if behind else [])]


def rewritten(text, fence, folder, environment):
    """The document with the output of its commands as it is now."""
    def block_with_output(match):
        lines = []
        for command, expected in commands_of(f"```console\n{match[1]}```"):
            space = [line for line in expected[::-1] if line == ""][:1] if expected and expected[-1] == "" else []
            prints = output_of(command, folder, environment)
            kept = prints is None or says_the_same(expected, prints)
            lines += [f"$ {command}", *(expected if kept else abridged(expected, prints) + space)]
        return "\n".join([f"```{fence}", *lines, "```"])

    return re.sub(rf"^```{fence}\n(.*?)^```", block_with_output, text, flags=re.MULTILINE | re.DOTALL)


def main(documents):
    for document in documents:
        fence = "sh" if document.name == "warfarin.md" else "console"
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            make_folders(root)
            environment = {**os.environ, "PATH": f"{root / 'bin'}:{os.environ['PATH']}"}
            if fence == "sh":
                if not REAL.exists():
                    print(f"{document}: skipped, {REAL} is not here", file=sys.stderr)
                    continue
                (root / "here/iwpc.csv").symlink_to(REAL)
            text = document.read_text(encoding="utf-8")
            new = rewritten(text, fence, root / "here", environment)
            if new != text:
                document.write_text(new, encoding="utf-8")
                print(document.relative_to(ROOT), flush=True)


if __name__ == "__main__":
    main([pathlib.Path(name).resolve() for name in sys.argv[1:]] or DOCUMENTS)
