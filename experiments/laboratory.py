# SPDX-License-Identifier: Apache-2.0
"""What the scripts of experiments share: how they are called, the program they run, tables that grow on disk."""

import argparse
import atexit
import concurrent.futures
import csv
import io
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROLES = ["--treatment", "treatment", "--outcome", "outcome"]

# Student's t for 95 %, by degrees of freedom from 1.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]


def seeds_of(text):
    """"1-10" as a range."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def some_of(names):
    """What --only and --methods take: some of these names, with commas."""
    def split(text):
        for name in text.split(","):
            if name not in names:
                raise argparse.ArgumentTypeError(f"there is no '{name}': {'; '.join(names)}")
        return text.split(",")
    return split


def from_to(numbers):
    """"3 to 10", or "10" where all are the same."""
    return " to ".join(map(str, dict.fromkeys((min(numbers), max(numbers)))))


def t_quantile(freedom):
    """How many standard errors make a 95 % interval, with so many degrees of freedom."""
    return T95[freedom - 1] if freedom <= len(T95) else 1.96 + 2.4 / freedom


def mean_and_interval(values, shared=0):
    """Mean, low and high end; the ends are not numbers where one value has none. `shared` is for values that share rows, of random splits of the
    same ones: test rows as a share of training rows (Nadeau & Bengio 2003), without which the interval would be too short."""
    middle = statistics.mean(values)
    if len(values) < 2:
        return middle, math.nan, math.nan
    half = t_quantile(len(values) - 1) * statistics.stdev(values) * math.sqrt(1 / len(values) + shared)
    return middle, middle - half, middle + half


def difference(values, digits=3, shared=0):
    """"-0.045 [-0.100, +0.011]", without the interval where there is one value, and nothing where there is none."""
    if not values:
        return ""
    middle, low, high = mean_and_interval(values, shared)
    interval = f" [{low:+.{digits}f}, {high:+.{digits}f}]" if len(values) > 1 else ""
    return f"{middle:+.{digits}f}{interval}"


def mean_and_deviation(values, digits=2):
    """"84.47 ±0.71", or without the deviation where there is one value."""
    spread = f" ±{statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.{digits}f}{spread}"


COPIES, COPYING = {}, threading.Lock()


def copy_of(path):
    """The program as it is when it is first asked for: one that is built anew meanwhile does not get into the same table."""
    with COPYING:
        if path not in COPIES:
            folder = pathlib.Path(tempfile.mkdtemp())
            atexit.register(shutil.rmtree, folder)
            COPIES[path] = pathlib.Path(shutil.copy(path, folder))
        return COPIES[path]


class Program:
    """polyrx, in a folder of its own that goes when it is left. Use it with `with`."""

    def __init__(self, path):
        self.path = copy_of(pathlib.Path(path).resolve())

    def __enter__(self):
        self.held = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.held.name)
        return self

    def __exit__(self, *_):
        self.held.cleanup()

    def run(self, *command):
        """Its standard output; what it says otherwise is shown when it fails. Unless a call says otherwise, policies extrapolate beyond support
        and are kept whatever they are worth (docs/support.md), as the paper's are."""
        if command[0] in ("fit", "compare") and "--beyond-support" not in command:
            command = (*command, "--beyond-support", "extrapolate", *(["--no-recommendation"] if command[0] == "fit" else []))
        done = subprocess.run([self.path, *map(str, command)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"polyrx {' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def json(self, *command):
        return json.loads(self.run(*command, "--json", "-q"))

    def truth_of(self, model, data, truth):
        """What the truth says of a model: accuracy, regret, ..."""
        return self.json("evaluate", model, data, "--truth", truth)


def doubly_robust_in_folds(program, method, *options):
    """What a method is worth on three folds of train.csv, without the truth; small is good, nothing if it failed."""
    compared = program.json("compare", "train.csv", *ROLES, "--methods", method, "--folds", 3, *options, "--threads", 1)
    value = compared["methods"][0]["doubly_robust_value"]
    return "" if value is None else value


class SimulatedStudy(Program):
    """train.csv, to learn from, and test.csv, as many other rows with their truth (seed + 100,000). Use it with `with`."""

    def __init__(self, path, simulate, seed, rows=10_000):
        """`simulate`: what polyrx simulate is asked for: ["1", "--variant", "literal"]."""
        super().__init__(path)
        self.simulate, self.seed, self.rows = simulate, seed, rows

    def __enter__(self):
        super().__enter__()
        for file, seed, more in (("train.csv", self.seed, []), ("test.csv", self.seed + 100_000, ["--truth"])):
            self.run("simulate", *self.simulate, "-n", self.rows, "--seed", seed, *more, "-q", "-o", file)
        with open(self.folder / "test.csv", encoding="utf-8") as file:
            columns = file.readline().strip().split(",")
        names = [name for name in columns if name[0] == "y" and name[1:].isdigit()]
        self.truth = "5 mg=y0,10 mg=y1,20 mg=y2" if self.simulate == ["clinic"] else ",".join(names)
        return self

    def known_of(self, model):
        """What the truth of the new rows says of a model."""
        return self.truth_of(model, "test.csv", self.truth)


class Results:
    """A table on disk that grows, and knows what it has: what is there already need not be run again."""

    def __init__(self, path, fields, cell):
        """`cell`: the fields that name a cell."""
        self.path, self.fields, self.cell, self.lock = pathlib.Path(path), fields, cell, threading.Lock()
        known = csv.DictReader(io.StringIO(self.path.read_text(encoding="utf-8"))) if self.path.exists() else []
        self.rows = [{**dict.fromkeys(fields, ""), **row} for row in known]

    def has(self, **cell):
        return bool(self.where(**cell))

    def add(self, **row):
        """Written to disk before it returns; fields that are not given are empty."""
        with self.lock:
            self.rows.append({**dict.fromkeys(self.fields, ""), **{name: str(value) for name, value in row.items()}})
            self.rows.sort(key=lambda each: [natural(each[name]) for name in self.cell])
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(".part")
            with open(part, "w", newline="", encoding="utf-8") as file:
                out = csv.DictWriter(file, self.fields, lineterminator="\n")
                out.writeheader()
                out.writerows(self.rows)
            part.replace(self.path)

    def where(self, **cell):
        with self.lock:
            return [row for row in self.rows if all(row[name] == str(value) for name, value in cell.items())]

    def numbers(self, field, **cell):
        return [float(row[field]) for row in self.where(**cell) if row[field]]


def chosen_variants(results, name, *groups):
    """Rows of a method of that `name`: in each cell that has all variants of one of the groups, the variant which the rows to learn from judge
    best (the field `judged`, small is good; one alone needs none). Its seconds are those of all."""
    cells = {}
    for row in results.rows:
        if any(row["method"] in group for group in groups):
            cells.setdefault(tuple(row[field] for field in results.cell if field != "method"), {})[row["method"]] = row
    whole = [list(found.values()) for found in cells.values() if any(set(group) == set(found) for group in groups)]
    judged = [found for found in whole if len(found) == 1 or all(row["judged"] for row in found)]
    return [{**(min(found, key=lambda row: float(row["judged"])) if len(found) > 1 else found[0]), "method": name,
             "seconds": str(sum(float(row["seconds"]) for row in found))} for found in judged]


def natural(text):
    """Numbers by their size, words behind them by the alphabet."""
    try:
        return (0, float(text), "")
    except ValueError:
        return (1, 0.0, text)


def do_all(tasks, jobs):
    """Calls them, so many at a time, with a line on standard error for each that is done. What fails is said, and the others go on: a
    run of hours shall not end with its first cell. The first error is raised in the end."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        work = [pool.submit(task) for task in tasks]
        try:
            for done, each in enumerate(concurrent.futures.as_completed(work), 1):
                if each.exception():
                    failed.append(each.exception())
                    print(f"failed: {failed[-1]!r}", file=sys.stderr)
                print(f"{done} of {len(work)}", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    if failed:
        raise failed[0]


def beside_readme(arguments, script):
    """Where figures go: beside the README, unless the results are not those that are kept there."""
    here = pathlib.Path(script).resolve().parent
    return here if arguments.results.resolve() == here / "results" else arguments.results


def parser_of(script, description, seeds=None):
    """Experiments that reproduce the paper take --quick, --program, --results, --jobs and --table."""
    here = pathlib.Path(script).resolve().parent
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "polyrx")
    parser.add_argument("--results", type=pathlib.Path, default=here / "results", help="the folder of raw output")
    parser.add_argument("--quick", action="store_true", help="a small version that shows that everything runs; its figures mean nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how much is run at a time, a thread each")
    parser.add_argument("--table", action="store_true", help="only print what there is")
    if seeds:
        parser.add_argument("--seeds", type=seeds_of, default=seeds_of(seeds))
    return parser
