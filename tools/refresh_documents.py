#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites what the documents' commands print, where it is no longer what they say (tests/e2e/test_readme.py checks it).

    .venv/bin/python3 tools/refresh_documents.py [PROGRAM]

PROGRAM is build/release/polyrx unless given. Read the diff before committing it. Output that is shortened by "..." is
left for a person to mend.
"""

import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ["POLYRX"] = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/polyrx").resolve())
sys.path.insert(0, str(ROOT / "tests/e2e"))
import test_readme  # noqa: E402  (it reads POLYRX when it is imported)


def refreshed(text, folder):
    """The document with every output as it is now."""
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for command, expected in test_readme.commands_of(text):
        prints = test_readme.output_of(command, folder / "here", environment)
        if prints is None or test_readme.says_the_same(expected, prints):
            continue
        if "..." in expected:
            print(f"not mended, since it is shortened: $ {command}", file=sys.stderr)
            continue
        before = "\n".join([f"$ {command}", *expected])
        assert text.count(before) == 1, f"stands there twice: {before}"
        text = text.replace(before, "\n".join([f"$ {command}", *prints.splitlines()]))
    return text


for document in test_readme.DOCUMENTS:
    with tempfile.TemporaryDirectory() as name:
        test_readme.make_folders(pathlib.Path(name))
        old = document.read_text(encoding="utf-8")
        new = refreshed(old, pathlib.Path(name))
        if new != old:
            document.write_text(new, encoding="utf-8")
            print(document.relative_to(ROOT))
