#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains polyrx and PyTorch with the paper's recipe on the same data and compares how well they prescribe.

Thirty data sets of each of D1-D6: 10,000 rows to train, 5,000 rows with truth to test. Initial weights and shuffles are
each system's own, so the two agree only on average; what is tested is the mean of the paired differences in accuracy,
which must be within 3 of its standard errors. Exits 1 if it is not, or if a run is missing.

Each run is added to the results as it ends; started again, the script goes on where it stopped.

    experiments/peers/.venv/bin/python experiments/parity/accuracy.py
"""

import argparse
import concurrent.futures as futures
import csv
import hashlib
import json
import math
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]

# Fixed before the first run.
DATASETS = (1, 2, 3, 4, 5, 6)
SEEDS = range(201, 231)  # of the training rows, and of either system's training
TEST_SEED_OFFSET = 100_000  # test rows: seed + offset, so that no training set shares a stream with a test set
TRAINING_ROWS = 10_000
TEST_ROWS = 5_000
LIMIT = 3.0  # standard errors

SYSTEMS = ("polyrx", "pytorch")
COLUMNS = ["dataset", "seed", "system", "status", "accuracy", "regret", "seconds", "program", "note"]
STARTED_COLUMNS = ["dataset", "seed", "system", "started"]


# The data, as files that both systems read.


def call(program, arguments, folder):
    """What it printed. Runs in the folder with bare file names, so that no message names a path of this machine."""
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, timeout=1800)
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing said"]
        raise RuntimeError(f"{arguments[0]} exited {done.returncode}: {words[-1]}")
    return done.stdout


def simulate(program, folder, name, arguments):
    """Both systems of a pair ask for the same file, perhaps at once: each writes its own and renames it."""
    target = folder / name
    if not target.exists():
        beside = folder / f"{name}.{os.getpid()}"
        beside.write_bytes(call(program, ["simulate", *arguments], folder))
        os.replace(beside, target)


def make_data(program, work, dataset, seed):
    folder = work / f"D{dataset}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    simulate(program, folder, "train.csv", [dataset, "--n", TRAINING_ROWS, "--seed", seed])
    simulate(program, folder, "test.csv", [dataset, "--n", TEST_ROWS, "--seed", seed + TEST_SEED_OFFSET, "--truth"])
    return folder


def read_columns(path):
    """Header -> column, as float64."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows)
        values = np.array([[float(cell) for cell in row] for row in rows])
    return dict(zip(header, values.T))


def truth_columns(folder):
    with open(folder / "test.csv", newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
    return [name for name in (f"y{k}" for k in range(len(header))) if name in header]


# The two systems: each returns accuracy, regret and the seconds from the training file to the trained network.


def run_polyrx(program, folder, seed):
    begun = time.perf_counter()
    fit = ["fit", "train.csv", "--treatment", "treatment", "--outcome", "outcome", "--recipe", "paper", "--no-recommendation"]
    call(program, [*fit, "--seed", seed, "--threads", 1, "-o", "model.json"], folder)
    seconds = time.perf_counter() - begun
    truth = ",".join(truth_columns(folder))
    score = json.loads(call(program, ["evaluate", "model.json", "test.csv", "--truth", truth, "--json"], folder))
    if score["rows"] != TEST_ROWS:
        raise RuntimeError(f"evaluate saw {score['rows']} rows instead of {TEST_ROWS}")
    return score["accuracy"], score["regret"], seconds


def score_against_truth(prescriptions, truth):
    """Right where the true outcome is the best one, whichever treatment has it."""
    received = truth[np.arange(len(truth)), prescriptions]
    best = truth.min(axis=1)
    return float((received == best).mean()), float((received - best).mean())


def run_pytorch(folder, seed):
    import paper_recipe

    paper_recipe.one_thread()
    begun = time.perf_counter()
    train = read_columns(folder / "train.csv")
    features = [name for name in train if name not in ("treatment", "outcome")]
    inputs = np.column_stack([train[name] for name in features])
    mean, sd = inputs.mean(axis=0), inputs.std(axis=0)
    names = truth_columns(folder)
    network = paper_recipe.fit_paper_recipe(
        (inputs - mean) / sd, train["treatment"], train["outcome"], len(names), seed
    )
    seconds = time.perf_counter() - begun

    test = read_columns(folder / "test.csv")
    inputs = np.column_stack([test[name] for name in features])
    truth = np.column_stack([test[name] for name in names])
    return *score_against_truth(paper_recipe.prescribe(network, (inputs - mean) / sd), truth), seconds


def run_one(program, work, dataset, seed, system):
    """A row without its program column. A failure is a result too."""
    try:
        folder = make_data(program, work, dataset, seed)
        accuracy, regret, seconds = (
            run_polyrx(program, folder, seed) if system == "polyrx" else run_pytorch(folder, seed)
        )
        if not (0 <= accuracy <= 1 and 0 <= regret < math.inf):
            raise RuntimeError(f"accuracy {accuracy}, regret {regret}")
    except Exception as error:  # whatever it is, it is listed
        return [f"D{dataset}", seed, system, "failed", "", "", "", f"{type(error).__name__}: {error}"]
    return [f"D{dataset}", seed, system, "ok", f"{accuracy:.6f}", f"{regret:.6f}", f"{seconds:.2f}", ""]


# The record of runs.


def read_rows(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def append(path, columns, row):
    fresh = not path.exists()
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if fresh:
            writer.writerow(columns)
        writer.writerow(row)


def run_all(program, programs, work, results, jobs):
    """Runs what is not there yet; a run that failed before is tried again, and both rows stay."""
    done = {
        (row["dataset"], int(row["seed"]), row["system"])
        for row in read_rows(results / "accuracy.csv")
        if row["status"] == "ok"
    }
    planned = [(d, s, system) for s in SEEDS for d in DATASETS for system in SYSTEMS]
    waiting = [(d, s, system) for d, s, system in planned if (f"D{d}", s, system) not in done]
    print(f"{len(planned) - len(waiting)} runs are there, {len(waiting)} to do", flush=True)
    # Spawned, not forked: PyTorch does not survive a fork of a process that has used it.
    with futures.ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        running = set()
        while waiting or running:
            while waiting and len(running) < jobs:
                dataset, seed, system = waiting.pop(0)
                now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                append(results / "accuracy_started.csv", STARTED_COLUMNS, [f"D{dataset}", seed, system, now])
                running.add(pool.submit(run_one, program, work, dataset, seed, system))
            ended, running = futures.wait(running, return_when=futures.FIRST_COMPLETED)
            for one in ended:
                row = one.result()
                append(results / "accuracy.csv", COLUMNS, [*row[:7], programs[row[2]], row[7]])
                print(" ".join(str(cell) for cell in row if cell != ""), flush=True)


# The summary.


def paired(ours, theirs):
    """Means, mean difference, its standard error, and how many of them it is. Where every pair differs by the same, the
    standard error is 0: no difference is then 0 of them, and any other infinitely many."""
    ours, theirs = np.array(ours), np.array(theirs)
    differences = ours - theirs
    difference = float(differences.mean())
    error = float(differences.std(ddof=1) / math.sqrt(len(differences)))
    ratio = abs(difference) / error if error > 0 else (0.0 if difference == 0 else math.inf)
    return {
        "ours": float(ours.mean()),
        "theirs": float(theirs.mean()),
        "difference": difference,
        "error": error,
        "ratio": ratio,
    }


def summarise(rows):
    """Per data set: the pairs, `accuracy` and `regret` as by paired(), mean seconds, and whether accuracy passed."""
    value = {(row["dataset"], int(row["seed"]), row["system"]): row for row in rows if row["status"] == "ok"}
    summary = []
    for dataset in (f"D{d}" for d in DATASETS):
        seeds = [seed for seed in SEEDS if all((dataset, seed, system) in value for system in SYSTEMS)]
        line = {"dataset": dataset, "pairs": len(seeds), "passed": False}
        if len(seeds) > 1:
            for name in ("accuracy", "regret"):
                line[name] = paired(
                    *[[float(value[dataset, seed, system][name]) for seed in seeds] for system in SYSTEMS]
                )
            line["seconds"] = {
                s: float(np.mean([float(value[dataset, seed, s]["seconds"]) for seed in seeds])) for s in SYSTEMS
            }
            line["passed"] = len(seeds) == len(SEEDS) and line["accuracy"]["ratio"] < LIMIT
        summary.append(line)
    return summary


def show(summary):
    print(f"{'':3} {'pairs':>5} {'polyrx':>8} {'PyTorch':>8} {'diff':>7} {'SE':>6} {'|d|/SE':>6}   accuracy in %")
    for line in summary:
        if "accuracy" not in line:
            print(f"{line['dataset']:3} {line['pairs']:5}  MISSING")
            continue
        a = line["accuracy"]
        verdict = "" if line["passed"] else "   MISSED"
        print(
            f"{line['dataset']:3} {line['pairs']:5} {100 * a['ours']:8.2f} {100 * a['theirs']:8.2f}"
            f" {100 * a['difference']:+7.2f} {100 * a['error']:6.2f} {a['ratio']:6.2f}{verdict}"
        )


def sha256_of(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/polyrx", help="the polyrx to test")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "experiments/parity/results", help="where the output goes"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "build/parity", help="where data and models go")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=2, help="runs at once, of one thread each")
    parser.add_argument("--fresh", action="store_true", help="forget the runs there are")
    parser.add_argument("--summary", action="store_true", help="run nothing, only show what is there")
    options = parser.parse_args()
    recorded = options.results / "accuracy.csv"

    if not options.summary:
        import paper_recipe

        program = options.program.resolve()
        if not program.exists():
            sys.exit(f"accuracy.py: no {program.name}; cmake --preset release && cmake --build --preset release")
        machine = paper_recipe.machine()
        programs = {"polyrx": sha256_of(program), "pytorch": machine["pytorch"]}
        options.results.mkdir(parents=True, exist_ok=True)
        if options.fresh:
            for name in ("accuracy.csv", "accuracy_started.csv"):
                (options.results / name).unlink(missing_ok=True)
        if any(row["program"] != programs[row["system"]] for row in read_rows(recorded)):
            sys.exit("accuracy.py: the runs there are were made by another polyrx or PyTorch; --fresh to begin again")
        (options.results / "accuracy_machine.json").write_text(json.dumps(machine, indent=2) + "\n")
        run_all(program, programs, options.work.resolve() / programs["polyrx"], options.results, options.jobs)

    summary = summarise(read_rows(recorded))
    show(summary)
    return 0 if all(line["passed"] for line in summary) else 1


if __name__ == "__main__":
    sys.exit(main())
