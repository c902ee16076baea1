"""References in prose: their replacements, the messages for wrong references, no typed result beside a reference."""

import re
import tomllib

import pytest

from experiments.engine.evidence import raw
from experiments.engine.source import PROJECT
from experiments.engine.store import REFERENCE
from theory_checks.ledger import load
from theory_checks.references import REFERENCE_PATTERN, evidence, filled_in

NAMES = re.compile(
    # Figures 6, 7 and 8
    r"(?:Figures?|Theorems?|Propositions?|Lemmas?|Tables?|sections?)\s[A-Z]?[\d.]+(?:(?:,|\sto|\sand)\s\d+)*"
    r"|\b[A-Za-z]+-?\d+\b"  # h1, FC3, VGG-16
    r"|\b[A-Za-z]+\^\([-\d/]+\)"  # t^(-1/2)
    r"|`[^`]*`"
)
"""Digits that name something or stand in a formula."""


def typed_numbers(text):
    """Numbers that a text holds outside references, names and formulas."""
    return re.findall(r"\d[\d.,]*", NAMES.sub(" ", REFERENCE_PATTERN.sub(" ", text)))


def headline_texts():
    stored = tomllib.loads((PROJECT / "paper_figures" / "headlines.toml").read_text(encoding="utf-8"))
    for paper, record in stored.items():
        yield from ((f"{paper}, open {i}", text) for i, text in enumerate(record["open"]))
        for one in record["headline"]:
            yield f"{one['claim']} says", one["says"]
            yield from ((f"{one['claim']} {verdict}", text) for verdict, text in one.get("why", {}).items())


@pytest.mark.parametrize(("where", "text"), [pytest.param(*one, id=one[0]) for one in headline_texts()])
def test_no_headline_types_a_result(where, text):
    assert typed_numbers(text) == [], where


REQUIREMENTS = {"readme": ["2", "3.11", "3.14", "1.5", "2"], "run_times": ["1.5", "1.7", "3,000"]}
"""The requirements of a machine by page: versions, cores, disk, memory, and the size of a file. These are
no results."""


@pytest.mark.parametrize(
    "path", sorted((PROJECT / "paper_figures" / "templates").glob("*.md")), ids=lambda path: path.stem
)
def test_no_page_of_prose_types_a_result(path):
    assert typed_numbers(re.sub(r"\]\([^)]*\)", "]", path.read_text(encoding="utf-8"))) == REQUIREMENTS.get(
        path.stem, []
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("its gap is 1.20 times EI's (1,120 pairs)", ["1.20", "1,120"]),
        ("after ${experiments.cei.benchmarks.STEPS[paper]} steps of 150", ["150"]),
        ("on h1, FC3 and VGG-16 (Figures 6 to 8, section 4.3), O(t^(-1/2))", []),
        ("${claim:cei.fig4_beats_ei.numbers[corrected_ei against ei, incumbent][pairs]|,} pairs", []),
        ("32 of 32 comparisons", ["32", "32"]),
    ],
)
def test_what_counts_as_typed(text, found):
    assert typed_numbers(text) == found


def test_a_value_of_the_committed_evidence():
    stored = raw("uhe.eq23", "quick", REFERENCE)
    chance = stored["numbers"]["probability_of_failure_at_least"]
    assert filled_in("${claim:uhe.eq23.numbers.probability_of_failure_at_least|.3f}", "x") == f"{chance:.3f}"
    assert filled_in("it is ${claim:uhe.eq23.verdict}", "x") == f"it is {stored['verdict']}"
    assert filled_in("${claim:uhe.eq23.numbers|count} numbers", "x") == f"{len(stored['numbers'])} numbers"


def test_forms_before_the_format():
    values = evidence("uhe.eq14")["numbers"]["log10_of_probability_at_most"]
    path = "claim:uhe.eq14.numbers[log10_of_probability_at_most][t = 1000]"
    assert filled_in(f"${{{path}|size .0f}}", "x") == f"{-values['t = 1000']:.0f}"
    assert float(filled_in(f"${{{path}|power .3g}}", "x")) == pytest.approx(10 ** values["t = 1000"], rel=1e-2)


def test_a_limit_is_rounded_outward():
    chance = evidence("uhe.eq23")["numbers"]["probability_of_failure_at_least"]
    path = "claim:uhe.eq23.numbers.probability_of_failure_at_least"
    down, up = (float(filled_in(f"${{{path}|{form} .3f}}", "x")) for form in ("down", "up"))
    assert down < chance < up
    assert up - down == pytest.approx(0.001)


def test_the_highest_stored_scale_is_read():
    assert evidence("cei.fig3_beats_ei")["scale"] == "paper"
    assert evidence("uhe.eq23")["scale"] == "quick"


@pytest.mark.parametrize(
    "text",
    [
        "${claim:uhe.eq99.verdict}",
        "${claim:uhe.eq23.numbers.nothing}",
        "${claim:uhe.eq23.numbers[right side]}",
        "${claim:uhe.eq23.numbers}",
        "${claim:uhe.eq23.verdict|.2f}",
        "${claim:uhe eq23}",
        "${core.models.gaussian_process.NOTHING}",
    ],
)
def test_a_reference_to_nothing_is_an_error(text):
    with pytest.raises(ValueError, match="headline x: "):
        filled_in(text, "headline x")


def numbers_in(value):
    """Every number of a claim's evidence."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield abs(float(value))


def typed_results(words, claims):
    """Decimals that a text types and that stand, so rounded, in the evidence on one of these claims."""
    found = {one for claim in claims for one in numbers_in(evidence(claim)["numbers"])}
    typed = re.findall(r"(?<![\w.,−-])\d+\.\d\d+(?![\w.])", NAMES.sub(" ", REFERENCE_PATTERN.sub(" ", words)))
    return [one for one in typed if any(f"{value:.{len(one.split('.')[1])}f}" == one for value in found)]


def errata():
    for path in sorted((PROJECT / "theory_checks" / "errata").glob("*.toml")):
        for part in tomllib.loads(path.read_text(encoding="utf-8")).values():
            for name, record in part.items():
                if isinstance(record, dict) and record.get("claims"):
                    yield f"{path.stem} {name}", record


@pytest.mark.parametrize(("where", "record"), [pytest.param(*one, id=one[0]) for one in errata()])
def test_no_erratum_types_what_a_check_of_the_theory_found(where, record):
    """`tests/theory_checks/errata/test_measured.py` compares the numbers of readings with the stored runs."""
    checks = [claim for claim in record["claims"] if not load()[claim].needs]
    assert typed_results(f"{record.get('why', '')} {record.get('ours', '')}", checks) == [], where
