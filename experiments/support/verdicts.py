# SPDX-License-Identifier: Apache-2.0
"""Tables of support.csv, and which targets are met. The criteria were written before the first run (README.md)."""

import statistics
from typing import NamedTuple

from designs import CHOOSE, GOOD, HIDDEN, PAPER, RANDOM, RARE, REPORT, families_of
from laboratory import difference, from_to, mean_and_interval  # designs knows where it is
from plan import AVOID, CHOOSE_SEEDS, EPSILONS, EXTRAPOLATE, NONE, RECIPES, REPORT_SEEDS, RIVALS, Fit, rivals_of

DEFAULT = Fit("auto", AVOID)
NOBODY_CAN_TELL = ("Hidden knowledge: doctors see what no column holds. No program can detect this in the data: every figure that it estimates from "
                   "them rests on the assumption that does not hold here. Nothing is required of these rows.")


def points(row):
    """Accuracy less that of practice, in percentage points."""
    return 100 * (float(row["accuracy"]) - float(row["practice_accuracy"]))


def value(row):
    """Mean true outcome better than that of practice, in standard deviations of the outcome."""
    return (float(row["practice_regret"]) - float(row["regret"])) / float(row["deviation"])


class Measure(NamedTuple):
    name: str
    of: object
    tolerance: float  # a mean may be so far below practice
    single: float  # and a single run so far
    digits: int


MEASURES = [Measure("accuracy in points", points, 0.5, 3.0, 1), Measure("value in standard deviations", value, 0.02, 0.12, 3)]
VALUE = MEASURES[1]


def runs(results, family, fit, seeds):
    """Rows of a fit by seed."""
    found = results.where(family=family.name, ended="fitted", **fit._asdict())
    return {int(row["seed"]): row for row in found if int(row["seed"]) in seeds}


def not_below(rows, measure):
    """Whether the mean is not credibly below practice by more than the tolerance."""
    middle, _, high = mean_and_interval([measure.of(row) for row in rows])
    return (middle if len(rows) < 2 else high) >= -measure.tolerance


def none_far_below(rows, measure):
    return min(map(measure.of, rows)) >= -measure.single


def paired(mine, theirs, measure):
    return [measure.of(mine[seed]) - measure.of(theirs[seed]) for seed in sorted(set(mine) & set(theirs))]


def both(rows):
    """"+1.2 (+0.034)": points, and value."""
    return " ".join(form.format(statistics.mean(map(measure.of, rows.values())))
                    for form, measure in zip(("{:+.1f}", "({:+.3f})"), MEASURES, strict=True)) if rows else ""


def yes(met):
    return "met" if met else "**not met**"


def head(*names):
    print(f"| {' | '.join(names)} |\n|{'---|' * len(names)}")


# --- the half to choose on


def print_choice(results):
    for recipe in RECIPES:
        fits = {EXTRAPOLATE: Fit(recipe, EXTRAPOLATE), **{epsilon: Fit(recipe, AVOID, epsilon) for epsilon in EPSILONS},
                **{f"{epsilon}, no fallback": Fit(recipe, AVOID, epsilon, NONE) for epsilon in EPSILONS}}
        found = {(family.name, fit): runs(results, family, fit, CHOOSE_SEEDS) for family in families_of(CHOOSE) for fit in fits.values()}
        fits = {words: fit for words, fit in fits.items() if any(found[family.name, fit] for family in families_of(CHOOSE))}
        if not fits:
            continue
        seeds = from_to([len(each) for each in found.values() if each])
        print(f"\nDevelopment, `--recipe {recipe}`, {seeds} seeds: accuracy less that of practice in points and, in brackets, value in standard "
              "deviations.\n")
        head("family", "kind", "practice, %", *fits)
        for family in families_of(CHOOSE):
            rows = [row for fit in fits.values() for row in found[family.name, fit].values()]
            if rows:
                practice = 100 * statistics.mean(float(row["practice_accuracy"]) for row in rows)
                print(f"| {family.name} | {family.kind} | {practice:.1f} | {' | '.join(both(found[family.name, fit]) for fit in fits.values())} |")
        print_choice_summary(found, fits)


def print_choice_summary(found, fits):
    print()
    head("", *fits)
    good = [family.name for family in families_of(CHOOSE, GOOD)]
    random = [family.name for family in families_of(CHOOSE, RANDOM)]
    paper = [family.name for family in families_of(CHOOSE, PAPER)]

    def line(words, of):
        print(f"| {words} | {' | '.join(of(fit) for fit in fits.values())} |")

    def mean_value(names, fit, against=None):
        means = [statistics.mean(map(value, found[name, fit].values()) if against is None else paired(found[name, fit], found[name, against], VALUE))
                 for name in names if found[name, fit]]
        return f"{statistics.mean(means):+.3f}" if means else ""

    def count(names, fit, below):
        """How many of the rows of each family, or families, are counted by `below`; nothing where there are none."""
        counts = [below(list(found[name, fit].values())) for name in names if found[name, fit]]
        return str(sum(counts)) if counts else ""

    for measure in MEASURES:
        line(f"good doctors: families credibly below practice, {measure.name}", lambda fit, measure=measure: count(
            good, fit, lambda rows: not not_below(rows, measure)))
        line(f"good doctors: runs far below practice, {measure.name}", lambda fit, measure=measure: count(
            good, fit, lambda rows: sum(measure.of(row) < -measure.single for row in rows)))
    line("good doctors: mean value", lambda fit: mean_value(good, fit))
    if EXTRAPOLATE in fits:
        line("randomised: mean value less that of extrapolate", lambda fit: mean_value(random, fit, fits[EXTRAPOLATE]))
    line("D1-D6: mean value", lambda fit: mean_value(paper, fit))
    line("all families: runs recommended, and of these worse than practice", lambda fit: wrongly(found, fit))


def wrongly(found, fit):
    """How many runs were recommended, and how many of these are in truth worse than practice."""
    said = [value(row) for (_, of), rows in found.items() if of == fit for row in rows.values() if row["recommended"] == "true"]
    return f"{len(said)}, {sum(each < 0 for each in said)}" if said else ""


# --- the half to report


def print_report(results):
    shown = {f"{recipe}, {beyond}": Fit(recipe, beyond) for recipe in RECIPES for beyond in (AVOID, EXTRAPOLATE)}
    families = [family for family in families_of(REPORT) if runs(results, family, DEFAULT, REPORT_SEEDS)]
    print("\nReported: accuracy less that of practice in points and, in brackets, value in standard deviations; means over the seeds.\n")
    head("family", "kind", "seeds", "practice, %", "best for all", *shown, "recommended, %")
    for family in families:
        if family.kind != HIDDEN:
            print_family(results, family, shown)
    hidden = [family for family in families if family.kind == HIDDEN]
    if hidden:
        print(f"\n{NOBODY_CAN_TELL}\n")
        head("family", "kind", "seeds", "practice, %", "best for all", *shown, "recommended, %")
        for family in hidden:
            print_family(results, family, shown)
    known = [family for family in families if family.kind in (RANDOM, RARE)]
    if known:
        print("\nWhere treatment was random: value of `avoid` less that of `extrapolate`, paired by seed, with 95 % intervals.\n")
        head("family", "kind", *(f"{recipe}{words}" for recipe in RECIPES for words in ("", ", design known")))
        for family in known:
            cells = [difference(against_extrapolating(results, family, recipe, design)) for recipe in RECIPES for design in ("", "known")]
            print(f"| {family.name} | {family.kind} | {' | '.join(cells)} |")


def print_family(results, family, shown):
    found = {words: runs(results, family, fit, REPORT_SEEDS) for words, fit in shown.items()}
    mine = list(runs(results, family, DEFAULT, REPORT_SEEDS).values())
    constant = {int(row["seed"]): {**row, "accuracy": row["constant_accuracy"], "regret": row["constant_regret"]} for row in mine}
    said = [row["recommended"] == "true" for row in mine if row["recommended"]]
    print(f"| {family.name} | {family.kind} | {from_to([len(each) for each in found.values() if each])} | "
          f"{100 * statistics.mean(float(row['practice_accuracy']) for row in mine):.1f} | {both(constant)} | "
          f"{' | '.join(map(both, found.values()))} | {f'{100 * statistics.mean(said):.0f}' if said else ''} |")


def against_extrapolating(results, family, recipe, design=""):
    mine, theirs = (runs(results, family, fit, REPORT_SEEDS) for fit in (Fit(recipe, AVOID, design=design), Fit(recipe, EXTRAPOLATE)))
    return paired(mine, theirs, VALUE)


def print_rivals(results):
    good = [family for family in families_of(REPORT, GOOD) if runs(results, family, DEFAULT, REPORT_SEEDS)]
    if not good:
        return
    print("\nValue of `polyrx fit` less that of rivals, paired by seed, on families with good doctors: in how many of them it is at or above a rival "
          "by the mean, in how many it is credibly below, and the mean over families, in standard deviations.\n")
    head("rival", *(f"{words}: {what}" for words in ("as published", "same support") for what in ("at or above", "credibly below", "mean")))
    for rival in RIVALS:
        cells = []
        for beyond in (EXTRAPOLATE, AVOID):
            gains = [each for family in good if (each := against_rival(results, family, rival, beyond))]
            cells += [f"{sum(statistics.mean(each) >= 0 for each in gains)} of {len(gains)}", str(sum(map(credibly_below, gains))),
                      f"{statistics.mean(map(statistics.mean, gains)):+.3f}"] if gains else ["", "", ""]
        if any(cells):
            print(f"| {rival} | {' | '.join(cells)} |")


def against_rival(results, family, rival, beyond):
    return paired(runs(results, family, DEFAULT, REPORT_SEEDS), runs(results, family, Fit(rival, beyond), REPORT_SEEDS), VALUE)


def credibly_below(gains):
    return mean_and_interval(gains)[2] < 0


def at_or_above_all(results, family, beyond, holds):
    gains = [each for rival in rivals_of(family) if (each := against_rival(results, family, rival, beyond))]
    return all(map(holds, gains)) if gains else None


def print_targets(results):
    judged = {family.name: list(found.values()) for family in families_of(REPORT, GOOD, RANDOM, RARE, PAPER)
              if (found := runs(results, family, DEFAULT, REPORT_SEEDS))}
    if not judged:
        return
    print("\nTargets, for default settings:\n")
    head("target", "found", "")
    for measure in MEASURES:
        below = [name for name, rows in judged.items() if not not_below(rows, measure)]
        far = [name for name, rows in judged.items() if not none_far_below(rows, measure)]
        print(f"| no mean credibly more than {measure.tolerance} below practice, {measure.name} | {named(below, judged)} | {yes(not below)} |")
        print(f"| no run more than {measure.single} below practice, {measure.name} | {named(far, judged)} | {yes(not far)} |")
    print_rival_targets(results)
    for words, kinds, design in (("randomised, design not told", [RANDOM], ""), ("randomised or rare arm, design told", [RANDOM, RARE], "known")):
        gains = {family.name: each for family in families_of(REPORT, *kinds) if (each := against_extrapolating(results, family, "auto", design))}
        changed = [name for name, each in gains.items() if not within(each, VALUE.tolerance)]
        if gains:
            print(f"| {words}: avoid and extrapolate not credibly more than {VALUE.tolerance} apart in value | {named(changed, gains)} | "
                  f"{yes(not changed)} |")


def print_recommended(results):
    """How often what the program recommends, and what it does not, is in truth worse than practice."""
    families = families_of(REPORT, GOOD, RANDOM, RARE, PAPER)
    rows = [row for family in families for row in runs(results, family, DEFAULT, REPORT_SEEDS).values()]
    print("\nDefault settings, all families but those of hidden knowledge, by whether the program recommends the policy that it writes:\n")
    head("recommended", "runs", "in truth worse than practice", f"more than {VALUE.single} standard deviations worse", "mean value")
    for words, said in (("yes", "true"), ("no", "false")):
        gains = [value(row) for row in rows if row["recommended"] == said]
        if gains:
            print(f"| {words} | {len(gains)} | {sum(each < 0 for each in gains)} | {sum(each < -VALUE.single for each in gains)} | "
                  f"{statistics.mean(gains):+.3f} |")


def print_rival_targets(results):
    for words, beyond in (("as published", EXTRAPOLATE), ("with the same support", AVOID)):
        for what, holds in (("at or above every rival, by the mean", lambda gains: statistics.mean(gains) >= 0),
                            ("no rival credibly above", lambda gains: not credibly_below(gains))):
            found = [holding for family in families_of(REPORT, GOOD) if (holding := at_or_above_all(results, family, beyond, holds)) is not None]
            if found:
                print(f"| rivals {words}: {what}, in three quarters of the families with good doctors | {sum(found)} of {len(found)} | "
                      f"{yes(4 * sum(found) >= 3 * len(found))} |")


def within(values, tolerance):
    """Whether an interval (or a single value) reaches into minus to plus the tolerance."""
    middle, low, high = mean_and_interval(values)
    low, high = (low, high) if len(values) > 1 else (middle, middle)
    return low <= tolerance and high >= -tolerance


def named(wrong, all_of_them):
    return f"{len(all_of_them) - len(wrong)} of {len(all_of_them)}{' (not ' + ', '.join(wrong) + ')' if wrong else ''}"


def print_tables(results):
    if not results.rows:
        print("Not run yet.")
        return
    print_choice(results)
    if any(int(row["seed"]) in REPORT_SEEDS for row in results.rows):
        print_report(results)
        print_rivals(results)
        print_targets(results)
        print_recommended(results)
