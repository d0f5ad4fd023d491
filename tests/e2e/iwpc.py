# SPDX-License-Identifier: Apache-2.0
"""Files in the form of the International Warfarin Pharmacogenetics Consortium's, and where the real one may be.

The real one is never part of the repository. The tests that need it look into the folder data/warfarin of the one that
POLYRX_SHARED names, or of a folder "shared" beside the repository, and are skipped where it is not.
"""

import csv
import io
import os
import pathlib

import pytest

SHARED = pathlib.Path(os.environ.get("POLYRX_SHARED", pathlib.Path(__file__).parents[3] / "shared"))
REAL = SHARED / "data/warfarin/warfarin.csv"
REFERENCE = SHARED / "data/warfarin/warfarin_4417x40.csv"  # the paper's 40 features, made by other code

needs_the_real_file = pytest.mark.skipif(not (REAL.exists() and REFERENCE.exists()),
                                         reason=f"the IWPC file is not at {REAL}")

VKORC1 = "VKORC1 genotype: -1639 G>A (3673); chr16:31015190; rs9923231; C/T"
USUAL = {
    "PharmGKB Subject ID": "PA1", "Gender": "female", "Race": "White", "Ethnicity": "NA", "Age": "60 - 69",
    "Height (cm)": "160.00", "Weight (kg)": "64", "Indication for Warfarin Treatment": "3",
    "Herbal Medications, Vitamins, Supplements": "NA", "Therapeutic Dose of Warfarin": "35.00",
    "Cyp2C9 genotypes": "*1/*1", VKORC1: "A/G", "CYP2C9 consensus": "*1/*1",
}


def subject(**cells):
    """A row for iwpc_file(): the usual subject, but for these cells, named by the first word of their column in small
    letters (the dose is "therapeutic", the id "pharmgkb")."""
    columns = {heading.split()[0].lower(): heading for heading in reversed(USUAL)}
    return {**USUAL, **{columns[word]: cell for word, cell in cells.items()}}


def iwpc_file(subjects):
    """The file as it is found: a byte order mark, CRLF, three columns without a name, a last line of commas alone."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*USUAL, "", "", ""])
    writer.writerows([*row.values(), "", "", ""] for row in subjects)
    return b"\xef\xbb\xbf" + text.getvalue().encode() + b"," * (len(USUAL) + 2)
