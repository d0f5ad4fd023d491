#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every stage includes only what the design allows it to and uses what it is allowed, that third parties stay
where they belong, and that no two types have one name.

    tools/check_layers.py [ROOT]

Prints one line per violation and exits 1 if there is any.
"""

import pathlib
import re
import sys

# A stage may include itself and what it lists; each permission must be in use. A stage is a folder with its subfolders, but
# for subfolders that are listed themselves. A new stage or edge is a decision: it belongs in docs/decisions too.
ALLOWED = {
    "core": "",
    "table": "core",
    "table/io": "core table",
    "study": "core table",
    "studies": "core study table table/io",
    "geometry": "core",
    "encode": "core geometry table",
    "learners": "core table",
    "statistics": "core study",
    "nuisance": "core learners statistics study table",
    "evaluate": "core encode nuisance statistics study table",
    "rules": "core encode geometry study",
    "network": "core geometry",
    "train": "core network",
    "tree": "core geometry rules",
    "baselines": "core encode learners nuisance study tree",
    "policy": "core baselines encode network rules study table table/io tree",
    # Never extract: the checker stays independent of the maker.
    "verify": "core geometry network rules tree",
    "extract": "core encode geometry network policy rules tree verify",
    "fit": "core baselines encode evaluate extract learners network nuisance policy rules statistics study table train tree",
    "compare": "core baselines encode evaluate fit nuisance statistics study",
    "show": "core encode network policy rules tree",
    "report": "core evaluate show statistics",
    "api": "baselines compare core encode evaluate extract fit geometry network policy report rules show studies study table table/io train tree verify",
}

# The checker of certificates must not depend on what it checks, nor on how data are read: none of its headers, however
# deep, may be of these stages.
NEVER_REACHED = {"verify": "table/io learners nuisance train baselines policy extract evaluate fit"}

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
# It writes numbers as all model files have them.
JSON_FILE = "src/polyrx/core/json/json_dump.cpp"
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


def stage_of(file):
    """The stage of "table/io/csv_read.hpp": the deepest folder that is listed, else the first; None outside of all folders."""
    folders = file.split("/")[:-1]
    names = ["/".join(folders[:depth]) for depth in range(len(folders), 0, -1)]
    return next((name for name in names if name in ALLOWED), folders[0] if folders else None)


def stage_trouble(stage, include, used):
    """What is wrong with an include of another of our files, or None. Notes which permissions are used."""
    other = stage_of(include.removeprefix("polyrx/"))
    if other is None or other == stage:  # polyrx/version.hpp
        return None
    if other not in ALLOWED[stage].split():
        return f"{stage} may not include {other} (it may: {ALLOWED[stage] or 'nothing'})"
    used.add((stage, other))
    return None


def check_reach(root, found):
    """What a stage includes through others, where that matters."""
    for stage, never in NEVER_REACHED.items():
        by = {path: None for path in sorted((root / "src/polyrx" / stage).rglob("*.[ch]pp"))}
        pending = list(by)
        while pending:
            path = pending.pop()
            for _, _, include in includes_of(path):
                header = root / "src" / include
                if include.startswith("polyrx/") and header not in by and header.exists():
                    by[header] = path
                    pending.append(header)
                    if (reached := stage_of(include.removeprefix("polyrx/"))) in never.split():
                        found.append(f"{path.relative_to(root)}:1: {stage} reaches {reached} through this file ({include})")


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
    if library == "JSON" and path.parts[0] == "src" and path.as_posix() != JSON_FILE:
        return f"{library} belongs in {JSON_FILE} only: everything else uses core/json"
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


CONSTANT = re.compile(r"^(?:inline )?constexpr [\w:<>,* ]+?[ *](\w+)(?:\[\])?(?: =|\{)", re.MULTILINE)


def check_constants(root, found):
    """Sources of a folder are compiled together. There, a constant of one source would hide a header's from the others."""
    sources = sorted((root / "src/polyrx").rglob("*.[ch]pp"))
    shared = {match[1]: path for path in sources if path.suffix == ".hpp" for match in CONSTANT.finditer(path.read_text(encoding="utf-8"))}
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for match in CONSTANT.finditer(text) if path.suffix == ".cpp" else ():
            if match[1] in shared:
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{path.relative_to(root)}:{line}: {match[1]} hides the constant of {shared[match[1]].relative_to(root)}")


def check(root):
    """Every violation under root, as "path:line: what"."""
    found = []
    check_one_definition(root, found)
    check_constants(root, found)
    check_reach(root, found)
    users = {library: {} for library in ONE_FILE_EACH}
    used = set()
    sources = [p for folder in ("src/polyrx", "apps") for p in sorted((root / folder).rglob("*.[ch]pp"))]
    for source in sources:
        path = source.relative_to(root)
        stage = stage_of(path.relative_to("src/polyrx").as_posix()) if path.parts[0] == "src" else None
        if stage is not None and stage not in ALLOWED:
            found.append(f"{path}:1: '{stage}' is no stage of the design")
            continue
        for line, quoted, include in includes_of(source):
            trouble = None
            if include.startswith("polyrx/"):
                if stage is not None:
                    trouble = stage_trouble(stage, include, used)
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
    for stage, allowed in ALLOWED.items():
        found += [f"tools/check_layers.py:1: {stage} may include {other} and does not: take the permission back"
                  for other in allowed.split() if (stage, other) not in used]
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
