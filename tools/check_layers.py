#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every stage includes only what the design allows it to, that third parties stay where they belong, and that
no two types have one name.

    tools/check_layers.py [ROOT]

Prints one line per violation and exits 1 if there is any.
"""

import pathlib
import re
import sys

# A stage may include itself and what it lists. A new stage or edge is a decision: it belongs in docs/decisions too.
ALLOWED = {
    "core": "",
    "geometry": "core",
    "plot": "core",
    "data": "core",
    "network": "core geometry",
    "train": "core network",
    "encode": "core data geometry",
    "learners": "core data",
    "rules": "core data encode geometry",
    "tree": "core encode rules network geometry",
    "baselines": "core data encode learners tree",
    "policy": "core data encode rules network baselines tree",
    "extract": "core encode rules network geometry policy tree verify",
    # Never extract: the checker stays independent of the maker.
    "verify": "core encode rules network geometry policy tree",
    "evaluate": "core data encode learners",
    "fit": "core data encode learners rules network train baselines policy tree extract evaluate",
    "compare": "core data encode baselines policy fit evaluate",
    "export": "core encode rules network policy tree plot",
    "report": "core data encode rules network policy tree verify evaluate export plot",
}

# How an include of each library begins.
LIBRARIES = {
    "Eigen": ("Eigen/", "unsupported/Eigen/"),
    "fmt": ("fmt/",),
    "JSON": ("nlohmann/",),
    "CLI11": ("CLI/", "CLI11.hpp"),
    "zlib": ("zlib.h", "zconf.h"),
    "Highway": ("hwy/",),
    "Clp": ("Clp", "coin/Clp"),
    "Cbc": ("Cbc", "Cgl", "Osi", "Coin", "coin/"),
    "GoogleTest": ("gtest/", "gmock/"),
    "Google Benchmark": ("benchmark/",),
}
SYSTEM_FOLDERS = ("sys/", "linux/", "arpa/", "netinet/")
ONE_FILE_EACH = ("zlib", "Clp", "Cbc")
# Outside of the library: what tests ask, and the search that the benchmark runs with Clp instead of our simplex.
CLP_FILES = ("tests/support/clp_lp.cpp", "bench/macro/trees/clp_search.cpp")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def library_of(include):
    """The library that an include belongs to, "" for the standard library and the system, None if it is unknown."""
    for library, beginnings in LIBRARIES.items():
        if include.startswith(beginnings):
            return library
    return None if "/" in include and not include.startswith(SYSTEM_FOLDERS) else ""


def includes_of(path):
    """(line number, is quoted, what) of every include."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1] == '"', match[2]


def stage_trouble(stage, include):
    """What is wrong with an include of another of our files, or None."""
    parts = include.split("/")
    if len(parts) == 2:  # polyrx/version.hpp
        return None
    if parts[1] != stage and parts[1] not in ALLOWED[stage].split():
        return f"{stage} may not include {parts[1]} (it may: {ALLOWED[stage] or 'nothing'})"
    return None


def is_public_header(path):
    """Whether it is installed; the -inl.hpp of a kernel, compiled for one SIMD target after the other, is not."""
    return path.suffix == ".hpp" and path.parts[0] == "src" and not path.name.endswith("-inl.hpp")


def library_trouble(path, library):
    """What is wrong with an include of a library in this file, or None."""
    if library is None:
        return "unknown library: add it to tools/check_layers.py and docs/dependencies.md"
    if library in ("GoogleTest", "Google Benchmark"):
        return f"{library} is for tests and benchmarks"
    if library == "CLI11" and path.as_posix() != "apps/polyrx/parse.cpp":
        return "CLI11 belongs in apps/polyrx/parse.cpp only"
    if library == "Highway" and "kernel" not in path.name:
        return "Highway belongs in files named *kernel* only"
    if is_public_header(path) and library not in ("", "Eigen"):
        return f"{library} may not appear in a public header; only Eigen may"
    return None


def defined_types(source):
    """The types that a file defines outside of unnamed namespaces: (line, name with its namespace)."""
    namespace, unnamed = "", False
    for line, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if named := re.match(r"namespace ([\w:]+) \{", text):
            namespace = named[1]
        elif text == "namespace {":
            unnamed = True
        elif text == "}  // namespace":
            unnamed = False
        elif not unnamed and (type_ := re.match(r"(?:struct|class|enum class) (\w+)\b(?!.*;$)", text)):
            yield line, f"{namespace}::{type_[1]}"


def check_one_definition(root, found):
    """No linker finds two types of one name, and what is made of either is then made of both."""
    first = {}
    for source in sorted((root / "src/polyrx").rglob("*.[ch]pp")):
        for line, name in defined_types(source):
            here = f"{source.relative_to(root)}:{line}"
            if first.setdefault(name, here) != here:
                found.append(f"{here}: {name} is defined in {first[name]} already")


def check(root):
    """Every violation under root, as "path:line: what"."""
    found = []
    check_one_definition(root, found)
    users = {library: {} for library in ONE_FILE_EACH}
    sources = [p for folder in ("src/polyrx", "apps") for p in sorted((root / folder).rglob("*.[ch]pp"))]
    for source in sources:
        path = source.relative_to(root)
        stage = path.parts[2] if path.parts[0] == "src" and len(path.parts) > 3 else None
        if stage is not None and stage not in ALLOWED:
            found.append(f"{path}:1: '{stage}' is no stage of the design")
            continue
        for line, quoted, include in includes_of(source):
            trouble = None
            if include.startswith("polyrx/"):
                if stage is not None:
                    trouble = stage_trouble(stage, include)
                if include.endswith("-inl.hpp") and (path.suffix != ".cpp" or "kernel" not in path.name):
                    trouble = "an -inl.hpp belongs to the .cpp of a kernel only"
            elif quoted:
                if path.parts[0] == "src":
                    trouble = "our own headers are included by their whole path, \"polyrx/stage/file.hpp\""
            else:
                library = library_of(include)
                trouble = library_trouble(path, library)
                if library in users:
                    users[library].setdefault(path, line)
            if trouble:
                found.append(f"{path}:{line}: {include}: {trouble}")
    # Tests and benchmarks may use what they like, but ask Clp through one file too.
    for source in [p for folder in ("tests", "bench") for p in sorted((root / folder).rglob("*.[ch]pp"))]:
        path = source.relative_to(root)
        for line, quoted, include in includes_of(source):
            if not quoted and library_of(include) in ("Clp", "Cbc") and path.as_posix() not in CLP_FILES:
                found.append(f"{path}:{line}: {include}: Clp is asked through tests/support/clp_lp.hpp")
    for library, files in users.items():
        for path, line in list(files.items())[1:]:
            found.append(f"{path}:{line}: {library} belongs in one file, and {next(iter(files))} has it already")
    return found


if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    violations = check(here)
    print(*violations, sep="\n", end="\n" if violations else "")
    sys.exit(1 if violations else 0)
