#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over every file of a compilation database that has changed since it was last clean.

    tools/tidy.py build/lint/compile_commands.json [--analyzer]

A file counts as changed when it, a project header it reaches, its command line, a .clang-tidy or the version of
clang-tidy has. Clean files leave an empty stamp, named after the hash of all that, in the user's cache folder, where
another clone finds it too.

Most of a run is the reading of Eigen and the walk over it, so sources of one folder are read together, as one that includes
them all. What is clean together is clean; where it is not (a finding, or two sources that use one name for two things), each
half is tried, down to single sources, whose findings are printed. What was read together is then also compiled alone, since a
source may have found there what it does not include; the release build, which compiles folders together, would not notice. With --analyzer it is clang's static analyzer that runs, over the library and the program: it
follows every path, which takes about as long as all other checks, and in tests would only follow every EXPECT.

Prints only findings, each once, and exits 1 if there is any.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "polyrx-tidy"
TOOL = "clang-tidy-19"
ANALYZER = ["--checks=-*,clang-analyzer-core.*,clang-analyzer-cplusplus.*"]
TOGETHER = 8  # more have too many names in common
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


def stamp_of(source, command, settings):
    """Where the stamp of a clean run over this source would be."""
    # Only folders of the project: the system's headers change with its packages, and not under one's hands.
    folders = [pathlib.Path(word[2:]) for word in shlex.split(command) if word.startswith("-I")]
    folders = [folder for folder in folders if folder.is_relative_to(ROOT)]
    key = hashlib.sha256((settings + command.replace(str(ROOT), "")).encode())
    for path in project_files(source, folders):
        key.update(f"{path.relative_to(ROOT)} {digest(path)}\n".encode())
    return CACHE / key.hexdigest()


def flags_of(command):
    return command.split(" -o ")[0]


@functools.cache
def names_defined(source):
    """What a source defines at the start of a line, by a glance: sources that define the same can't be read together."""
    text = source.read_text()
    names = set(re.findall(r"^(?:struct|class|enum class|enum) (\w+)", text, re.MULTILINE))
    names |= set(re.findall(r"^using (\w+) =", text, re.MULTILINE))
    names |= set(re.findall(r"^(?!namespace|using)\w[\w:<>,*& ]* [*&]*(\w+)(?:\(| =|\{)", text, re.MULTILINE))
    return names


def batches(commands, sources):
    """The sources in lists of a few that can be read together: of one folder, compiled alike, with different names."""
    open_batches, closed = {}, []
    for source in sorted(sources):
        command = commands[source]
        if command.count("\n") > 1 or "hwy/foreach_target.h" in included_names(source):  # compiled twice, or includes itself
            closed.append([source])
            continue
        alike = open_batches.setdefault((source.parent, flags_of(command)), [])
        for batch in alike:
            if len(batch) < TOGETHER and not any(names_defined(source) & names_defined(other) for other in batch):
                batch.append(source)
                break
        else:
            alike.append([source])
    return closed + [batch for alike in open_batches.values() for batch in alike]


def findings_in(output):
    """The findings of one run, without what clang-tidy says around them."""
    return re.split(r"^(?=/.*:\d+:\d+: (?:warning|error):)", output, flags=re.MULTILINE)


def tidy(source, folder, options):
    """The findings in one file; none when it is clean."""
    run = subprocess.run([TOOL, "--quiet", *options, "-p", folder, source], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode == 0:
        return []
    found = [part.strip() for part in findings_in(run.stdout) if part.strip()]
    return found or [f"{source}: {TOOL} failed:\n{run.stderr.strip()}"]


def is_clean_together(batch, command, folder):
    """Whether a source that includes all of these has no finding."""
    # One folder each: -p wants the folder of a database.
    own = pathlib.Path(tempfile.mkdtemp(dir=folder))
    source = own / "together.cpp"
    source.write_text("".join(f'#include "{each}"\n' for each in batch))
    entry = {"directory": str(folder), "file": str(source), "command": f"{flags_of(command)} -c {source}"}
    (own / "compile_commands.json").write_text(json.dumps([entry]))
    try:
        return not tidy(source, own, [])
    finally:
        shutil.rmtree(own)


def errors_alone(source, command, folder):
    """What the compiler says of one source, compiled by itself; none when it is right."""
    words = shlex.split(flags_of(command.splitlines()[0]))
    run = subprocess.run([*words, "-fsyntax-only", source], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return [] if run.returncode == 0 else [f"{source}: does not compile alone:\n{run.stderr.strip()}"]


def main(database, options):
    version = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
    settings = version + (ROOT / ".clang-tidy").read_text() + "".join(options)
    folders = [ROOT / "src", ROOT / "apps"] if options else [ROOT]
    CACHE.mkdir(parents=True, exist_ok=True)

    # A source that two targets compile has two commands, and clang-tidy tries both in one run.
    commands = {}
    for entry in json.loads(database.read_text()):
        source = pathlib.Path(entry["file"]).resolve()
        if any(source.is_relative_to(folder) for folder in folders):
            commands[source] = commands.get(source, "") + entry["command"] + "\n"
    stamps = {source: stamp_of(source, command, settings) for source, command in commands.items()}
    changed = [source for source, stamp in stamps.items() if not stamp.exists()]
    if changed:
        print(f"clang-tidy over {len(changed)} of {len(stamps)} files", file=sys.stderr, flush=True)

    def findings_of(batch):
        if len(batch) == 1:
            return {batch[0]: tidy(batch[0], database.parent, options)}
        if is_clean_together(batch, commands[batch[0]], database.parent):
            return {source: errors_alone(source, commands[source], database.parent) for source in batch}
        half = len(batch) // 2
        return findings_of(batch[:half]) | findings_of(batch[half:])

    printed = set()
    # The analyzer looks into nothing but the source that it is given, not into what that includes.
    together = [[source] for source in changed] if options else batches(commands, changed)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for run in concurrent.futures.as_completed([pool.submit(findings_of, batch) for batch in together]):
            for source, found in run.result().items():
                if not found:
                    stamps[source].touch()
                for finding in found:
                    if finding not in printed:
                        printed.add(finding)
                        print(finding, flush=True)
    return 1 if printed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), ANALYZER if "--analyzer" in sys.argv[2:] else []))
