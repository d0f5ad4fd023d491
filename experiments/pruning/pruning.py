#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is gained by removing neurons that are always on or always off (Section 5.3): smaller trees, faster answers?

    pruning.py [--program build/release/polyrx] [--seeds 5001-5010]               # adds to results/pruning.csv
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
from figures import COLOURS, figure, plain_logarithmic  # noqa: E402
from laboratory import ROLES, Program, Results, beside_readme, do_all, mean_and_deviation, parser_of  # noqa: E402

SEEDS = "5001-5010"
STUDIES = {"clinic": "clinic", "D1": "1"}
NETWORKS = {"dense": ([], ["1x5", "1x10", "1x20", "2x5", "2x10", "3x20", "3x100", "5x100"]),
            "sparse": (["--weights-per-neuron", "1"], ["1x5", "1x10", "1x20", "2x10"])}
# Exact trees of larger networks have more leaves than anybody could read; and of these all regions can be counted, at most 2^20.
EXACT = ["1x5", "1x10", "1x20", "2x5", "2x10"]
TIMED = ["3x20", "3x100", "5x100"]  # what smaller networks take for a row is less than the noise of reading it
ROUNDS = 5
MOST_LEAVES, MOST_SECONDS = 10_000, 20
ROWS, NEW_ROWS = 10_000, 100_000
TRAINED, PROVED, ON_ROWS = MODELS = ["as trained", "proved", "on rows"]
CONSTANT = "constant"  # a policy that only reads and writes
FIELDS = ["study", "network", "shape", "seed", "model", "neurons", "depth", "visited", "feasible", "exact_leaves", "exact_seconds",
          "supported_leaves", "supported_seconds", "reading", "prescribing", "changed"]


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def tree(program, model, *options):
    """Leaves and seconds; leaves begin with > where an exact tree has more, or takes longer, than is waited for."""
    def made():
        nonlocal leaves
        try:
            program.run("tree", model, *options, "--threads", "1", "-q", "-o", "tree.json")
            leaves = json.loads((program.folder / "tree.json").read_text(encoding="utf-8"))["leaves"]
        except RuntimeError as error:
            if "makes a tree of any network" not in str(error):
                raise
            leaves = f">{MOST_LEAVES}" if "leaves (--leaves)" in str(error) else ">"

    leaves = ""
    taken = seconds(made)
    return leaves, f"{taken:.4f}"


def literal_depth(model):
    """Of the tree of the paper's proof (Remark 3.3), which asks every neuron and compares every pair of treatments: N + K(K-1)/2."""
    treatments = len(model["treatments"])
    return sum(len(layer["bias"]) for layer in model["layers"][:-1]) + treatments * (treatments - 1) // 2


def measured(path, study, network, shape, seed, rows, new_rows, options, results):
    with Program(path) as program:
        for name, n, of in (("train.csv", rows, seed), ("new.csv", new_rows, seed + 100_000)):
            program.run("simulate", STUDIES[study], "-n", n, "--seed", of, "-q", "-o", name)
        fit = ["fit", "train.csv", *ROLES, "--seed", seed, "--threads", "1", "-q"]
        program.run(*fit, "--recipe", "paper", "--hidden", shape, *NETWORKS[network][0], *options, "-o", f"{TRAINED}.json")
        program.run(*fit, "--method", "constant", "-o", f"{CONSTANT}.json")
        program.run("prune", f"{TRAINED}.json", "--data", "train.csv", "-q", "-o", f"{PROVED}.json")
        program.run("prune", f"{TRAINED}.json", "--data", "train.csv", "--also-on-data", "-q", "-o", f"{ON_ROWS}.json")
        # In turn, so that a slow minute of the machine is one of all; and the least, since more is of what else it had to do.
        rounds = [{name: seconds(lambda name=name: program.run("prescribe", f"{name}.json", "new.csv", "--threads", "1", "-q", "-o",
                                                               f"{name}.csv")) for name in (CONSTANT, *MODELS)}
                  for _ in range(ROUNDS if shape in TIMED else 1)]
        least = {name: f"{min(each[name] for each in rounds):.4f}" if shape in TIMED else "" for name in rounds[0]}
        prescribed = {name: (program.folder / f"{name}.csv").read_text(encoding="utf-8").split("\n") for name in MODELS}
        for name in MODELS:
            model = json.loads((program.folder / f"{name}.json").read_text(encoding="utf-8"))
            count = ["regions", f"{name}.json", "--count", "--threads", "1"]
            exact = tree(program, f"{name}.json", "--mode", "exact", "--leaves", MOST_LEAVES, "--max-seconds",
                         MOST_SECONDS) if shape in EXACT else ("", "")
            supported = tree(program, f"{name}.json", "--mode", "supported", "--data", "train.csv")
            changed = sum(a != b for a, b in zip(prescribed[TRAINED], prescribed[name], strict=True)) / new_rows
            results.add(study=study, network=network, shape=shape, seed=seed, model=name,
                        neurons=sum(len(layer["bias"]) for layer in model["layers"][:-1]), depth=literal_depth(model),
                        visited=program.json(*count, "--data", "train.csv")["patterns"],
                        feasible=program.json(*count, "--mode", "feasible")["patterns"] if shape in EXACT else "",
                        exact_leaves=exact[0], exact_seconds=exact[1], supported_leaves=supported[0], supported_seconds=supported[1],
                        reading=least[CONSTANT], prescribing=least[name], changed=f"{changed:.6f}")


def values_of(results, field, **cell):
    """One for each seed, or none at all where one of them is not known, so that models are compared on the same seeds."""
    rows = results.where(**cell)
    if field == "answer":  # microseconds for a row, without reading and writing
        return [(float(row["prescribing"]) - float(row["reading"])) * 1e6 / NEW_ROWS for row in rows if row["prescribing"]]
    known = "exact_leaves" if field == "exact_seconds" else field
    return [] if any(row[known][:1] in ("", ">") for row in rows) else [float(row[field]) for row in rows]


# By field: what the table calls it, its digits, and whether the deviation over the seeds is there too.
COLUMNS = {"neurons": ("neurons", 1, True), "depth": ("depth of the literal tree", 1, False), "visited": ("regions visited", 0, True),
           "feasible": ("regions feasible", 0, True), "exact_leaves": ("leaves of the exact tree", 0, True),
           "exact_seconds": ("its seconds", 2, False), "supported_leaves": ("leaves of the supported tree", 1, True),
           "supported_seconds": ("its seconds", 2, False), "answer": ("microseconds a row", 2, True),
           "changed": ("changed, % of new rows", 3, True)}


def text_of(results, field, cell):
    _, digits, deviation = COLUMNS[field]
    asked = TIMED if field == "answer" else EXACT if field.startswith("exact") or field == "feasible" else None
    if asked and cell["shape"] not in asked or field == "changed" and cell["model"] == TRAINED:
        return ""
    values = [100 * value if field == "changed" else value for value in values_of(results, field, **cell)]
    if not values:
        return "over the limit"
    return mean_and_deviation(values, digits) if deviation else f"{statistics.mean(values):.{digits}f}"


def print_tables(results):
    if not results.rows:
        print("Not run yet.")
    for study in STUDIES:
        for network, (_, shapes) in NETWORKS.items():
            if not results.where(study=study, network=network):
                continue
            print(f"\n{study}, {network}; means over the seeds, and deviations:\n")
            print(f"| network | neurons pruned | {' | '.join(title for title, _, _ in COLUMNS.values())} |")
            print("|---|---|" + "---|" * len(COLUMNS))
            for shape in shapes:
                for model in MODELS:
                    cell = {"study": study, "network": network, "shape": shape, "model": model}
                    if results.where(**cell):
                        texts = [text_of(results, field, cell) for field in COLUMNS]
                        print(f"| {shape if model == TRAINED else ''} | {'none' if model == TRAINED else model} | {' | '.join(texts)} |")


def draw(path, results):
    def panels(axes):
        shown = {"neurons": "neurons", "feasible": "feasible regions", "exact_leaves": "leaves of the exact tree",
                 "answer": "microseconds for a row"}
        for axis, (field, title) in zip(axes, shown.items(), strict=True):
            ends = []
            for colour, model in zip(COLOURS, (PROVED, ON_ROWS), strict=False):
                for mark, study in zip("os", STUDIES, strict=True):
                    pairs = []
                    for network, (_, shapes) in NETWORKS.items():
                        for shape in shapes:
                            cell = {"study": study, "network": network, "shape": shape}
                            both = [values_of(results, field, **cell, model=which) for which in (TRAINED, model)]
                            if all(both) and min(map(statistics.mean, both)) > 0:
                                pairs.append([statistics.mean(values) for values in both])
                    ends += sum(pairs, [])
                    axis.plot([x for x, _ in pairs], [y for _, y in pairs], mark, color=colour, linestyle="", label=f"{study}, {model}",
                              fillstyle="none" if model == PROVED else "full",
                              markersize=8 if model == PROVED else 4)  # so that both are seen where they are equal
            if ends:
                axis.plot([min(ends), max(ends)], [min(ends), max(ends)], color="#999999", marker="", linewidth=1)
            axis.set(xscale="log", yscale="log", title=title)
            plain_logarithmic(axis.xaxis)
            plain_logarithmic(axis.yaxis)
        for axis in axes[::2]:
            axis.set_ylabel("after pruning")
        for axis in axes[2:]:
            axis.set_xlabel("as trained")
        handles, names = axes[0].get_legend_handles_labels()
        axes[0].figure.legend(handles, names, loc="outside upper center", ncols=len(names))

    return figure(path, 4, panels, width=3.5, height=3.0, columns=2)


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.set_defaults(jobs=1)
    arguments = parser.parse_args()
    results = Results(arguments.results / "pruning.csv", FIELDS, ["study", "network", "shape", "seed", "model"])
    quick = arguments.quick
    if not arguments.table:
        cells = [{"study": study, "network": network, "shape": shape, "seed": seed}
                 for seed in (arguments.seeds[:1] if quick else arguments.seeds) for study in STUDIES
                 for network, (_, shapes) in NETWORKS.items() for shape in (shapes[3:6:2] if quick else shapes)]
        sizes = {"rows": ROWS, "new_rows": NEW_ROWS, "options": []}
        if quick:
            sizes = {"rows": 500, "new_rows": 1_000, "options": ["--epochs", "3"]}
        cells = [cell for cell in cells if not results.has(**cell, model=ON_ROWS)]
        half = [tuple(map(str, cell.values())) for cell in cells]  # some of the models are none: they are timed in turn
        results.rows = [row for row in results.rows if (row["study"], row["network"], row["shape"], row["seed"]) not in half]
        do_all([lambda cell=cell: measured(arguments.program, **cell, **sizes, results=results)
                for cell in cells], arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "pruning.svg", results)


if __name__ == "__main__":
    main()
