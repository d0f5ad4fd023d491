#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is gained by removing neurons that are always on or always off (Section 5.3): smaller trees, faster answers?

    pruning.py [--program build/release/polyrx] [--seeds 5001-5005]               # adds to results/pruning.csv
    pruning.py --table

One thing is run at a time unless --jobs says otherwise, since times are measured.
"""

import json
import pathlib
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from figures import COLOURS, figure  # noqa: E402
from laboratory import ROLES, Program, Results, beside_readme, do_all, parser_of  # noqa: E402

SEEDS = "5001-5005"
STUDIES = {"clinic": "clinic", "D1": "1"}
NETWORKS = {"dense": ([], ["1x5", "1x10", "1x20", "2x5", "2x10", "3x20", "3x100", "5x100"]),
            "sparse": (["--weights-per-neuron", "1"], ["1x5", "1x10", "1x20", "2x10"])}
EXACT = ["1x5", "1x10", "1x20", "2x5", "2x10"]  # exact trees of larger networks have more leaves than anybody could read
MOST_LEAVES, MOST_SECONDS = 10_000, 20
ROWS, NEW_ROWS = 10_000, 100_000
TRAINED, PROVED, ON_ROWS = MODELS = ["as trained", "proved", "on rows"]
FIELDS = ["study", "network", "shape", "seed", "model", "neurons", "visited", "exact_leaves", "exact_seconds", "supported_leaves",
          "supported_seconds", "reading", "prescribing", "changed"]


def seconds(call, times=1):
    """The least of some times: others are of what else the machine had to do."""
    least = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - begin)
    return f"{least:.4f}"


def tree(program, model, *options):
    """Leaves and seconds; leaves begin with > where an exact tree has more, or takes longer, than is waited for."""
    def made():
        nonlocal leaves
        try:
            program.run("tree", model, *options, "--threads", "1", "-q", "-o", "tree.json")
            leaves = json.loads((program.folder / "tree.json").read_text(encoding="utf-8"))["leaves"]
        except RuntimeError as error:
            if "--mode supported" not in str(error):
                raise
            leaves = f">{MOST_LEAVES}" if "leaves (--max-leaves)" in str(error) else ">"

    leaves = ""
    taken = seconds(made)
    return leaves, taken


def measured(path, study, network, shape, seed, rows, new_rows, options, results):
    with Program(path) as program:
        for name, n, of in (("train.csv", rows, seed), ("new.csv", new_rows, seed + 100_000)):
            program.run("simulate", STUDIES[study], "-n", n, "--seed", of, "-q", "-o", name)
        fit = ["fit", "train.csv", *ROLES, "--seed", seed, "--threads", "1", "-q"]
        program.run(*fit, "--recipe", "paper", "--hidden", shape, *NETWORKS[network][0], *options, "-o", f"{TRAINED}.json")
        program.run(*fit, "--method", "constant", "-o", "constant.json")
        program.run("prune", f"{TRAINED}.json", "--data", "train.csv", "-q", "-o", f"{PROVED}.json")
        program.run("prune", f"{TRAINED}.json", "--data", "train.csv", "--also-on-data", "-q", "-o", f"{ON_ROWS}.json")

        def prescribe(name):
            program.run("prescribe", f"{name}.json", "new.csv", "--threads", "1", "-q", "-o", f"{name}.csv")

        reading = seconds(lambda: prescribe("constant"), 3)
        for model in MODELS:
            if results.has(study=study, network=network, shape=shape, seed=seed, model=model):
                continue
            layers = json.loads((program.folder / f"{model}.json").read_text(encoding="utf-8"))["layers"]
            prescribing = seconds(lambda model=model: prescribe(model), 3)
            if not (program.folder / f"{TRAINED}.csv").exists():
                prescribe(TRAINED)
            first, this = ((program.folder / f"{name}.csv").read_text(encoding="utf-8").split("\n") for name in (TRAINED, model))
            exact = tree(program, f"{model}.json", "--mode", "exact", "--max-leaves", MOST_LEAVES, "--max-seconds",
                         MOST_SECONDS) if shape in EXACT else ("", "")
            supported = tree(program, f"{model}.json", "--mode", "supported", "--data", "train.csv")
            results.add(study=study, network=network, shape=shape, seed=seed, model=model,
                        neurons=sum(len(layer["bias"]) for layer in layers[:-1]),
                        visited=program.json("regions", f"{model}.json", "--data", "train.csv", "--count", "--threads", "1")["patterns"],
                        exact_leaves=exact[0], exact_seconds=exact[1], supported_leaves=supported[0], supported_seconds=supported[1],
                        reading=reading, prescribing=prescribing,
                        changed=f"{sum(a != b for a, b in zip(first, this, strict=True)) / new_rows:.6f}")


def mean_of(results, field, **cell):
    """None where one of the values is not known, so that models are compared on the same seeds."""
    rows = results.where(**cell)
    if not rows or any(row["exact_leaves"][:1] in ("", ">") for row in rows) and field.startswith("exact"):
        return None
    if field == "answer":  # microseconds for a row, without reading and writing
        return statistics.median(max(0.0, float(row["prescribing"]) - float(row["reading"])) for row in rows) * 1e6 / NEW_ROWS
    return statistics.mean(float(row[field]) for row in rows)


def print_tables(results):
    columns = {"neurons": "{:.1f}", "visited": "{:,.0f}", "exact_leaves": "{:,.1f}", "exact_seconds": "{:.2f}",
               "supported_leaves": "{:.1f}", "supported_seconds": "{:.2f}", "answer": "{:.2f}"}
    for study in STUDIES:
        for network, (_, shapes) in NETWORKS.items():
            if not results.where(study=study, network=network):
                continue
            print(f"\n{study}, {network}; {' → '.join(MODELS)}, means over the seeds (of microseconds, medians):\n")
            print("| network | neurons | regions visited | leaves of the exact tree | its seconds | leaves of the supported tree | "
                  "its seconds | microseconds a row | prescriptions changed, % of new rows |\n|---|---|---|---|---|---|---|---|---|")
            for shape in shapes:
                cells = [{"study": study, "network": network, "shape": shape, "model": model} for model in MODELS]
                if not results.where(**cells[0]):
                    continue
                line = []
                for field, form in columns.items():
                    means = [mean_of(results, field, **cell) for cell in cells]
                    shown = ["over the limit" if mean is None else form.format(mean) for mean in means]
                    if field.startswith("exact"):
                        shown = [] if shape not in EXACT else shown[:1] if means == [None] * len(means) else shown
                    line.append(" → ".join(shown))
                line.append(" → ".join(f"{100 * mean_of(results, 'changed', **cell):.3f}" for cell in cells[1:]))
                print(f"| {shape} | {' | '.join(line)} |")


def draw(path, results):
    def panels(axes):
        for axis, field, title in zip(axes, ("neurons", "exact_leaves", "answer"),
                                      ("neurons", "leaves of the exact tree", "microseconds for a row"), strict=True):
            ends = []
            for colour, model in zip(COLOURS, (PROVED, ON_ROWS), strict=False):
                for mark, study in zip("os", STUDIES, strict=True):
                    pairs = []
                    for network, (_, shapes) in NETWORKS.items():
                        for shape in shapes:
                            cell = {"study": study, "network": network, "shape": shape}
                            pair = [mean_of(results, field, **cell, model=which) for which in (TRAINED, model)]
                            if all(pair):
                                pairs.append(pair)
                    ends += sum(pairs, [])
                    axis.plot([x for x, _ in pairs], [y for _, y in pairs], mark, color=colour, linestyle="", label=f"{study}, {model}",
                              fillstyle="none" if model == PROVED else "full")
            if ends:
                axis.plot([min(ends), max(ends)], [min(ends), max(ends)], color="#999999", marker="", linewidth=1)
            axis.set(xscale="log", yscale="log", title=title, xlabel="as trained", ylabel="after pruning")
        axes[0].legend()

    return figure(path, 3, panels)


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.set_defaults(jobs=1)
    arguments = parser.parse_args()
    results = Results(arguments.results / "pruning.csv", FIELDS, ["study", "network", "shape", "seed", "model"])
    quick = arguments.quick
    if not arguments.table:
        cells = [{"study": study, "network": network, "shape": shape, "seed": seed}
                 for seed in (arguments.seeds[:1] if quick else arguments.seeds) for study in STUDIES
                 for network, (_, shapes) in NETWORKS.items() for shape in (shapes[3:4] if quick else shapes)]
        sizes = {"rows": ROWS, "new_rows": NEW_ROWS, "options": []}
        if quick:
            sizes = {"rows": 500, "new_rows": 1_000, "options": ["--epochs", "3"]}
        do_all([lambda cell=cell: measured(arguments.program, **cell, **sizes, results=results)
                for cell in cells if not results.has(**cell, model=ON_ROWS)], arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "pruning.svg", results)


if __name__ == "__main__":
    main()
