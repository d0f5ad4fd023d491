#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over every file of a compilation database that has changed since it was last clean.

    tools/tidy.py build/lint/compile_commands.json

A file counts as changed when it, a project header it reaches, its command line, .clang-tidy or the version of clang-tidy
has. Clean files leave an empty stamp, named after the hash of all that, in build/tidy-cache. Prints only findings, each
once, and exits 1 if there is any.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build/tidy-cache"
TOOL = "clang-tidy-19"
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)


@functools.cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def included_names(path):
    return [name.decode() for name in INCLUDE.findall(path.read_bytes())]


def project_files(source, include_folders):
    """The source and every file of the project it can reach by #include, whatever the preprocessor would skip."""
    reached, pending = set(), [source]
    while pending:
        path = pending.pop()
        if path in reached:
            continue
        reached.add(path)
        for name in included_names(path):
            candidates = (folder / name for folder in (path.parent, *include_folders))
            pending += [c.resolve() for c in candidates if c.is_file()]
    return sorted(reached)


def stamp_of(source, command, version):
    """Where the stamp of a clean run over this source would be."""
    # Only folders of the project: the system's headers change with its packages, and not under one's hands.
    folders = [pathlib.Path(word[2:]) for word in shlex.split(command) if word.startswith("-I")]
    folders = [folder for folder in folders if folder.is_relative_to(ROOT)]
    settings = [folder / ".clang-tidy" for folder in source.parents if (folder / ".clang-tidy").is_file()]
    settings = [path for path in settings if path.is_relative_to(ROOT)]
    key = hashlib.sha256((version + command).encode())
    for path in settings + project_files(source, folders):
        key.update(f"{path.relative_to(ROOT)} {digest(path)}\n".encode())
    return CACHE / key.hexdigest()


def findings_in(output):
    """The findings of one run, without what clang-tidy says around them."""
    return re.split(r"^(?=/.*:\d+:\d+: (?:warning|error):)", output, flags=re.MULTILINE)


def tidy(source, database):
    """The findings in one file; none when it is clean."""
    run = subprocess.run(
        [TOOL, "--quiet", "-p", database.parent, source], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if run.returncode == 0:
        return []
    found = [part.strip() for part in findings_in(run.stdout) if part.strip()]
    return found or [f"{source}: {TOOL} failed:\n{run.stderr.strip()}"]


def main(database):
    version = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
    CACHE.mkdir(parents=True, exist_ok=True)

    # A source that two targets compile has two commands, and clang-tidy tries both in one run.
    commands = {}
    for entry in json.loads(database.read_text()):
        source = pathlib.Path(entry["file"]).resolve()
        if source.is_relative_to(ROOT):
            commands[source] = commands.get(source, "") + entry["command"] + "\n"
    stamps = {source: stamp_of(source, command, version) for source, command in commands.items()}
    changed = [source for source, stamp in stamps.items() if not stamp.exists()]
    if changed:
        print(f"clang-tidy over {len(changed)} of {len(stamps)} files", file=sys.stderr, flush=True)

    printed = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(tidy, source, database): source for source in changed}
        for run in concurrent.futures.as_completed(runs):
            found = run.result()
            if not found:
                stamps[runs[run]].touch()
            for finding in found:
                if finding not in printed:
                    printed.add(finding)
                    print(finding, flush=True)
    return 1 if printed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
