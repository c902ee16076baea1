"""Records of errata, deviations and constants: the messages for malformed records, and the subjects to be covered."""

import json
import re
from pathlib import Path

import pytest

from experiments.engine.registry import STUDIES
from experiments.engine.source import PROJECT
from experiments.papers import BY_KEY, PAPERS
from theory_checks import ledger
from theory_checks.errata.records import Kind, read, records
from theory_checks.references import filled_in, resolve

PART = '[gaps]\npage = "errata"\ntitle = "Gaps"\n'


def test_a_record():
    text = PART + '[gaps.x]\nplace = "Lemma 1"\nkind = "gap"\nwhy = """\na hypothesis\nis missing\n"""\n'
    (part,) = read("boke", text + 'ours = "${core.policies.constants.GP_BETA:g} of them"\nclaims = ["boke.prop1"]\n')
    (record,) = part.records
    assert (record.id, record.kind, record.claims) == ("boke.gaps.x", Kind.GAP, ("boke.prop1",))
    assert record.why == "a hypothesis is missing"
    assert record.ours == "1 of them"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[gaps.x]\nplace = "Lemma 1"\nkind = "gap"\n', r"record boke.gaps.x \(gap\) lacks printed or why"),
        ('[gaps.x]\nkind = "gap"\nwhy = "so"\n', "lacks place"),
        ('[gaps.x]\nkind = "constant"\nours = "1"\n', "lacks subject"),
        ('[gaps.x]\nkind = "gap"\nplace = "Lemma 1"\nwhy = "so"\nreport = true\n', "lacks subject"),
        ('[gaps.x]\nplace = "Lemma 1"\nwhy = "so"\n', "record boke.gaps.x lacks kind"),
        ('[gaps.x]\nplace = "Lemma 1"\nkind = "gpa"\nwhy = "so"\n', r"unknown kind 'gpa'.*gap"),
        ('[gaps.x]\nplace = "Lemma 1"\nkind = "gap"\nwhat = "so"\n', r"unknown field 'what'"),
        ('[gaps.x]\nplace = "L"\nkind = "gap"\nwhy = "so"\nclaims = ["boke.prop01"]\n', "unknown claim 'boke.prop01'"),
        ('[gaps.x]\nplace = "L"\nkind = "gap"\nwhy = "so"\nstudies = ["boke.fig66"]\n', "unknown study 'boke.fig66'"),
        ('[gaps.x]\nkind = "gap"\n[gaps.x]\nkind = "gap"\n', "boke.toml: Cannot declare"),
        ('[proofs]\npage = "errata"\n', "part boke.proofs lacks title"),
        ('[proofs]\npage = "claims"\ntitle = "Proofs"\n', "unknown page 'claims'"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(ValueError, match=message):
        read("boke", PART + text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${experiments.boke.regret.NOISE_FRACTION:.0%} of it", "5 % of it"),
        ("${experiments.boke.regret.BUDGETS[paper][2]}", "50"),
        ("${experiments.boke.fig9.WORKLOADS[quick].size} trees", "30 trees"),
        ("${core.models.gaussian_process.JITTER:g}, R^{D_c}", "1e-10, R^{D_c}"),
        ("${experiments.cei.fig2.KAPPAS[-1]:g}", "10"),
    ],
)
def test_values_come_from_the_code(text, expected):
    assert filled_in(text, "x") == expected


@pytest.mark.parametrize("text", ["${core.policies.constants.NONE}", "${experiments.boke.regret.SEEDS[big]}", "${a b}"])
def test_a_value_that_is_not_there(text):
    with pytest.raises(ValueError, match="record boke.x"):
        filled_in(text, "record boke.x")


def test_every_refuted_claim_has_a_record():
    """The errata name every refuted claim, or the claim that it repairs, in a record."""
    told = {name for paper in PAPERS for record in records(paper) for name in record.claims}
    expected = json.loads((PROJECT / "theory_checks" / "expected.json").read_text())
    refuted = {name for name, verdicts in expected.items() if "refuted" in json.dumps(verdicts)}
    assert not refuted - told


def test_names_in_the_records_exist():
    """Claims, studies, modules and files that a text names in backquotes are there."""
    known = {*ledger.load(), *STUDIES}
    for paper in PAPERS:
        for record in records(paper):
            for name in re.findall(r"`([\w./]+)`", " ".join((record.printed, record.why, record.ours))):
                if name.split(".")[0] in BY_KEY:
                    assert name in known, f"{record.id} names {name}"
                elif "/" in name:
                    assert (PROJECT / Path(name)).exists(), f"{record.id} names {name}"
                elif name.split(".")[0] in ("core", "experiments", "theory_checks"):
                    resolve(name)
