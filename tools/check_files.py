#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the files named on standard input (each ended by a NUL): license lines in sources, and telling names.

`./dev check` feeds it every file of the project.
"""

import pathlib
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
SOURCES = {".cpp", ".hpp", ".py", ".sh", ".cmake", ".js", ".css", ".in"}
BAGS = {"utils", "util", "common", "helpers", "helper", "misc"}


def trouble_with(path):
    """What is wrong with a file, one line each."""
    stem = path.name.split(".")[0].lower()
    if stem in BAGS or any(part.lower() in BAGS for part in path.parts[:-1]):
        yield f"{path}: the name says nothing; name it after what is in it"
    with path.open("rb") as file:
        head = file.read(1000)
    is_source = path.suffix in SOURCES or path.name == "CMakeLists.txt" or head.startswith(b"#!")
    if is_source and SPDX.encode() not in b"\n".join(head.split(b"\n")[:3]):
        yield f"{path}: none of the first three lines says {SPDX}"


if __name__ == "__main__":
    names = sys.stdin.buffer.read().decode().split("\0")
    found = [line for name in names if name for line in trouble_with(pathlib.Path(name))]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
