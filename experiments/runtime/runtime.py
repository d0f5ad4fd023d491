#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long it takes to learn on the warfarin cohort: optimal prescriptive trees, networks, and the paper's recipe in PyTorch.

    runtime.py --iwpc IWPC.csv [--program build/release/polyrx] [--limit 14400]    # results/runtime.csv; run it on an idle machine
    runtime.py --table                                                             # only the table
    runtime.py --quick --results FOLDER --iwpc IWPC.csv                            # few patients, few of everything

All patients, with doses of seed 1, one thread and two. Commands run one after the other whatever --jobs says, since they are timed.
"""

import csv
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "parity")]
from laboratory import ROLES, Program, Results, parser_of  # noqa: E402

DOSES = 1  # the seed by which patients are given doses
SEED = 1
THREADS = [1, 2]
# Each: options of fit, those of --quick, how often it is run, and what the paper has (appendix, Comparison with OPTs).
METHODS = {
    "opt": (["--method", "opt"], ["--restarts", "1"], 3, "2.6 min"),
    "opt-l": (["--method", "opt-l"], ["--restarts", "1"], 3, "5.2 min"),
    "opt-h": (["--method", "opt-h"], ["--restarts", "1"], 1, "31.6 min"),
    "opt-hl": (["--method", "opt-hl"], ["--restarts", "1"], 1, "more than 14 h"),
    "network, recipe paper": (["--recipe", "paper"], ["--epochs", "2"], 3, "8 s"),
    "network, recipe fast": (["--recipe", "fast"], ["--epochs", "2"], 3, ""),
    "network, recipe auto": (["--recipe", "auto"], ["--candidates", "2", "--folds", "2", "--averaged", "2", "--epochs", "2"], 3, ""),
}
PYTORCH = "network, recipe paper in PyTorch"
PYTORCH_REPETITIONS = 3
FEATURES = 40  # the first columns of the cohort
LABELS = ["Low", "Medium", "High"]
QUICK_PATIENTS = 300


def timed_fit(program, options, threads, limit):
    """Seconds of the whole command, with reading and writing; or the limit, and that it was not done."""
    command = [program.path, "fit", "all.csv", "--schema", "doses.json", *ROLES, *options, "--beyond-support", "extrapolate", "--no-recommendation", "--seed", str(SEED), "--threads", str(threads),
               "-q"]
    begun = time.perf_counter()
    try:
        subprocess.run(command, cwd=program.folder, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return "over the limit", limit
    return "done", time.perf_counter() - begun


def timed_pytorch(path, threads, epochs):
    """Seconds of training alone: reading the file and loading PyTorch are not counted. None without PyTorch."""
    try:
        import paper_recipe
        import torch
    except ImportError:
        return None
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    inputs = torch.tensor([[float(cell) for cell in row[:FEATURES]] for row in rows], dtype=torch.float64)
    deviation = inputs.std(dim=0, unbiased=False)
    inputs = (inputs - inputs.mean(dim=0)) / torch.where(deviation > 0, deviation, torch.ones_like(deviation))
    treatment = torch.tensor([LABELS.index(row[FEATURES]) for row in rows])
    outcome = torch.tensor([float(row[FEATURES + 1]) for row in rows])
    paper_recipe.one_thread()  # for the denormals, which would halve its speed
    torch.set_num_threads(threads)
    paper_recipe.fit_paper_recipe(inputs[:200], treatment[:200], outcome[:200], len(LABELS), SEED, epochs=1)  # what is set up once
    begun = time.perf_counter()
    paper_recipe.fit_paper_recipe(inputs, treatment, outcome, len(LABELS), SEED, epochs=epochs or paper_recipe.EPOCHS)
    return time.perf_counter() - begun


def run(arguments, results):
    with Program(arguments.program) as program:
        program.run("warfarin", arguments.iwpc.resolve(), "--observe", DOSES, "-o", "all.csv", "--schema", "doses.json", "-q")
        data = program.folder / "all.csv"
        if arguments.quick:
            data.write_text("".join(data.read_text(encoding="utf-8").splitlines(True)[:QUICK_PATIENTS + 1]), encoding="utf-8")
        for method, (options, quick, repetitions, _) in METHODS.items():
            for threads in THREADS:
                for repetition in range(1, 2 if arguments.quick else repetitions + 1):
                    if results.has(method=method, threads=threads, repetition=repetition):
                        continue
                    if results.has(method=method, threads=threads, ended="over the limit"):
                        break  # once is enough
                    ended, seconds = timed_fit(program, options + (quick if arguments.quick else []), threads, arguments.limit)
                    results.add(method=method, threads=threads, repetition=repetition, ended=ended, seconds=f"{seconds:.3f}")
                    print(f"{method}, {threads} threads: {ended}, {seconds:.1f} s", file=sys.stderr, flush=True)
        for threads in THREADS:
            for repetition in range(1, 2 if arguments.quick else PYTORCH_REPETITIONS + 1):
                if results.has(method=PYTORCH, threads=threads, repetition=repetition):
                    continue
                seconds = timed_pytorch(data, threads, 1 if arguments.quick else None)
                if seconds is None:
                    print("PyTorch is not timed: it is not here (experiments/peers/setup)", file=sys.stderr)
                    return
                results.add(method=PYTORCH, threads=threads, repetition=repetition, ended="done", seconds=f"{seconds:.3f}")


def duration(rows):
    """The least of the repetitions, in seconds or minutes."""
    if not rows:
        return ""
    seconds = min(float(row["seconds"]) for row in rows)
    words = f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
    return words if rows[0]["ended"] == "done" else f"more than {words}"


def print_table(results):
    if not results.rows:
        print("Not run yet.")
        return
    print(f"| method | {' | '.join('one thread' if t == 1 else f'{t} threads' for t in THREADS)} | slowest / fastest of the runs | paper |")
    print("|---|" + "---|" * (len(THREADS) + 2))
    for method in [*METHODS, PYTORCH]:
        if not results.where(method=method):
            continue
        times = [results.numbers("seconds", method=method, threads=threads) for threads in THREADS]
        spread = statistics.mean(max(each) / min(each) for each in times if each)
        cells = [duration(results.where(method=method, threads=threads)) for threads in THREADS]
        repeated = f"{spread:.2f}" if max(map(len, times)) > 1 else "one run"
        print(f"| {method} | {' | '.join(cells)} | {repeated} | {METHODS[method][3] if method in METHODS else '8 s'} |")


def main():
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    parser.add_argument("--limit", type=float, default=14_400.0, help="seconds after which a command is ended, and is said to take more")
    arguments = parser.parse_args()
    results = Results(arguments.results / "runtime.csv", ["method", "threads", "repetition", "ended", "seconds"],
                      ["method", "threads", "repetition"])
    if not arguments.table:
        if not arguments.iwpc:
            print("Nothing is timed: --iwpc, the consortium's file, is not given.")
            return
        run(arguments, results)
    print_table(results)


if __name__ == "__main__":
    main()
