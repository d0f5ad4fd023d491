#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ten rules cost when prescribing, and how long claims take to decide, against the targets.

Claims are about networks that `polyrx fit` made of simulated data: two draws of `simulate 1` or 6 side by side, 40
inputs of which half are binary. A third of the claims have two to six comparisons with quantiles of the data. The others bound all inputs, or all
but ten, to a neighbourhood of a row, from a twentieth to four fifths of each input's standard deviation on either
side. A claim forbids a treatment that no row of the data is prescribed where its condition holds: it may be true.
Each is a call of the program on one thread, so that its time has the start of the program and the reading of the
model in it.
"""

import argparse
import csv
import io
import json
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

from training.worker import ROOT, Report

BENCH = ROOT / "build/bench/polyrx_bench"
POLYRX = ROOT / "build/bench/polyrx"
ROWS = 10_000
NETWORKS = {"1x20": 6, "2x20": 6, "5x100": 1}  # of each data set
CLAIMS = 24  # about each network
MOST_SECONDS = {"1x20": 20, "2x20": 20, "5x100": 5}
TARGET_SECONDS = {"1x20": 2, "2x20": 10}


def prescribing(report):
    """Rows per second with ten rules and without, in one run whose turns alternate."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        subprocess.run([BENCH, "--benchmark_filter=prescribe/whole", "--benchmark_enable_random_interleaving=true",
                        "--benchmark_repetitions=15", f"--benchmark_out={out}", "--benchmark_out_format=json"],
                       check=True, stdout=subprocess.DEVNULL)
        runs = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
    least = {}
    for run in runs:
        if run["run_type"] == "iteration":
            least[run["run_name"]] = min(least.get(run["run_name"], float("inf")), run["cpu_time"])
    report(f"Prescribing, one core, rows/s with ten rules / without (target at least 0.8)\n{'':58}{'without ms':>11}"
           f"{'with ms':>9}{'ratio':>7}")
    for name, without in least.items():
        if name.endswith(", ten rules") or f"{name}, ten rules" not in least:
            continue
        ruled = least[f"{name}, ten rules"]
        report(f"{name:58}{without:11.2f}{ruled:9.2f}{without / ruled:7.2f}")


def simulated(data, seed):
    """The header and rows of one draw."""
    text = subprocess.run([POLYRX, "simulate", data, "-n", str(ROWS), "--seed", str(seed)], check=True,
                          capture_output=True, encoding="utf-8").stdout
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


def cohort(data, seed):
    """Forty inputs: those of a draw that decide the outcome, and those of another that do not."""
    header, rows = simulated(data, seed)
    _, others = simulated(data, seed + 1000)
    names = [f"x{i}" for i in range(1, 41)] + header[20:]
    return names, [row[:20] + other[:20] + row[20:] for row, other in zip(rows, others, strict=True)]


def write(path, names, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])


def comparisons(rng, columns):
    """Two to six of the inputs that decide the outcome, each beyond a quantile."""
    for column in rng.sample(range(20), rng.randint(2, 6)):
        at = round(sorted(columns[column][:1000])[rng.choice((50, 150, 850, 950))], 3)
        yield column, *((at, float("inf")) if rng.random() < 0.5 else (float("-inf"), at))


def neighbourhood(rng, columns):
    """All inputs, or all but ten, near those of a row."""
    row, width = rng.randrange(len(columns[0])), rng.choice((0.05, 0.1, 0.2, 0.4, 0.8))
    for column in sorted(rng.sample(range(40), rng.choice((30, 40)))):
        at, half = columns[column][row], width * statistics.pstdev(columns[column][:1000])
        yield column, round(at - half, 3), round(at + half, 3)


def written(name, low, high):
    if high == float("inf"):
        return f"{name} > {low}"
    return f"{name} <= {high}" if low == float("-inf") else f"{low} < {name} <= {high}"


def draw_claim(rng, names, columns, given):
    """A condition that holds for some rows, none of which is prescribed the treatment that the claim forbids."""
    while True:
        kind = rng.choice((comparisons, neighbourhood, neighbourhood))
        bounds = list(kind(rng, columns))
        there = range(len(given))
        for column, low, high in bounds:
            there = [i for i in there if low < columns[column][i] <= high]
        never = sorted(set(given) - {given[i] for i in there})
        if len(there) >= (5 if kind is comparisons else 1) and never:
            condition = " and ".join(written(names[column], low, high) for column, low, high in bounds)
            return f"if {condition} then not {rng.choice(never)}"


def claims(report, shapes):
    report(f"\nClaims, d = 40, one thread\n{'':30}{'claims':>7}{'proved':>8}{'refuted':>9}{'undecided':>11}{'mean s':>8}"
           f"{'worst s':>9}{'target s':>10}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shape in shapes:
            layers, width = shape.split("x")
            for data in ("1", "6"):
                answers = [answer for seed in range(1, NETWORKS[shape] + 1)
                           for answer in decide(folder, data, seed, ",".join([width] * int(layers)),
                                                MOST_SECONDS[shape])]
                times = [seconds for _, seconds in answers]
                count = {what: sum(answer == what for answer, _ in answers)
                         for what in ("proved", "refuted", "undecided")}
                target = TARGET_SECONDS.get(shape, MOST_SECONDS[shape])
                report(f"{shape + ' fitted on simulate ' + data:30}{len(answers):7}{count['proved']:8}"
                       f"{count['refuted']:9}{count['undecided']:11}{sum(times) / len(times):8.2f}{max(times):9.2f}"
                       f"{target:10}"
                       f"  {sum(t > target for t in times)} over it")


def decide(folder, data, seed, hidden, most_seconds):
    """Each answer with its seconds."""
    names, rows = cohort(data, seed)
    table, model, given = folder / "rows.csv", folder / "model.json", folder / "given.csv"
    write(table, names, rows)
    subprocess.run([POLYRX, "fit", table, "--treatment", "treatment", "--outcome", "outcome", "--hidden", hidden,
                    "--seed", str(seed), "-q", "-o", model], check=True)
    subprocess.run([POLYRX, "prescribe", model, table, "-q", "-o", given], check=True)
    with open(given, encoding="utf-8") as file:
        prescribed = [row["prescription"] for row in csv.DictReader(file)]
    rng = random.Random(seed)
    columns = [[float(row[column]) for row in rows] for column in range(40)]
    for _ in range(CLAIMS):
        claim = folder / "claim.txt"
        claim.write_text(draw_claim(rng, names, columns, prescribed) + "\n", encoding="utf-8")
        start = time.perf_counter()
        run = subprocess.run([POLYRX, "verify", model, "--claims", claim, "--json", "-q", "--threads", "1",
                              "--max-seconds", str(most_seconds)], capture_output=True, encoding="utf-8")
        seconds = time.perf_counter() - start
        if run.returncode not in (0, 1, 4):
            raise SystemExit(run.stderr)
        yield json.loads(run.stdout)["claims"][0]["answer"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["prescribing", *MOST_SECONDS],
                        help="prescribing, 1x20, 2x20, 5x100; all of them if none is named")
    parser.add_argument("--output", type=pathlib.Path, help="also written there")
    options = parser.parse_args()
    report = Report(options.output)
    if "prescribing" in options.parts:
        prescribing(report)
    shapes = [shape for shape in MOST_SECONDS if shape in options.parts]
    if shapes:
        claims(report, shapes)
    report.save()


if __name__ == "__main__":
    main()
