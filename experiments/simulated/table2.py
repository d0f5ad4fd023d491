#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Table 2 of the paper: every method on the six simulated datasets.

    experiments/peers/.venv/bin/python experiments/simulated/table2.py [--seeds 6001-6010] [--methods opt,pt]
    experiments/simulated/table2.py --table

10,000 rows to learn from and 10,000 others with their truth, as in reported.py, whose results on the same seeds for the network's recipes, R&C RF
and constants are taken from results/reported.csv. The others are added to results/table2.csv. Random forests and linear regression of
scikit-learn with its defaults, as the paper used them, and EconML's CausalForestDML with its defaults (for three treatments one forest of
all, not the paper's schemes) are run where those can be imported.

Variants of CT, CF and OPT are all shown, and beside them the one that the rows to learn from speak for, which the paper chose by the truth: of
CT and CF by doubly robust value on three folds, of OPT by its objective on the rows that it holds out.
"""

import csv
import json
import os
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.modules.setdefault("coverage", None)  # or the folder of that name beside laboratory.py is what EconML's libraries import
from laboratory import ROLES, Results, SimulatedStudy, chosen_variants, difference, do_all, doubly_robust_in_folds, from_to, mean_and_deviation, parser_of, some_of  # noqa: E402

THEIRS_ALONE = "--theirs"  # METHOD FOLDER SEED: how the script calls itself
DATASETS = range(1, 7)
QUICK_SEEDS = [1]  # not one that is reported
FIELDS = ["study", "seed", "method", "accuracy", "regret", "seconds", "judged"]  # judged: by the rows to learn from alone; small is good
CT = ["ct", "ct-1va", "ct-1v1a", "ct-1v1b"]
CF = ["cf", "cf-1va", "cf-1v1a", "cf-1v1b"]
OPT = ["opt", "opt-l", "opt-h", "opt-hl"]
OF_TWO, OF_MORE = [CT[0], CF[0]], [*CT[1:], *CF[1:]]
EAGER = "opt (1 row)"  # in a leaf is enough for a treatment to be prescribed there, where opt asks for ten
OURS = ["rc-lr", *CT, *CF, "pt", "pf", "policytree", *OPT, EAGER]
THEIRS = ["scikit-learn RF", "scikit-learn LR", "EconML CF (joint)"]
# A twentieth of polyrx's own, and the first of the same ones: 300 fits with all of them would take days of two cores.
RESTARTS = {"opt": 5, "opt-l": 5, "opt-h": 1, "opt-hl": 1, EAGER: 5}
CHOSEN = {"CT, chosen": [CT[:1], CT[1:]], "CF, chosen": [CF[:1], CF[1:]], "OPT, chosen": [OPT]}
RIVALS = ["rc-lr", *CT, "CT, chosen", *CF, "CF, chosen", "pt", "pf", "policytree", *OPT, "OPT, chosen", EAGER, *THEIRS]  # as they are shown
BEST_CONSTANT = "the best treatment for all, by the truth"
AUTO = "P-ReLU, auto"
REPORTED = {"constant": "one treatment for all, chosen", "rc-rf": "rc-rf", "paper": "P-ReLU, the paper's recipe", "fast": "P-ReLU, fast", "auto": AUTO}
PRINTED = {
    "R&C RF": [76.03, 60.59, 99.95, 93.71, 82.19, 81.13], "R&C LR": [56.70, 57.33, 100, 83.30, 66.58, 50.08],
    "CT": [53.56, 57.79, 90.85, 43.79, 67.66, 75.41], "CF": [50.80, 57.86, 95.33, 93.37, 71.94, 72.56],
    "PT": [51.60, 57.41, 100, 93.25, 74.24, 67.58], "PF": [51.43, 57.41, 100, 93.45, 74.26, 68.49],
    "OPT": [57.03, 60.37, 100, 93.14, 65.38, 64.83], "P-ReLU": [84.47, 66.72, 100, 93.75, 88.80, 87.08]}
PRINTED_OPT_DEVIATIONS = [3.04, 2.24, 0, 1.65, 0.93, 2.52]
PRINTED_SEEDS = 10


def numbers(path):
    import numpy as np

    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    features = [name for name in rows[0] if name.startswith("x")]
    columns = {"x": np.array([[float(row[name]) for name in features] for row in rows])}
    columns |= {name: np.array([float(row[name]) for row in rows]) for name in ("treatment", "outcome")}
    columns["truth"] = np.array([[float(row[name]) for name in row if name[0] == "y" and name[1:].isdigit()] for row in rows])
    return columns


def predicted_by(method, train, unseen, seed):
    """Seconds to learn, and what another library expects of every treatment (or of its effect), by row of `unseen`."""
    import numpy as np

    treatments = int(train["treatment"].max()) + 1
    if method.startswith("EconML"):
        from econml.dml import CausalForestDML

        started = time.monotonic()
        forest = CausalForestDML(discrete_treatment=True, random_state=seed, n_jobs=1).fit(train["outcome"], train["treatment"], X=train["x"])
        seconds = time.monotonic() - started
        against_first = [forest.effect(unseen, T0=0, T1=k) for k in range(1, treatments)]
        return seconds, np.column_stack([np.zeros(len(unseen)), *against_first])
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import LinearRegression

    def regression():
        return RandomForestRegressor(random_state=seed) if method == "scikit-learn RF" else LinearRegression()

    started = time.monotonic()
    fitted = [regression().fit(train["x"][train["treatment"] == k], train["outcome"][train["treatment"] == k]) for k in range(treatments)]
    return time.monotonic() - started, np.column_stack([each.predict(unseen) for each in fitted])


def answer_theirs(method, folder, seed):
    """Prints seconds to learn, accuracy and regret."""
    import numpy as np

    train, test = numbers(Path(folder) / "train.csv"), numbers(Path(folder) / "test.csv")
    seconds, outcomes = predicted_by(method, train, test["x"], int(seed))
    got = test["truth"][np.arange(len(outcomes)), outcomes.argmin(1)]
    loss = got - test["truth"].min(1)
    print(json.dumps([seconds, float(np.mean(loss <= 0)), float(np.mean(loss))]))


def run_theirs(method, folder, seed):
    """In a process of its own and on one thread, as ours are, so that times can be compared."""
    done = subprocess.run([sys.executable, "-B", "-W", "ignore", __file__, THEIRS_ALONE, method, folder, str(seed)], check=True, text=True,
                          stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    return json.loads(done.stdout)


def run_ours(method, polyrx, seed):
    """Seconds to learn, accuracy, regret, and what the rows to learn from say of the method, or nothing."""
    options = ["--treatment-rows", 1] if method == EAGER else []
    if method in RESTARTS:
        options += ["--restarts", RESTARTS[method]]
    made = polyrx.json("fit", "train.csv", *ROLES, "--method", method.split()[0], *options, "--seed", seed, "--threads", 1)
    truth = polyrx.known_of("model.json")
    judged = made["options"].get("held-out cost", "")
    if method in OF_MORE:
        judged = doubly_robust_in_folds(polyrx, method, "--seed", seed)
    return made["seconds"], truth["accuracy"], truth["regret"], judged


def measure(arguments, results, dataset, seed, methods):
    with SimulatedStudy(arguments.program, [dataset], seed, 400 if arguments.quick else 10_000) as polyrx:
        for method in methods:
            if method in THEIRS:
                seconds, accuracy, regret, judged = *run_theirs(method, polyrx.folder, seed), ""
            else:
                seconds, accuracy, regret, judged = run_ours(method, polyrx, seed)
            results.add(study=f"D{dataset}", seed=seed, method=method, accuracy=f"{accuracy:.4f}", regret=f"{regret:.6f}", seconds=f"{seconds:.3f}",
                        judged=judged)
            print(f"D{dataset} seed {seed} {method}: {100 * accuracy:.1f} ({regret:.3f}), {seconds:.1f} s", file=sys.stderr, flush=True)


def applies(method, dataset):
    return method not in (OF_MORE if dataset < 5 else OF_TWO)


def can_run(method):
    if method not in THEIRS:
        return True
    try:
        __import__("econml.dml" if method.startswith("EconML") else "sklearn.ensemble")
    except ImportError:
        return False
    return True


def print_head(title):
    print(f"{title}\n\n| | {' | '.join(f'D{d}' for d in DATASETS)} |\n|---|{'---|' * len(DATASETS)}")


def print_table(rivals, reported, title, cell):
    print_head(title)
    for name, table, method in [*((m, rivals, m) for m in RIVALS), *((name, reported, m) for m, name in REPORTED.items())]:
        line = [cell(table.where(study=f"D{d}", method=method)) for d in DATASETS]
        if any(line):
            print(f"| {name} | {' | '.join(line)} |")


def print_best_constant(reported, field, factor, digits):
    values = [[factor * value for value in reported.numbers(f"best_constant_{field}", study=f"D{d}", method="auto")] for d in DATASETS]
    line = [mean_and_deviation(each, digits) if each else "" for each in values]
    print(f"| {BEST_CONSTANT} | {' | '.join(line)} |")


def print_gains(rivals, reported):
    print_head("Regret of P-ReLU, auto, less that of the others, paired by seed, with 95 % intervals; below 0 is better.")
    for method in RIVALS:
        line = []
        for dataset in DATASETS:
            mine, theirs = ({row["seed"]: float(row["regret"]) for row in table.where(study=f"D{dataset}", method=name)}
                            for table, name in ((reported, "auto"), (rivals, method)))
            line.append(difference([mine[seed] - theirs[seed] for seed in sorted(set(mine) & set(theirs))]))
        if any(line):
            print(f"| {method} | {' | '.join(line)} |")
    print()


def print_against_printed_opt(table):
    if not any(table.where(method=method) for method in OPT):
        return
    print_head("Accuracy of optimal trees less that of OPT as printed in the paper (the best of its variants on each dataset, it says), and, in "
               "brackets, in standard errors of the difference.")
    for method in [*OPT, "OPT, chosen", EAGER]:
        line = []
        for dataset, printed, deviation in zip(DATASETS, PRINTED["OPT"], PRINTED_OPT_DEVIATIONS, strict=True):
            values = [100 * value for value in table.numbers("accuracy", study=f"D{dataset}", method=method)]
            if len(values) < 2:
                line.append("")
                continue
            gap = statistics.mean(values) - printed
            error = (statistics.variance(values) / len(values) + deviation**2 / PRINTED_SEEDS) ** 0.5
            line.append(f"{gap:+.1f}" + (f" ({gap / error:+.1f})" if error > 0 else ""))
        if any(line):
            print(f"| {method} | {' | '.join(line)} |")
    print()


def print_tables(rivals, reported):
    def field(name, factor, digits):
        return lambda rows: mean_and_deviation([factor * float(row[name]) for row in rows], digits) if rows else ""

    def median(rows):
        if not rows:
            return ""
        middle = statistics.median(float(row["seconds"]) for row in rows)
        return f"{middle:.0f}" if middle >= 10 else f"{middle:.2g}"

    seeds = {len(rivals.where(study=f"D{d}", method=m)) for d in DATASETS for m in RIVALS} - {0}
    if not seeds:
        print("Not run yet.")
        return
    print_table(rivals, reported, f"Accuracy in percent, mean ± standard deviation over the seeds, {from_to(seeds)} of them; the paper's deviations are in "
                "its Table 2.", field("accuracy", 100, 1))
    print_best_constant(reported, "accuracy", 100, 1)
    for name, values in PRINTED.items():
        print(f"| *{name}, as printed in the paper* | {' | '.join(f'{value:.2f}' for value in values)} |")
    print()
    print_table(rivals, reported, "Regret.", field("regret", 1, 3))
    print_best_constant(reported, "regret", 1, 3)
    print()
    print_gains(rivals, reported)
    print_against_printed_opt(rivals)
    print_table(rivals, reported, "Seconds to learn, on one thread, medians; ours with reading the file and writing the model, of chosen ones that of "
                "all variants, without the folds by which CT and CF are judged.", median)


def main():
    if sys.argv[1:2] == [THEIRS_ALONE]:
        answer_theirs(*sys.argv[2:])
        return
    parser = parser_of(__file__, __doc__, "6001-6010")
    parser.add_argument("--methods", type=some_of([*OURS, *THEIRS]), default=[*OURS, *THEIRS], help="for example opt,pt")
    arguments = parser.parse_args()
    results = Results(arguments.results / "table2.csv", FIELDS, ["study", "seed", "method"])
    if not arguments.table:
        methods, datasets, seeds = arguments.methods, DATASETS, arguments.seeds
        if arguments.quick:
            methods, datasets, seeds = ["rc-lr", "cf", "cf-1va", "pt", "scikit-learn LR", "EconML CF (joint)"], [1, 5], QUICK_SEEDS
        for method in [m for m in methods if not can_run(m)]:
            print(f"{method} is skipped: it cannot be imported (experiments/peers/setup)", file=sys.stderr)
        tasks = []
        for seed in seeds:
            for dataset in datasets:
                missing = [m for m in methods if applies(m, dataset) and can_run(m) and not results.has(study=f"D{dataset}", seed=seed, method=m)]
                if missing:
                    tasks.append(partial(measure, arguments, results, dataset, seed, missing))
        do_all(tasks, arguments.jobs)
    reported = Results(Path(__file__).parent / "results" / "reported.csv", FIELDS, ["study", "seed", "method"])
    for table in (results, reported):
        table.rows = [row for row in table.rows if int(row["seed"]) in (QUICK_SEEDS if arguments.quick else arguments.seeds)]
    results.rows += [row for name, groups in CHOSEN.items() for row in chosen_variants(results, name, *groups)]
    print_tables(results, reported)


if __name__ == "__main__":
    main()
