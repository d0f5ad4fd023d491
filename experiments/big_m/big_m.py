#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules by a large number M that is added to outcomes, as in the paper, beside masks: what M does to training and to the rules.

    big_m.py [--iwpc IWPC.csv] [--program build/release/polyrx] [--seeds 5001-5005] [--jobs 2]     # adds to results/big_m.csv
    big_m.py --table

polyrx has no M in training, and none that could be chosen: so the paper's network is had from it as follows. Where a rule forbids the
treatment p that a training row received, the paper's output is f_p(x) + M, and its error y - (f_p(x) + M) is that of a network
without M and the outcome y - M. Such outcomes are written into the training data. What is prescribed to new rows, the least of
f_p(x) + M [p is forbidden], is worked out here from the outcomes that `polyrx prescribe --outcomes` prints.
"""

import csv
import json
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "warfarin")]
from figures import COLOURS, figure  # noqa: E402
from laboratory import ROLES, Program, Results, beside_readme, do_all, mean_and_deviation, parser_of  # noqa: E402
from splits import Split  # noqa: E402

SEEDS = "5001-5005"
MS = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
MASKS_DROPPED, MASKS_KEPT, M_DROPPED, M_KEPT = FORMS = ["masks, rows dropped", "masks, rows kept", "M, rows dropped", "M, rows kept"]
FIELDS = ["study", "form", "m", "seed", "ended", "accuracy", "regret", "elsewhere", "broken", "error", "loss", "enough"]


class Clinic(Split):
    """The simulated clinic: 10,000 patients to learn from, and 10,000 others."""

    rule, treatments, forbidden, rows_written = "if egfr < 40 then not 20 mg", ["5 mg", "10 mg", "20 mg"], {"20 mg"}, 10_000

    def __enter__(self):
        Program.__enter__(self)
        for name, seed in (("train.csv", self.seed), ("test.csv", self.seed + 100_000)):
            self.run("simulate", "clinic", "-n", self.rows_written, "--seed", seed, "--truth", "--schema", "doses.json", "-q", "-o", name)
        return self

    @staticmethod
    def applies(row):
        return row["egfr"] == "NA" or float(row["egfr"]) < 40  # where a value is missing, a rule applies


class QuickClinic(Clinic):
    rows_written = 500


class Warfarin(Split):
    """Section 5.4's rule."""

    rule, treatments, forbidden = "if BMI > 30 then Medium, High", ["Low", "Medium", "High"], {"Low"}

    @staticmethod
    def applies(row):
        return float(row["BMI"]) > 30


def write_shifted(study, m):
    """shifted.csv: the training data, with y - M where the treatment breaks the rule."""
    rows = study.rows("train.csv")
    for row in rows:
        if row["treatment"] in study.forbidden and study.applies(row):
            row["outcome"] = repr(float(row["outcome"]) - m)
    write(study, "shifted.csv", rows)


def write(study, name, rows):
    with open(study.folder / name, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, rows[0], lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def write_dropped(study):
    """dropped.csv: the training data without the rows whose treatment breaks the rule."""
    write(study, "dropped.csv", [row for row in study.rows("train.csv") if not (row["treatment"] in study.forbidden and study.applies(row))])


def fit(study, data, *options):
    """What fit says; nothing where training diverged, which is a result here."""
    try:
        return study.json("fit", data, "--schema", "doses.json", *ROLES, "--recipe", "paper", "--rules", "rules.txt",
                          "--seed", study.seed, "--threads", "1", *options)
    except RuntimeError as error:
        if "diverged" not in str(error):
            raise
        return None


def judged(study, m):
    """model.json on new rows, with M (infinite: masks)."""
    names, tests = study.treatments, study.rows("test.csv")
    predicted = csv.DictReader(study.run("prescribe", "model.json", "test.csv", "--outcomes", "-q").splitlines())
    right, lost, elsewhere, broken, errors = [], [], [], [], []
    for test, row in zip(tests, predicted, strict=True):
        applies, outcomes = study.applies(test), [float(row[f"outcome_{name}"]) for name in names]
        scores = [y + m if applies and name in study.forbidden else y for y, name in zip(outcomes, names, strict=True)]
        given, truth = scores.index(min(scores)), [float(test[f"y{k}"]) for k in range(len(names))]
        if math.isinf(m) and row["prescription"] != names[given]:
            raise RuntimeError("masks worked out here are not those of polyrx")
        right.append(truth[given] == min(truth))
        lost.append(truth[given] - min(truth))
        (broken if applies else elsewhere).append(names[given] in study.forbidden if applies else right[-1])
        if not (applies and test["treatment"] in study.forbidden):
            errors.append((float(test["outcome"]) - outcomes[names.index(test["treatment"])]) ** 2)
    return {"accuracy": f"{statistics.fmean(right):.4f}", "regret": f"{statistics.fmean(lost):.6f}",
            "elsewhere": f"{statistics.fmean(elsewhere):.4f}", "broken": f"{statistics.fmean(broken):.4f}",
            "error": f"{math.sqrt(statistics.fmean(errors)):.6g}"}


def measured(study, name, form, options, results):
    ms = MS if form in (M_DROPPED, M_KEPT) else [math.inf]
    with study:
        (study.folder / "rules.txt").write_text(study.rule + "\n", encoding="utf-8")
        schema = json.loads((study.folder / "doses.json").read_text(encoding="utf-8"))
        schema["columns"].pop("outcome", None)  # its least value is not that of y - M
        (study.folder / "doses.json").write_text(json.dumps(schema), encoding="utf-8")
        for m in ms:
            cell = {"study": name, "form": form, "m": m, "seed": study.seed}
            if results.has(**cell):
                continue
            if form == M_KEPT:
                write_shifted(study, m)
            if form in (MASKS_DROPPED, M_DROPPED):
                write_dropped(study)
            made = fit(study, {M_KEPT: "shifted.csv", MASKS_KEPT: "train.csv"}.get(form, "dropped.csv"), *options)
            if not made:
                results.add(**cell, ended="diverged", accuracy="", regret="", elsewhere="", broken="", error="", loss="", enough="")
                continue
            enough = f"{study.json('constrain', 'model.json', 'rules.txt', '--big-m', '-o', 'enough.json')['big_m']:.4g}"
            results.add(**cell, ended="fitted", **judged(study, m), loss=f"{made['loss']:.6g}", enough=enough)


def print_tables(results):
    for study in ("clinic", "warfarin"):
        if not results.where(study=study):
            continue
        print(f"\n{study}, `{(Clinic if study == 'clinic' else Warfarin).rule}`; mean and deviation over the seeds whose training ended:\n")
        print("| rule by | M | accuracy % | regret | accuracy % where no rule applies | rule broken, % of the rows that it is for | "
              "error of prediction | M that is enough | diverged |\n|---|---|---|---|---|---|---|---|---|")
        for form in FORMS:
            for m in dict.fromkeys(row["m"] for row in results.where(study=study, form=form)):
                cell = {"study": study, "form": form, "m": m}
                shown = []
                for field, scale, digits in (("accuracy", 100, 1), ("regret", 1, 3), ("elsewhere", 100, 1), ("broken", 100, 1)):
                    values = [scale * value for value in results.numbers(field, **cell)]
                    shown.append(mean_and_deviation(values, digits) if values else "")
                for field in ("error", "enough"):  # these go over orders of magnitude
                    values = results.numbers(field, **cell)
                    shown.append(f"{min(values):.3g} to {max(values):.3g}" if values else "")
                lost = len(results.where(**cell, ended="diverged"))
                print(f"| {form} | {'' if m == 'inf' else f'{int(m):,}'} | {' | '.join(shown)} | {lost} of {len(results.where(**cell))} |")


def draw(path, results):
    def panels(axes):
        for colour, study in zip(COLOURS, ("clinic", "warfarin"), strict=False):
            if not results.where(study=study):
                continue
            for axis, field, scale in zip(axes, ("elsewhere", "broken", "error"), (100, 100, 1), strict=True):
                for form, style, mark in ((M_DROPPED, "--", "o"), (M_KEPT, "-", "s")):
                    numbers = {m: results.numbers(field, study=study, form=form, m=m) for m in MS}
                    means = [(m, scale * statistics.mean(values)) for m, values in numbers.items() if values]
                    axis.plot([m for m, _ in means], [y for _, y in means], style, color=colour, marker=mark, label=f"{study}, {form}")
                if masks := results.numbers(field, study=study, form=MASKS_DROPPED):
                    axis.axhline(scale * statistics.mean(masks), color=colour, linestyle=":", marker="", label=f"{study}, masks")
        for axis, title in zip(axes, ("right where no rule applies, %", "rule broken, % of its rows", "error of prediction"), strict=True):
            axis.set(xscale="log", xlabel="M", title=title)
        axes[2].set_yscale("log")
        axes[2].legend(fontsize=8)

    return figure(path, 3, panels)


def main():
    parser = parser_of(__file__, __doc__, SEEDS)
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "big_m.csv", FIELDS, ["study", "form", "m", "seed"])
    quick = arguments.quick
    if not arguments.table:
        seeds = arguments.seeds[:2] if quick else arguments.seeds
        studies = [("clinic", (QuickClinic if quick else Clinic)(arguments.program, None, seed)) for seed in seeds for _ in FORMS]
        if arguments.iwpc:
            studies += [("warfarin", Warfarin(arguments.program, arguments.iwpc.resolve(), seed)) for seed in seeds for _ in FORMS]
        else:
            print("The part on warfarin is skipped: the cohort's file is not part of the repository (--iwpc, docs/warfarin.md).")
        options = ["--hidden", "20", "--epochs", "3"] if quick else []
        do_all([lambda study=study, name=name, form=FORMS[i % len(FORMS)]: measured(study, name, form, options, results)
                for i, (name, study) in enumerate(studies)], arguments.jobs)
    print_tables(results)
    if results.rows and not arguments.table:
        draw(beside_readme(arguments, __file__) / "big_m.svg", results)


if __name__ == "__main__":
    main()
