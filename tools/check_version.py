#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that CITATION.cff and CHANGELOG.md speak of the version that CMakeLists.txt sets.

    tools/check_version.py [ROOT]
"""

import pathlib
import re
import sys


def check(root):
    """One line per file that disagrees."""

    def find(name, pattern):
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        return match[1] if match else None

    version = find("CMakeLists.txt", r"^project\(polyrx VERSION ([0-9.]+)")
    if version is None:
        return ["CMakeLists.txt: project(polyrx VERSION ...) is not there"]
    elsewhere = {
        "CITATION.cff": find("CITATION.cff", r"^version: \"?([0-9.]+)"),
        "CHANGELOG.md": find("CHANGELOG.md", r"^## \[([0-9.]+)\]"),  # the topmost
    }
    return [f"{name}: says {said}, and CMakeLists.txt {version}" for name, said in elsewhere.items() if said != version]


if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    disagreements = check(here)
    print(*disagreements, sep="\n", end="\n" if disagreements else "")
    sys.exit(1 if disagreements else 0)
