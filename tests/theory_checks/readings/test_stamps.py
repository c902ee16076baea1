"""Stamps and the labels that follow from them."""

import datetime
from dataclasses import replace

import pytest

from experiments.engine import protocol
from experiments.engine.registry import STUDIES
from theory_checks import study_results
from theory_checks.ledger import load
from theory_checks.readings import stamps
from theory_checks.readings.declaration import READINGS, Reading
from theory_checks.readings.uhe.mechanism import learnt, misled

READING = Reading(
    id="boke.toy",
    title="Ours is better",
    paper="A",
    where="nowhere",
    says="Ours is better.",
    means="Ours is better than the other.",
    needs=("boke.fig6",),
    settings=learnt,
)
DAY = datetime.date(2026, 11, 27)


@pytest.fixture
def stamped(monkeypatch, tmp_path):
    """READING alone is declared, and stamped when its seeds 0 to 9 had been seen."""
    monkeypatch.setattr(stamps, "READINGS", {READING.id: READING})
    monkeypatch.setattr(stamps, "first_unseen", lambda study: 10)
    monkeypatch.setattr(study_results, "files", lambda study, scale: [])
    path = tmp_path / "stamps.toml"
    assert stamps.stamp(DAY, path) == [READING.id]
    known = stamps.stamps(path)
    monkeypatch.setattr(stamps, "stamps", lambda: known)
    return path


@pytest.mark.parametrize(
    ("seeds", "word"),
    [({10, 11}, "confirmed"), ({9, 10}, "exploratory"), (set(), "exploratory")],
)
def test_unseen_seeds_alone_confirm(stamped, monkeypatch, seeds, word):
    monkeypatch.setattr(stamps, "seeds_of", lambda study, paths: seeds)
    assert stamps.label(READING, "paper") == word


def test_a_changed_declaration_is_exploratory_whatever_it_reads(stamped, monkeypatch):
    monkeypatch.setattr(stamps, "seeds_of", lambda study, paths: {10, 11})
    assert stamps.label(replace(READING, means="Ours is no worse than the other."), "paper") == "exploratory"
    assert stamps.label(replace(READING, looks=2), "paper") == "exploratory"


def test_an_unchanged_declaration_keeps_its_stamp(stamped, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(stamps, "READINGS", {READING.id: READING})
    assert stamps.stamp(DAY + datetime.timedelta(1), stamped) == []
    assert stamps.stamps(stamped)[READING.id].date == DAY


def test_seeds_stay_seen_when_their_results_go(stamped, monkeypatch):
    monkeypatch.undo()
    changed = replace(READING, means="Ours is no worse than the other.")
    monkeypatch.setattr(stamps, "READINGS", {READING.id: changed})
    monkeypatch.setattr(stamps, "first_unseen", lambda study: 0)
    monkeypatch.setattr(study_results, "files", lambda study, scale: [])
    assert stamps.stamp(DAY, stamped) == [READING.id]
    assert stamps.stamps(stamped)[READING.id].unseen == {"boke.fig6": 10}


def test_digest_follows_what_is_judged_and_no_more():
    same = replace(READING, where="elsewhere", title="Another title")
    assert same.digest == READING.digest
    others = [{"says": "Ours is worse."}, {"quantifier": "some"}, {"fewest": 7}, {"needs": ("boke.fig7",)}]
    others += [{"settings": misled}]
    assert len({READING.digest, *(replace(READING, **one).digest for one in others)}) == 1 + len(others)


def test_what_is_declared_no_more_loses_its_stamp(stamped, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(stamps, "READINGS", {})
    stamps.stamp(DAY, stamped)
    assert stamps.stamps(stamped) == {}


def test_seeds_of_committed_results():
    assert READINGS is not None
    assert stamps.first_unseen("boke.fig6") >= 150


def test_fresh_seeds_confirm_the_verdict_of_the_stamp_or_name_it(stamped, monkeypatch):
    known = {READING.id: replace(stamps.stamps()[READING.id], verdict="reproduced")}
    monkeypatch.setattr(stamps, "stamps", lambda: known)
    monkeypatch.setattr(stamps, "seeds_of", lambda study, paths: {10, 11})
    assert stamps.on_fresh_seeds(READING, "paper", "reproduced") == "confirmed"
    assert stamps.on_fresh_seeds(READING, "paper", "undetermined") == "was reproduced"
    assert stamps.on_fresh_seeds(READING, "paper", "undecided") == "was reproduced"
    for before in ("", "undecided"):
        known[READING.id] = replace(known[READING.id], verdict=before)
        assert stamps.on_fresh_seeds(READING, "paper", "undecided") == "undecided"
    known[READING.id] = replace(known[READING.id], verdict="")
    assert stamps.on_fresh_seeds(READING, "paper", "reproduced") == "first verdict"


def test_a_stamp_says_what_the_runs_of_its_day_said():
    """A reading with enough runs has a verdict, and the number of seeds that a comparison takes."""
    load()
    name = "boke.fig6_similar"
    one = stamps._stamped(READINGS[name], DAY, dict.fromkeys(READINGS[name].needs, 150))
    assert one.verdict in {"reproduced", "not reproduced", "opposite", "undetermined", "undecided"}
    assert one.wanted > 1


def test_the_protocol_is_as_it_was_fixed():
    """Whoever changes a cell or a declaration after the protocol was fixed gives it a new number, and fixes that:
    python -m theory_checks freeze."""
    load()
    known = protocol.read()
    digests = {name: reading.digest for name, reading in READINGS.items()}
    assert protocol.declared(known, STUDIES, digests) == known.hash
