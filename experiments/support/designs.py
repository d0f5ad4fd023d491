#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Families of studies with known truth, on which support is chosen and judged; draws.py has how their rows are drawn.

    designs.py --check [--program build/release/polyrx] [--iwpc IWPC.csv]    # writes results/designs.csv: what practice reaches, by simulation
    designs.py --table                                                       # the families, with what the check found

Families go to two halves by a rule that was committed before any of them was run: settings are chosen on one, targets are read off the other.
Families of the clinic take their patients from `polyrx simulate clinic`, those of warfarin from the consortium's file (docs/warfarin.md).
"""

import csv
import dataclasses
import hashlib
import pathlib
import random
import statistics
import sys
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import draws  # noqa: E402
from laboratory import Program, Results, do_all, parser_of  # noqa: E402

CHOOSE, REPORT, BOTH = "choose", "report", "both"
GOOD, RANDOM, RARE, PAPER, HIDDEN = "good doctors", "randomised", "rare arm", "paper", "hidden knowledge"
TEST_ROWS = 10_000
WARFARIN_ROWS, WARFARIN_REPEATS = 3_000, 4  # of 4,417 patients; each of the others is given a dose four times, for less noise in what is measured
ANOTHER = 100_000  # added to a seed for the rows to be judged on, as in other experiments
DOSES = ("Low", "Medium", "High")
CHECK_SEEDS = range(1, 4)
FIELDS = ["family", "seed", "rows", "right", "practice_regret", "best_constant_regret", "best_constant_right", "rarest", "out_of_support",
          "usual_right"]


@dataclasses.dataclass(frozen=True)
class Family:
    name: str
    kind: str
    assignment: str  # what those who choose treatments go by: linear, U-shaped, interacting, random
    outcome: str  # binary or continuous
    objective: str  # min or max
    treatments: tuple  # labels, in the order of y0, y1, ...
    rows: int  # to learn from
    right: tuple  # least and greatest share of rows for whom practice is to choose the best treatment
    draw: Callable | None = None  # (random stream, rows, records) -> draws.Row of each; of the paper's studies the program draws
    source: str = ""  # whose patients: clinic, warfarin
    design: str = ""  # --propensities, where treatment is random: LABEL=NUMBER of each
    options: tuple = ()  # of fit, besides treatment, outcome and objective
    seen: bool = False  # looked at before this experiment: never reported as unseen

    @property
    def truth(self):
        """What evaluate --truth takes."""
        return ",".join(f"{label}=y{k}" for k, label in enumerate(self.treatments))


def good(name, assignment, outcome, objective, treatments, rows, right, draw, **more):
    return Family(name, GOOD, assignment, outcome, objective, tuple(treatments), rows, right, draw, **more)


def randomised(name, kind, outcome, objective, chances, rows, draw, **more):
    labels = more.pop("treatments", [f"arm{k}" for k in range(len(chances))])
    return Family(name, kind, "random", outcome, objective, tuple(labels), rows, (0, 1), draw,
                  design=",".join(f"{label}={chance}" for label, chance in zip(labels, chances, strict=True)), **more)


SCHOOL_FEATURES = "pretest,absent_days,age_months,speaks_other"
DECLARED = [
    good("triage", "linear", "binary", "min", ["ward", "urgent"], 500, (0.85, 0.95), draws.triage),
    good("job-training", "linear", "binary", "max", ["course", "placement", "coaching"], 1_500, (0.50, 0.65), draws.job_training),
    good("warfarin-little-noise", "linear", "binary", "max", DOSES, WARFARIN_ROWS, (0.92, 0.94), draws.warfarin_right(0.10),
         source="warfarin", seen=True),
    good("warfarin-more-noise", "linear", "binary", "max", DOSES, WARFARIN_ROWS, (0.90, 0.92), draws.warfarin_right(0.19),
         source="warfarin", seen=True),
    good("statins", "linear", "continuous", "min", ["none", "statin"], 20_000, (0.90, 0.95), draws.statins),
    good("dosing", "linear", "continuous", "min", [f"d{k}" for k in range(5)], 10_000, (0.65, 0.80), draws.dosing),
    good("school", "linear", "continuous", "max", ["usual", "tutoring"], 4_000, (0.70, 0.85), draws.school,
         options=("--group", "school", "--features", SCHOOL_FEATURES)),
    good("warfarin-five-doses", "linear", "continuous", "min", [f"{mg} mg" for mg in draws.WEEKLY], WARFARIN_ROWS, (0.60, 0.85), draws.warfarin_five,
         source="warfarin"),
    good("clinic-careful", "linear", "continuous", "min", ["5 mg", "10 mg", "20 mg"], 5_000, (0.70, 0.90), draws.clinic_careful, source="clinic"),
    good("glucose", "U-shaped", "binary", "max", ["diet", "tablets", "insulin"], 1_000, (0.65, 0.85), draws.glucose),
    good("anaesthesia", "U-shaped", "binary", "min", ["light", "deep"], 500, (0.75, 0.92), draws.anaesthesia),
    good("thyroid", "U-shaped", "continuous", "min", ["wait", "treat"], 2_000, (0.88, 0.95), draws.thyroid),
    good("blood-pressure", "U-shaped", "continuous", "min", ["wait", "treat"], 10_000, (0.58, 0.72), draws.blood_pressure),
    good("allergy", "interacting", "binary", "min", ["drug a", "drug b"], 3_000, (0.75, 0.92), draws.allergy),
    good("critical-care", "interacting", "binary", "min", ["fluids", "vasopressor"], 8_000, (0.65, 0.85), draws.critical_care),
    good("marketing", "interacting", "binary", "max", ["mail", "phone", "email", "social", "none of them"], 20_000, (0.60, 0.85), draws.marketing),
    good("warfarin-bleeding", "interacting", "binary", "min", DOSES, WARFARIN_ROWS, (0.50, 0.75), draws.warfarin_bleeding, source="warfarin"),
    good("clinic-event", "interacting", "binary", "min", ["5 mg", "10 mg", "20 mg"], 2_000, (0.50, 0.70), draws.clinic_event, source="clinic"),
    good("marker-pairs", "interacting", "continuous", "min", ["usual", "new"], 2_000, (0.82, 0.95), draws.marker_pairs),
    good("physiotherapy", "interacting", "continuous", "max", ["rest", "exercise", "surgery"], 6_000, (0.52, 0.70), draws.physiotherapy),
    randomised("trial-coarse", RANDOM, "binary", "min", ["1/2", "1/2"], 4_000, draws.trial_coarse),
    randomised("trial-segments", RANDOM, "binary", "max", ["1/3"] * 3, 2_000, draws.trial_segments),
    randomised("warfarin-random", RANDOM, "binary", "max", ["1/3"] * 3, WARFARIN_ROWS, draws.warfarin_right(None), treatments=DOSES,
               source="warfarin", seen=True),
    randomised("trial-one-to-two", RANDOM, "continuous", "min", ["1/3", "2/3"], 2_000, draws.trial_continuous),
    randomised("trial-three-arms", RANDOM, "continuous", "min", ["1/3"] * 3, 3_000, draws.trial_three),
    randomised("rare-arm-stroke", RARE, "binary", "min", [str(p) for p in draws.RARE_STROKE], 5_867, draws.rare_stroke),
    randomised("rare-arm-helpful", RARE, "continuous", "min", [str(p) for p in draws.RARE_HELPFUL], 10_000, draws.rare_helpful),
    *(Family(f"D{d}", PAPER, "as in the paper", "continuous", "min", tuple("012"[:2 if d < 5 else 3]), 10_000, (0, 1)) for d in range(1, 7)),
    Family("hidden-warfarin", HIDDEN, "hidden", "binary", "max", DOSES, WARFARIN_ROWS, (0.90, 0.94), draws.hidden_warfarin, source="warfarin"),
    Family("hidden-frailty", HIDDEN, "hidden", "continuous", "min", ("conservative", "surgery"), 4_000, (0.80, 0.95), draws.hidden_frailty),
]
FAMILIES = {family.name: family for family in DECLARED}


def halves():
    """What was looked at before is for choosing, hidden knowledge is only reported, and the paper's studies are for both. The others are put in
    order by kind, source of the patients, assignment, outcome, number of treatments and SHA-256 of their name, and go to the two halves in
    turn, the first to choose."""
    settled = {family.name: CHOOSE if family.seen else REPORT if family.kind == HIDDEN else BOTH
               for family in DECLARED if family.seen or family.kind in (HIDDEN, PAPER)}
    others = sorted((family for family in DECLARED if family.name not in settled),
                    key=lambda family: (family.kind, family.source, family.assignment, family.outcome, len(family.treatments),
                                        hashlib.sha256(family.name.encode()).hexdigest()))
    return settled | {family.name: (CHOOSE, REPORT)[place % 2] for place, family in enumerate(others)}


HALVES = halves()


def families_of(half, *kinds):
    return [family for family in DECLARED if HALVES[family.name] in (half, BOTH) and (not kinds or family.kind in kinds)]


def records_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def stream(*names):
    return random.Random("/".join(map(str, names)))


class Study(Program):
    """train.csv, to learn from, and test.csv, other rows with the truth as y0, y1, ... Use it with `with`; only the clinic, warfarin and the paper's
    studies run the program."""

    def __init__(self, path, family, seed, iwpc=None, most=None):
        """`most`: at most so many rows in each file."""
        super().__init__(path)
        self.family, self.seed, self.iwpc, self.most = family, seed, iwpc, most

    def __enter__(self):
        super().__enter__()
        sizes = [min(rows, self.most or rows) for rows in (self.family.rows, TEST_ROWS)]
        if self.family.kind == PAPER:
            for file, seed, rows in zip(("train.csv", "test.csv"), (self.seed, self.seed + ANOTHER), sizes, strict=True):
                more = ["--truth"] if file == "test.csv" else []
                self.run("simulate", self.family.name[1:], "-n", rows, "--seed", seed, *more, "-q", "-o", file)
            return self
        for file, part, rows, records in zip(("train.csv", "test.csv"), ("train", "test"), sizes, self.records(sizes), strict=True):
            rows = drawn(self.family, self.seed, part, rows, records)
            write(self.folder / file, self.family, rows, stream(self.family.name, self.seed, part, "outcomes"), part == "test")
        return self

    def records(self, sizes):
        """Patients to learn from and to be judged on, where others than the family draw them."""
        if self.family.source == "clinic":
            for file, seed, rows in zip(("first.csv", "second.csv"), (self.seed, self.seed + ANOTHER), sizes, strict=True):
                self.run("simulate", "clinic", "-n", rows, "--seed", seed, "--truth", "-q", "-o", file)
            return [records_of(self.folder / file) for file in ("first.csv", "second.csv")]
        if self.family.source == "warfarin":
            self.run("warfarin", self.iwpc, "-q", "-o", "patients.csv")
            patients = records_of(self.folder / "patients.csv")
            stream(self.family.name, self.seed, "patients").shuffle(patients)
            return patients[:sizes[0]], (WARFARIN_REPEATS * patients[WARFARIN_ROWS:])[:sizes[1]]
        return None, None


def drawn(family, seed, part, count, records=None):
    """Rows of a family; `part` is train or test."""
    return family.draw(stream(family.name, seed, part), count, records)


def text_of(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def observed(family, row, draw):
    """Which treatment a row receives, and the outcome that is seen."""
    given = draw.choices(range(len(row.means)), row.chances)[0]
    if family.outcome == "binary":
        return given, int(draw.random() < row.means[given])
    return given, round(draw.gauss(row.means[given], row.noise), 4)


def write(path, family, rows, draw, truth):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*rows[0].cells, "treatment", "outcome", *(f"y{k}" for k in range(len(family.treatments)) if truth)])
        for row in rows:
            given, outcome = observed(family, row, draw)
            out.writerow([*map(text_of, row.cells.values()), family.treatments[given], outcome, *(f"{mean:.9g}" for mean in row.means if truth)])


class Practice:
    """What the truth says of the treatments that test.csv has, and of the best one for all."""

    def __init__(self, path, family):
        rows = records_of(path)
        worse = 1 if family.objective == "min" else -1
        truth = [[worse * float(row[f"y{k}"]) for k in range(len(family.treatments))] for row in rows]
        best = [min(each) for each in truth]
        given = [family.treatments.index(row["treatment"]) for row in rows]
        self.deviation = statistics.pstdev(float(row["outcome"]) for row in rows)
        self.best_outcome = worse * statistics.fmean(best)
        self.accuracy, self.regret = self.reached(truth, best, given)
        self.constants = [self.reached(truth, best, [k] * len(rows)) for k in range(len(family.treatments))]

    @staticmethod
    def reached(truth, best, given):
        """Share of right treatments, and regret."""
        got = [each[k] for each, k in zip(truth, given, strict=True)]
        right = statistics.fmean(each == least for each, least in zip(got, best, strict=True))
        return right, statistics.fmean(got) - statistics.fmean(best)


def overlap(family, rows):
    """By the true propensities: the first percentile of the smallest one; the share of rows whose best treatment is not supported at 0.05; and of
    those for whom the most likely treatment is the best."""
    pick = min if family.objective == "min" else max
    rarest = sorted(min(row.chances) for row in rows)[len(rows) // 100]
    best = [row.means.index(pick(row.means)) for row in rows]
    return (rarest, statistics.fmean(row.chances[k] < 0.05 * max(row.chances) for row, k in zip(rows, best, strict=True)),
            statistics.fmean(row.chances[k] == max(row.chances) for row, k in zip(rows, best, strict=True)))


def check(path, family, seed, iwpc, results):
    with Study(path, family, seed, iwpc) as study:
        practice = Practice(study.folder / "test.csv", family)
        row = {"family": family.name, "seed": seed, "rows": family.rows, "right": f"{practice.accuracy:.4f}",
               "practice_regret": f"{practice.regret / practice.deviation:.4f}",
               "best_constant_regret": f"{min(regret for _, regret in practice.constants) / practice.deviation:.4f}",
               "best_constant_right": f"{max(right for right, _ in practice.constants):.4f}"}
        if family.kind != PAPER:
            found = overlap(family, drawn(family, seed, "train", family.rows, study.records((family.rows, TEST_ROWS))[0]))
            row |= {"rarest": f"{found[0]:.2g}", "out_of_support": f"{found[1]:.4f}",
                    "usual_right": "" if family.design else f"{found[2]:.4f}"}
        results.add(**row)


def print_table(results):
    print("| family | kind | half | assignment | outcome | treatments | rows | right, % | most likely one right, % | regret of practice | "
          "regret of the best for all | smallest propensity | best one unsupported, % |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for family in DECLARED:
        def mean(field, scale=1, digits=1, name=family.name):
            values = results.numbers(field, family=name)
            return f"{scale * statistics.mean(values):.{digits}f}" if values else ""
        rarest = results.numbers("rarest", family=family.name)
        print(f"| {family.name} | {family.kind} | {HALVES[family.name]} | {family.assignment} | {family.outcome}, {family.objective} | "
              f"{len(family.treatments)} | {family.rows:,} | {mean('right', 100)} | {mean('usual_right', 100)} | {mean('practice_regret', 1, 2)} | "
              f"{mean('best_constant_regret', 1, 2)} | {f'{statistics.mean(rarest):.1g}' if rarest else ''} | {mean('out_of_support', 100)} |")


def main():
    parser = parser_of(__file__, __doc__)
    parser.add_argument("--check", action="store_true", help="draw every family on three seeds")
    parser.add_argument("--iwpc", type=pathlib.Path, help="the consortium's file (docs/warfarin.md)")
    arguments = parser.parse_args()
    results = Results(arguments.results / "designs.csv", FIELDS, ["family", "seed"])
    if arguments.check:
        if not arguments.iwpc:
            print("warfarin is skipped: say where the consortium's file is with --iwpc")
        iwpc = arguments.iwpc and arguments.iwpc.resolve()
        do_all([lambda family=family, seed=seed: check(arguments.program, family, seed, iwpc, results) for family in DECLARED
                if family.source != "warfarin" or iwpc for seed in CHECK_SEEDS if not results.has(family=family.name, seed=seed)], arguments.jobs)
    print_table(results)
    wrong = [family.name for family in DECLARED for right in results.numbers("right", family=family.name)
             if not family.right[0] <= right <= family.right[1]]
    if wrong and arguments.check:
        sys.exit(f"practice is not right as often as declared: {', '.join(dict.fromkeys(wrong))}")


if __name__ == "__main__":
    main()
