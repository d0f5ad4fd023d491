# SPDX-License-Identifier: Apache-2.0
"""How each family of designs.py draws its rows: features, true outcomes, and how those who choose treatments choose.

Recorded values are rounded before anything depends on them, so that a file holds all that its doctors went by. The hidden-knowledge
families at the end are the exception.
"""

import math
from typing import NamedTuple

# The pharmacogenetic dosing algorithm of the IWPC (N Engl J Med 2009; 360:753-64), without the two drugs that the cohort's 40 features lack:
# the square root of the weekly dose in mg.
IWPC = {"Height": 0.0087, "Weight": 0.0128, "VKORC1_A/G": -0.8677, "VKORC1_A/A": -1.6974, "Cyp2C9_1/2": -0.5211, "Cyp2C9_1/3": -0.9357,
        "Cyp2C9_2/2": -1.0616, "Cyp2C9_2/3": -1.9206, "Cyp2C9_3/3": -2.3312, "Race_Asian": -0.1092,
        "Race_Black or African American": -0.2760, "Race_Unknown": -0.1032}
AGES = {"Age_10-19": 1, "Age_20-29": 2, "Age_30-39": 3, "Age_40-49": 4, "Age_50-59": 5, "Age_60-69": 6, "Age_70-79": 7, "Age_80-89": 8, "Age_90+": 9}
DOSE_CUTS = (4.934, 6.551)  # of the algorithm's number, so that Low, Medium and High suit as many as in the cohort: 33, 54 and 13 %


class Row(NamedTuple):
    cells: dict  # what the file shows; None is missing
    means: list  # the outcome of each treatment without noise; of events, their probability
    chances: list  # the propensity of each treatment
    noise: float = 0.0  # standard deviation of a continuous outcome around its mean


def logistic(t):
    return 1 / (1 + math.exp(-t)) if t > -700 else 0.0


def softmax(scores):
    top = max(scores)
    odds = [math.exp(score - top) for score in scores]
    return [each / sum(odds) for each in odds]


def noisy_best(benefits, noise):
    """Whoever chooses takes the largest benefit plus Gumbel noise of this scale, which is a multinomial logit."""
    return softmax([benefit / noise for benefit in benefits])


def noisy_bin(score, cuts, noise):
    """Whoever chooses adds normal noise to a score; the treatment is the number of cuts below that."""
    below = [0.0, *(0.5 * math.erfc((score - cut) / (noise * math.sqrt(2))) for cut in cuts), 1.0]
    return [high - low for low, high in zip(below, below[1:], strict=False)]


def two(chance):
    """Propensities of two treatments."""
    return [1 - chance, chance]


def normals(draw, names, digits=3):
    return {name: round(draw.gauss(0, 1), digits) for name in names}


def x_names(count):
    return [f"x{j}" for j in range(1, count + 1)]


def one_by_one(row):
    """Of a function that draws one row, one that draws as many as are asked for."""
    def rows(draw, count, _):
        return [row(draw) for _ in range(count)]
    return rows


def of_records(row):
    """The same for a function of a record that has the features already."""
    def rows(draw, _, records):
        return [row(draw, record) for record in records]
    return rows


# --- linear assignment


@one_by_one
def triage(draw):
    """Two treatments by a severity score, events; 500 rows."""
    x = {"age": draw.randint(20, 90), "pulse": round(draw.gauss(85, 18)), "pain": draw.randint(0, 10), "walks": draw.random() < 0.7,
         **normals(draw, x_names(3))}
    severity = 0.05 * (x["age"] - 55) + 0.04 * (x["pulse"] - 85) + 0.2 * (x["pain"] - 5) - 0.8 * (x["walks"] - 0.7)
    risk = [logistic(-1.5 + 0.9 * severity + 0.4 * x["x1"]), logistic(-1.2 + 0.1 * severity + 0.4 * x["x1"])]
    return Row(x, risk, two(logistic((severity - 0.4) / 0.22)))


@one_by_one
def job_training(draw):
    """Three programmes, events (a job is found). Advisers overrate skill and overlook who has a license."""
    x = {"age": draw.randint(18, 60), "schooling": draw.choice([8, 9, 10, 12, 13, 16]), "months_out": min(60, int(draw.expovariate(0.08))),
         "license": draw.random() < 0.6, **normals(draw, x_names(4))}
    skill = 0.25 * (x["schooling"] - 11) + 0.4 * x["x1"]
    away = 0.05 * (x["months_out"] - 12) + 0.03 * (x["age"] - 39)
    gains = [0.3 + 0.55 * skill, 0.35 + 0.4 * x["license"] - 0.25 * skill, 0.3 + 0.5 * away]
    base = -0.5 + 0.3 * skill - 0.4 * away + 0.3 * x["x2"]
    believed = [0.2 + 0.8 * skill, 0.6 - 0.25 * skill, 0.3 + 0.5 * away]
    return Row(x, [logistic(base + gain) for gain in gains], noisy_best(believed, 0.5))


@one_by_one
def statins(draw):
    """Two treatments, large n, almost always right; the outcome is noisy."""
    x = normals(draw, x_names(10))
    benefit = 0.8 * x["x1"] + 0.5 * x["x2"] - 0.4 * x["x3"] - 0.3
    base = x["x1"] + 0.5 * math.sin(2 * x["x4"]) + 0.5 * x["x5"]
    return Row(x, [base, base - benefit], two(logistic(benefit / 0.115)), 2.0)


@one_by_one
def dosing(draw):
    """Five doses in order by a linear need, and an outcome that grows with the distance from it. Doctors give too much."""
    x = {**normals(draw, x_names(6)), "kidney": round(draw.uniform(0.2, 1.0), 2), "carrier": draw.random() < 0.3}
    need = 2 + 0.7 * x["x1"] + 0.5 * x["x2"] + 1.2 * (x["kidney"] - 0.6) - 0.6 * (x["carrier"] - 0.3)
    base = 0.6 * x["x3"] + 0.3 * x["x4"] * x["x4"]
    return Row(x, [base + 0.8 * abs(dose - need) for dose in range(5)], noisy_bin(need + 0.25, (0.5, 1.5, 2.5, 3.5), 0.25), 1.0)


def school(draw, count, _):
    """Tutoring by teachers, in schools that differ in results and in how readily they tutor."""
    schools = max(4, count // 50)
    level = [draw.gauss(0, 4) for _ in range(schools)]
    readiness = [draw.gauss(0, 2) for _ in range(schools)]
    rows = []
    for _ in range(count):
        at = draw.randrange(schools)
        x = {"school": f"s{at + 1:03}", "pretest": round(draw.gauss(50, 10)), "absent_days": min(40, int(draw.expovariate(0.15))),
             "age_months": draw.randint(96, 131), "speaks_other": draw.random() < 0.25}
        benefit = 0.35 * (50 - x["pretest"]) - 0.15 * (x["absent_days"] - 6) + 1.5 * (x["speaks_other"] - 0.25) - 0.5
        base = 50 + 0.7 * (x["pretest"] - 50) - 0.3 * x["absent_days"] + 0.05 * (x["age_months"] - 113) + level[at]
        rows.append(Row(x, [base, base + benefit], two(logistic((benefit + readiness[at]) / 1.6)), 6.0))
    return rows


def sqrt_dose(record):
    """The IWPC's algorithm, on a record of `polyrx warfarin`."""
    decades = sum(decade for name, decade in AGES.items() if record[name] == "1")
    unknown = -0.4854 * all(record[f"VKORC1_{pair}"] == "0" for pair in ("A/A", "A/G", "G/G"))
    unknown += -0.2188 * all(value == "0" for name, value in record.items() if name.startswith("Cyp2C9"))
    return 5.6044 - 0.2614 * decades + sum(weight * float(record[name]) for name, weight in IWPC.items()) + unknown


def cohort_cells(record):
    return {name: value for name, value in record.items() if name not in ("id", "dose_mg_week", "class")}


def warfarin_right(doctors):
    """Three doses and whether the dose is right: by the algorithm, plus noise that no column explains. `doctors` go by the algorithm with noise
    of their own, of that size; None are random."""
    @of_records
    def row(draw, record):
        score = sqrt_dose(record)
        right = sum(score + draw.gauss(0, 0.12) > cut for cut in DOSE_CUTS)
        chances = [1 / 3] * 3 if doctors is None else noisy_bin(score, DOSE_CUTS, doctors)
        return Row(cohort_cells(record), [float(k == right) for k in range(3)], chances)
    return row


WEEKLY = (14, 21, 28, 38, 52)


@of_records
def warfarin_five(draw, record):
    """Five weekly doses; the outcome is the distance from the ideal one on a logarithmic scale, with noise. Doctors take everybody for a normal
    metabolizer."""
    score = sqrt_dose(record)
    believed = score - sum(weight * float(record[name]) for name, weight in IWPC.items() if name.startswith("Cyp2C9"))
    ideal = 2 * math.log(max(score, 1.5))
    cuts = [math.sqrt(math.sqrt(a * b)) for a, b in zip(WEEKLY, WEEKLY[1:], strict=False)]
    return Row(cohort_cells(record), [10 * abs(math.log(dose) - ideal) for dose in WEEKLY], noisy_bin(believed, cuts, 0.2), 2.0)


def number(record, name, otherwise):
    return float(record[name]) if record[name] not in ("", "NA") else otherwise


def clinic_ideal(record):
    """The dose that suits, in doublings of 5 mg, as `polyrx simulate clinic` has it; a doctor takes a missing value for a usual one."""
    metabolizer = {"poor": -1.2, "intermediate": -0.3, "normal": 0.2}.get(record["metabolizer"], -0.1)
    return (1.3 + 0.03 * (number(record, "weight", 78) - 78) + 0.5 * (record["smoker"] == "true")
            - 0.04 * max(0.0, 75 - number(record, "egfr", 80)) - 0.01 * max(0.0, number(record, "alt", 25) - 50)
            - 0.03 * max(0.0, number(record, "age", 60) - 70) + metabolizer)


def clinic_cells(record):
    return {name: value for name, value in record.items() if name not in ("treatment", "outcome", "y0", "y1", "y2", "best")}


def clinic_scores(record):
    return [float(record[name]) for name in ("y0", "y1", "y2")]


@of_records
def clinic_careful(draw, record):
    """The clinic's patients and outcomes, with doctors who aim at the dose that suits."""
    return Row(clinic_cells(record), clinic_scores(record), noisy_bin(clinic_ideal(record), (5 / 9, 14 / 9), 0.3), 5.0)


# --- U-shaped assignment


@one_by_one
def thyroid(draw):
    """Two treatments by the distance of a hormone from its usual level."""
    x = {"hormone": round(draw.gauss(0, 1.2), 2), "age": draw.randint(18, 85), **normals(draw, x_names(5))}
    benefit = abs(x["hormone"]) - 1.0
    base = 0.8 * x["x1"] + 0.02 * (x["age"] - 50) + 0.5 * x["hormone"]
    return Row(x, [base, base - benefit], two(logistic(benefit / 0.1)), 1.0)


@one_by_one
def blood_pressure(draw):
    """Two treatments by the distance of two readings from their middle, large n. Doctors look at one of the two."""
    x = {"systolic": round(draw.gauss(135, 18)), "diastolic": round(draw.gauss(82, 10)), **normals(draw, x_names(8))}
    off = abs(x["systolic"] - 135) / 18 + 0.5 * abs(x["diastolic"] - 82) / 10
    benefit = 0.9 * (off - 1.1)
    base = 0.5 * x["x1"] + 0.4 * x["x2"] + 0.02 * (x["systolic"] - 135)
    return Row(x, [base, base - benefit], two(logistic((abs(x["systolic"] - 135) / 18 - 0.7) / 0.4)), 1.5)


@one_by_one
def glucose(draw):
    """Three levels of care by the distance of glucose from its middle, events that are wanted; 1,000 rows. Doctors are slow to give insulin."""
    x = {"glucose": round(draw.gauss(6, 2), 1), "weight": round(draw.gauss(78, 14)), "ketones": draw.random() < 0.1, **normals(draw, x_names(4))}
    off = abs(x["glucose"] - 6) + 0.8 * x["ketones"]
    gains = [1.0 - 0.9 * off, 0.4 - 0.3 * abs(off - 1.8), -0.9 + 0.5 * off]
    return Row(x, [logistic(0.4 + gain + 0.3 * x["x1"]) for gain in gains], noisy_best([*gains[:2], gains[2] - 0.4], 0.2))


@one_by_one
def anaesthesia(draw):
    """Two treatments by the distance of an index from its middle, events; 500 rows. Doctors are slow to go deep."""
    x = {"index": round(draw.gauss(0, 1), 2), "age": draw.randint(18, 90), "female": draw.random() < 0.5, **normals(draw, x_names(2))}
    benefit = 1.6 * (abs(x["index"]) - 0.8)
    base = -1.2 + 0.02 * (x["age"] - 54) + 0.4 * x["x1"]
    return Row(x, [logistic(base + benefit / 2), logistic(base - benefit / 2)], two(logistic((benefit - 0.4) / 0.3)))


# --- interacting assignment


@one_by_one
def marker_pairs(draw):
    """Two treatments by the product of two markers."""
    x = normals(draw, x_names(8))
    benefit = x["x1"] * x["x2"]
    base = 0.7 * x["x3"] + 0.4 * abs(x["x4"])
    return Row(x, [base, base - benefit], two(logistic(benefit / 0.11)), 1.0)


@one_by_one
def physiotherapy(draw):
    """Three therapies by products of features. Doctors underrate surgery and overrate rest."""
    x = {**normals(draw, x_names(6)), "worker": draw.random() < 0.5}
    sign = 1 if x["worker"] else -1
    gains = [0.2, 0.9 * x["x1"] * x["x2"], 0.8 * sign * x["x3"]]
    base = 10 + 1.0 * x["x4"] + 0.5 * x["x1"]
    return Row(x, [base + gain for gain in gains], noisy_best([0.45, gains[1], 0.4 * gains[2]], 0.3), 1.5)


@one_by_one
def allergy(draw):
    """Two drugs, events: the second suits those with exactly one of two reactions. Doctors avoid it in asthma, for no good reason."""
    x = {**normals(draw, ["reaction_a", "reaction_b"], 2), "asthma": draw.random() < 0.2, **normals(draw, x_names(4))}
    benefit = -1.5 * math.tanh(2 * x["reaction_a"]) * math.tanh(2 * x["reaction_b"])
    base = -0.8 + 0.5 * x["asthma"] + 0.4 * x["x1"]
    return Row(x, [logistic(base + benefit / 2), logistic(base - benefit / 2)], two(logistic((benefit - 1.0 * x["asthma"]) / 0.4)))


@one_by_one
def critical_care(draw):
    """Two treatments, events, six hospitals, values that are missing; the effect is an interaction of two measurements. Doctors
    give too many the vasopressor."""
    pressure, lactate = draw.gauss(0, 1), draw.gauss(0, 1)
    measured = draw.random() < 0.85
    x = {"age": draw.randint(18, 95), "map": round(72 + 12 * pressure), "lactate": round(math.exp(0.7 + 0.6 * lactate), 1) if measured else None,
         "creatinine": round(math.exp(0.1 + 0.5 * draw.gauss(0, 1)), 1) if draw.random() < 0.8 else None, "ventilated": draw.random() < 0.4,
         "hospital": draw.choice(["north", "east", "south", "west", "center", "coast"]), **normals(draw, x_names(3))}
    pressure = (x["map"] - 72) / 12
    seen = (math.log(max(x["lactate"], 0.1)) - 0.7) / 0.6 if measured else 0.0  # whoever does not know takes it for usual
    benefit, believed = (-1.1 * value * pressure + 0.25 * value - 0.1 for value in (seen if measured else lactate, seen))
    base = -1.1 + 0.03 * (x["age"] - 60) + 0.6 * x["ventilated"] + 0.4 * (seen if measured else lactate)
    return Row(x, [logistic(base + benefit / 2), logistic(base - benefit / 2)], two(logistic((believed + 0.3 + 0.2 * (x["hospital"] < "d")) / 0.3)))


@one_by_one
def marketing(draw):
    """Five channels, coarse features (most rows repeat), events that are wanted; by segment, loyalty and age together."""
    x = {"segment": draw.choice(["family", "student", "senior", "single"]), "region": draw.choice(["city", "suburb", "country"]),
         "loyal": draw.random() < 0.4, "age_band": draw.choice(["18-34", "35-54", "55+"]), "visits": draw.choice(["0", "1-2", "3+"])}
    young, old = x["age_band"] == "18-34", x["age_band"] == "55+"
    gains = {"mail": 0.9 * (old and x["loyal"]) + 0.3 * (x["segment"] == "senior"), "phone": 0.8 * (old and not x["loyal"]) + 0.1,
             "email": 0.5 * x["loyal"] + 0.4 * (x["segment"] == "family"),
             "social": 0.8 * (young and not x["loyal"]) + 0.3 * (x["segment"] == "student"),
             "none": 0.6 * (x["visits"] == "3+" and x["loyal"]) + 0.15}
    base = -1.8 + 0.4 * x["loyal"] + {"0": 0.0, "1-2": 0.3, "3+": 0.6}[x["visits"]] + 0.2 * (x["region"] == "city")
    return Row(x, [logistic(base + gain) for gain in gains.values()], noisy_best(list(gains.values()), 0.14))


@of_records
def warfarin_bleeding(draw, record):
    """Three doses and an event: genotype with age, and genotype with weight, decide together; doctors go by these and are often wrong."""
    sensitive, hardy = record["VKORC1_A/A"] == "1", record["VKORC1_G/G"] == "1"
    old = any(record[name] == "1" for name in ("Age_70-79", "Age_80-89", "Age_90+"))
    heavy = (float(record["Weight"]) - 78) / 20
    need = 1.0 - 0.9 * sensitive - 0.7 * (old and not hardy) + (0.8 * hardy + 0.2 * (not sensitive)) * heavy + 0.3 * hardy
    logits = [-2.2 + 1.1 * abs(dose - need) + 0.3 * (dose - 1) for dose in range(3)]
    return Row(cohort_cells(record), [logistic(each) for each in logits], noisy_bin(need, (0.5, 1.5), 0.55))


@of_records
def clinic_event(draw, record):
    """The clinic's patients; the event is a bad score; age with kidneys and smoking with weight decide together what doctors give."""
    frail = number(record, "age", 60) > 70 and number(record, "egfr", 80) < 65
    heavy = number(record, "weight", 78) - 78
    boldness = 1.1 - 1.5 * frail + (0.05 if record["smoker"] == "true" else 0.025) * heavy
    risk = [logistic((score - 42) / 5) for score in clinic_scores(record)]
    return Row(clinic_cells(record), risk, noisy_bin(boldness, (0.5, 1.6), 0.45))


# --- randomized


def trial(chances):
    """Of a function that draws features and means, one whose treatments have these chances for everybody."""
    def of(row):
        @one_by_one
        def drawn(draw):
            x, means, noise = row(draw)
            return Row(x, means, list(chances), noise)
        return drawn
    return of


def coarse_features(draw):
    return {name: draw.randrange(2) for name in ("b1", "b2", "b3", "b4", "b5")}


@trial((1 / 2, 1 / 2))
def trial_coarse(draw):
    """Five binary features, so that rows repeat; arm means of about 0.10 and 0.21, and the second arm is better for a few."""
    x = coarse_features(draw)
    event = 0.06 + 0.08 * x["b1"]
    return x, [event, event + (-0.05 if x["b1"] and x["b2"] else 0.15)], 0.0


@trial((1 / 3, 1 / 3, 1 / 3))
def trial_segments(draw):
    """Three arms, coarse features, events that are wanted."""
    x = {**coarse_features(draw), "segment": draw.choice(["a", "b", "c", "d"])}
    base = -1.0 + 0.4 * x["b1"]
    gains = [0.0, 0.7 if x["segment"] in "ab" else -0.4, 0.8 * x["b2"] - 0.3]
    return x, [logistic(base + gain) for gain in gains], 0.0


@trial((1 / 3, 2 / 3))
def trial_continuous(draw):
    """Two arms, one to two; the effect changes its sign along a line."""
    x = normals(draw, x_names(10))
    base = x["x3"] + 0.5 * x["x4"]
    return x, [base, base - 0.7 * x["x1"] - 0.4 * x["x2"] - 0.1], 1.5


@trial((1 / 3, 1 / 3, 1 / 3))
def trial_three(draw):
    """Three arms whose effects are an interaction and a distance."""
    x = normals(draw, x_names(8))
    base = 0.8 * x["x4"]
    return x, [base, base - 0.8 * x["x1"] * x["x2"], base - 0.8 * (abs(x["x3"]) - 0.8)], 1.0


RARE_STROKE = (0.494, 0.494, 0.012)
RARE_HELPFUL = (0.98, 0.02)


@trial(RARE_STROKE)
def rare_stroke(draw):
    """An arm that 70 of 5,867 received, as in a stroke trial, and that is worse for everybody; small effects, events."""
    x = {"age": draw.randint(30, 95), "delay_hours": draw.randint(1, 48), "systolic": round(draw.gauss(160, 27)), "drowsy": draw.random() < 0.22,
         "atrial_fibrillation": draw.random() < 0.16, **normals(draw, x_names(3))}
    base = -0.6 + 0.05 * (x["age"] - 70) + 1.2 * x["drowsy"]
    return x, [logistic(base), logistic(base - 0.15 + 0.3 * x["atrial_fibrillation"]), logistic(base + 0.3)], 0.0


@trial(RARE_HELPFUL)
def rare_helpful(draw):
    """An arm that one in fifty received, and that is better for half of the rows."""
    x = normals(draw, x_names(6))
    base = 0.6 * x["x2"]
    return x, [base, base - 1.2 * x["x1"]], 1.0


# --- hidden knowledge


@of_records
def hidden_warfarin(draw, record):
    """The dose that was in fact right, which the columns predict for about two of three patients and doctors know for 92 %."""
    right = int(record["class"])
    return Row(cohort_cells(record), [float(k == right) for k in range(3)], [0.92 if k == right else 0.04 for k in range(3)])


@one_by_one
def hidden_frailty(draw):
    """Surgery or not: doctors see frailty, which no column holds, and do not operate on the frail, whom surgery harms."""
    frailty = draw.gauss(0, 1)
    x = {"age": draw.randint(50, 95), **normals(draw, x_names(5))}
    benefit = 0.6 - 1.2 * frailty - 0.02 * (x["age"] - 72)
    base = 1.5 * frailty + 0.03 * (x["age"] - 72) + 0.5 * x["x1"]
    return Row(x, [base, base - benefit], two(logistic(benefit / 0.4)), 1.0)
