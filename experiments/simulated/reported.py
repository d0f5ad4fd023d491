#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `polyrx fit` reaches on simulated studies whose truth is known, beside its rivals.

    reported.py [--program build/release/polyrx] [--seeds 6001-6020] [--studies D1,D2] [--methods auto,paper] [--jobs 2]
    reported.py --table                                      # only the tables, from results/reported.csv
    reported.py --best-by-truth [--seeds 6001-6003]          # every setting that auto tries, judged by the truth

A study is 10,000 rows to learn from (its seed) and 10,000 others with their truth (its seed + 100,000). Results are written as
they come, and what is there already is not run again. Seeds 1 to 10 are for development, 6001 to 6020 are to be reported (1001 to 1004,
2001, 3001 and 4001 to 4020 were looked at before defaults changed).
"""

import argparse
import csv
import pathlib
import statistics
import sys
from functools import partial

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from laboratory import ROLES, Results, SimulatedStudy, difference, do_all, from_to, seeds_of, some_of  # noqa: E402

# Other combinations of the paper's functions. As they are, f1 is never above 0 and f4 never below, so that one treatment is best for all where only they
# are the effect of two treatments; it is standardised there. OTHERS were run with an earlier default, whose results led to this one.
OTHERS = ["f2+f3", "f3+f2", "f4+f3", "f1+f2+f3", "f3+f1+f2", "f4+f2+f3",
          "literal f1+f4", "literal f2+f1", "literal f2+f4", "literal f3+f1", "literal f4+f1"]
NEW = ["f3+f2+f4", "f4+f3+f1", "literal f1+f2+f3", "literal f2+f1+f4", "literal f3+f4+f1", "literal f4+f2+f1"]
STUDIES = {f"D{d}": [str(d)] for d in range(1, 7)} | {f"literal D{d}": [str(d), "--variant", "literal"] for d in range(1, 7)} | {
    "clinic": ["clinic"]} | {
    name: ["custom", "--functions", name.split()[-1].replace("+", ","), "--variant", "literal" if name.startswith("literal") else "paper"]
    for name in [*OTHERS, *NEW]}
METHODS = {"auto": ["--recipe", "auto"], "fast": ["--recipe", "fast"], "paper": ["--recipe", "paper"], "rc-rf": ["--method", "rc-rf"],
           "constant": ["--method", "constant"]}
GROUPS = {"The paper's six studies": [f"D{d}" for d in range(1, 7)],
          "The paper's studies by its other formulas, and the clinic": [name for name in STUDIES if name not in [*OTHERS, *NEW] and name[0] != "D"],
          "Other combinations of the same functions, on which an earlier default was run": OTHERS,
          "Combinations that nobody had looked at": NEW}
# Whose regret auto's is compared with: a method, a field of its row, and how much of it.
RIVALS = {"paper": ("paper", "regret", 1), "rc-rf": ("rc-rf", "regret", 1), "0.75 of rc-rf": ("rc-rf", "regret", 0.75),
          "fast": ("fast", "regret", 1), "constant": ("constant", "regret", 1), "best constant": ("auto", "best_constant_regret", 1)}
BEST_CONSTANT = "best constant, by the truth"
SHORT = {"auto": "`polyrx fit` (`--recipe auto`)", "fast": "`--recipe fast`", "paper": "`--recipe paper`, the paper's settings",
         "rc-rf": "random forests (R&C)", BEST_CONSTANT: "the best treatment for all"}
FIELDS = ["study", "seed", "method", "accuracy", "regret", "seconds", "best_constant_accuracy", "best_constant_regret"]


class Study(SimulatedStudy):
    def fit(self, options):
        """Seconds, and what the truth says of the policy."""
        made = self.json("fit", "train.csv", *ROLES, *options, "--threads", 1)
        return made["seconds"], self.known_of("model.json")


def measured(program, name, seed, methods, results):
    with Study(program, STUDIES[name], seed) as study:
        for method in methods:
            seconds, truth = study.fit(METHODS[method])
            results.add(study=name, seed=seed, method=method, accuracy=f"{truth['accuracy']:.4f}", regret=f"{truth['regret']:.6f}",
                        seconds=f"{seconds:.1f}", best_constant_accuracy=f"{max(each['accuracy'] for each in truth['always']):.4f}",
                        best_constant_regret=f"{min(each['outcome'] for each in truth['always']) - truth['best_outcome']:.6f}")
            print(f"{name} seed {seed} {method}: {100 * truth['accuracy']:.1f} ({truth['regret']:.3f}), {seconds:.1f} s", flush=True)


def judged_settings(program, name, seed, results):
    """Every setting that auto tries, alone and on all rows: the best of them is what a perfect choice would reach."""
    with Study(program, STUDIES[name], seed) as study:
        study.run("fit", "train.csv", *ROLES, "--recipe", "auto", "--threads", "1", "--tuning-log", "tried.csv", "-q")
        with open(study.folder / "tried.csv", newline="", encoding="utf-8") as file:
            tried = list(csv.DictReader(file))
        found = []
        for setting in tried:
            options = ["--recipe", "fast", "--hidden", ",".join(setting["hidden"].split()) or "none"]
            for option in ("weight_decay", "effect_shrinkage", "effect_share", "effect_decay", "balance", "mu"):
                if option != "effect_decay" or setting["effect_share"] != "0":
                    options += [f"--{option.replace('_', '-')}", setting[option]]
            if setting["steps"] != "6000":
                options += ["--epochs", str(round(int(setting["steps"]) / 157))]
            _, truth = study.fit(options)
            found.append({"study": name, "seed": seed, "candidate": setting["candidate"], "chosen": setting["chosen"],
                         "settings": " ".join(options[2:]), "accuracy": f"{truth['accuracy']:.4f}", "regret": f"{truth['regret']:.6f}"})
        for row in found:
            results.add(**row)
        print(f"{name} seed {seed}: {len(tried)} settings", flush=True)


def print_head(names, corner=""):
    print(f"|{corner and f' {corner}'} | {' | '.join(names)} |\n|---|{'---|' * len(names)}")


def by_study_and_method(rows):
    cells = {}
    for row in rows:
        cells.setdefault((row["study"], row["method"]), {})[int(row["seed"])] = row
    return cells


def means(cells, names, method):
    """Accuracy and regret in words, by study; of the best constant where that is no method."""
    line = []
    for name in names:
        part = cells.get((name, method if method in METHODS else "auto"), {}).values()
        prefix = "" if method in METHODS else "best_constant_"
        line.append(f"{100 * statistics.mean(float(r[prefix + 'accuracy']) for r in part):.1f} "
                    f"({statistics.mean(float(r[prefix + 'regret']) for r in part):.3f})" if part else "")
    return " | ".join(line)


def print_short(rows):
    names = [f"D{d}" for d in range(1, 7)]
    print_head(names, "accuracy in %, and regret")
    for method, words in SHORT.items():
        print(f"| {words} | {means(by_study_and_method(rows), names, method)} |")


def print_tables(rows):
    cells = by_study_and_method(rows)
    for title, group in GROUPS.items():
        names = [name for name in group if any(study == name for study, _ in cells)]
        if names:
            print_group(title, names, cells)


def print_group(title, names, cells):
    methods = [method for method in METHODS if any((name, method) in cells for name in names)]
    counts = [len(cells.get((name, "auto"), {})) for name in names]
    print(f"{title}, {from_to(counts)} seeds of each. Accuracy in percent and, in brackets, regret; means over the seeds.\n")
    print_head(names)
    for method in [*methods, BEST_CONSTANT]:
        print(f"| {method} | {means(cells, names, method)} |")
    print("\nRegret of auto less that of others, paired by study, with 95 % intervals; below 0 is better.\n")
    print_head(names)
    for rival, (method, field, share) in RIVALS.items():
        line = []
        for name in names:
            mine, theirs = cells.get((name, "auto"), {}), cells.get((name, method), {})
            gains = [float(mine[s]["regret"]) - share * float(theirs[s][field]) for s in sorted(set(mine) & set(theirs))]
            line.append(difference(gains))
        print(f"| {rival} | {' | '.join(line)} |")
    print()


def print_gap(rows, reported):
    print("Regret: of auto, and of the best and the median of its settings alone, by the truth; means over the seeds.\n")
    print("| study | seeds | auto | best setting by truth | median setting | settings of the best |\n|---|---|---|---|---|---|")
    for name in dict.fromkeys(row["study"] for row in rows):
        seeds = sorted({row["seed"] for row in rows if row["study"] == name})
        tried = [sorted((r for r in rows if r["study"] == name and r["seed"] == s), key=lambda r: float(r["regret"])) for s in seeds]
        best, median = [each[0] for each in tried], [each[len(each) // 2] for each in tried]
        mine = [float(r["regret"]) for r in reported if r["study"] == name and r["method"] == "auto" and r["seed"] in seeds]
        print(f"| {name} | {len(seeds)} | {statistics.mean(mine):.3f} | {statistics.mean(float(r['regret']) for r in best):.3f} | "
              f"{statistics.mean(float(r['regret']) for r in median):.3f} | {best[0]['settings']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/polyrx"))
    parser.add_argument("--seeds", type=seeds_of, default=range(6001, 6021))
    parser.add_argument("--studies", type=some_of(STUDIES), default=list(STUDIES))
    parser.add_argument("--methods", type=some_of(METHODS), default=list(METHODS))
    parser.add_argument("--jobs", type=int, default=2, help="studies at a time, a thread each")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "reported.csv")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--short", action="store_true", help="of the tables, what the project's README shows")
    parser.add_argument("--best-by-truth", action="store_true")
    arguments = parser.parse_args()
    results = Results(arguments.results, FIELDS, ["study", "seed", "method"])
    settings = Results(arguments.results.with_name(f"{arguments.results.stem}_settings_by_truth.csv"),
                       ["study", "seed", "candidate", "chosen", "settings", "accuracy", "regret"], ["study", "seed", "candidate"])
    if arguments.table and arguments.short:
        print_short(results.rows)
        return
    if arguments.table:
        print_tables(results.rows)
        if settings.rows:
            print_gap(settings.rows, results.rows)
        return
    tasks = []
    for seed in arguments.seeds:
        for name in arguments.studies:
            if arguments.best_by_truth:
                if not settings.has(study=name, seed=seed):
                    tasks.append(partial(judged_settings, arguments.program, name, seed, settings))
                continue
            missing = [m for m in arguments.methods if not results.has(study=name, seed=seed, method=m)]
            if missing:
                tasks.append(partial(measured, arguments.program, name, seed, missing, results))
    do_all(tasks, arguments.jobs)


if __name__ == "__main__":
    main()
