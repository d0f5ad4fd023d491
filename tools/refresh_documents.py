#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites what the documents' commands print, where it is no longer what they say (tests/e2e/test_readme.py checks it).

    .venv/bin/python3 tools/refresh_documents.py [PROGRAM]

PROGRAM is build/release/polyrx unless given. Read the diff before committing it. Where output is shortened by one "...",
as many lines stay before and behind it. docs/warfarin.md is left out without the consortium's file.
"""

import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ["POLYRX"] = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/polyrx").resolve())
sys.path.insert(0, str(ROOT / "tests/e2e"))
import iwpc  # noqa: E402
import test_readme  # noqa: E402  (it reads POLYRX when it is imported)


def shortened(expected, prints):
    """The printed lines, with "..." where the expected ones have it."""
    lines = [line.rstrip() for line in prints.rstrip().splitlines()]
    at = expected.index("...")
    behind = len(expected) - 1 - at
    return [*lines[:at], "...", *lines[len(lines) - behind:]] if len(lines) > at + behind else lines


def refreshed(text, folder):
    """The document with every output as it is now."""
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for command, expected in test_readme.commands_of(text):
        prints = test_readme.output_of(command, folder / "here", environment)
        if prints is None or test_readme.says_the_same(expected, prints):
            continue
        if expected.count("...") > 1:
            print(f"not mended, since it is shortened twice: $ {command}", file=sys.stderr)
            continue
        before = "\n".join([f"$ {command}", *expected])
        assert text.count(before) == 1, f"stands there twice: {before}"
        lines = shortened(expected, prints) if "..." in expected else prints.splitlines()
        text = text.replace(before, "\n".join([f"$ {command}", *lines]))
    return text


def refresh(document, fence):
    """Rewrites the outputs in blocks of one kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_readme.make_folders(folder)
        if fence == "sh":
            (folder / "here/iwpc.csv").symlink_to(iwpc.REAL)
        old = document.read_text(encoding="utf-8")
        # Only blocks that are marked "console" are run.
        text = old if fence == "console" else old.replace("```console\n", "```other\n").replace(f"```{fence}\n", "```console\n")
        new = refreshed(text, folder)
        if fence != "console":
            new = new.replace("```console\n", f"```{fence}\n").replace("```other\n", "```console\n")
        if new != old:
            document.write_text(new, encoding="utf-8")
            print(document.relative_to(ROOT), flush=True)


for each in test_readme.DOCUMENTS:
    refresh(each, "console")
    # Commands on a file that users must ask for are not marked as examples (test_warfarin.py runs them).
    if each.name == "warfarin.md" and iwpc.REAL.exists():
        refresh(each, "sh")
