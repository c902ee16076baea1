"""The contract of every reading: its declaration is stamped, and runs with the spread of stored runs decide it."""

import itertools
import math

import numpy as np
import pytest

from theory_checks import study_results
from theory_checks.ledger import FAMILY_WISE_ERROR, Kind, Outcome, load, spent
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.curve import Setting, placed
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import Comparison, Levels, State
from theory_checks.readings.stamps import PATH, stamps

CLAIMS = load()


def default_setting(reading) -> Setting:
    """The declared default at the largest scale that is stored; skips without one."""
    try:
        return next(iter(reading.tried(study_results.largest(reading.needs))))
    except Undecided as why:
        pytest.skip(str(why))


def enough(one: Comparison, level: float) -> Comparison:
    """The comparison with its runs repeated until they are as many as it says that it takes, and a few."""
    times = math.ceil(1.5 * max(one.wanted(level), 8) / one.seeds)
    samples = {name: np.tile(values, max(times, 1)) for name, values in one.samples.items()}
    return Comparison(one.name, samples, one.claimed, one.test)


@pytest.mark.parametrize("name", READINGS)
def test_true_false_and_reversed_runs_are_told_apart(name):
    reading = READINGS[name]
    setting = default_setting(reading)
    if not setting.groups:
        pytest.skip(setting.missing)
    count = sum(map(len, setting.groups.values()))
    level = Levels(reading.share, count).opposite
    groups = {group: [enough(one, level) for one in several] for group, several in setting.groups.items()}
    many = Setting(setting.choices, groups)
    told = {
        truth: placed(many.moved(truth), reading.quantifier, reading.share, reading.fewest).state
        for truth in ("true", "false", "reverse")
    }
    assert told["true"] is State.HOLDS
    assert told["false"] is not State.HOLDS
    assert told["reverse"] is State.OPPOSITE


@pytest.mark.parametrize("name", READINGS)
def test_declaration_says_what_it_judges(name):
    reading, claim = READINGS[name], CLAIMS[name]
    assert claim.kind is Kind.EXPERIMENT
    assert claim.severity is None
    assert len(reading.says) > 10
    assert len(reading.means) > 10
    assert reading.rule.startswith(" ".join(reading.means.split())[:40])
    assert set(claim.needs) == set(reading.needs)
    assert claim.paper == reading.paper
    assert reading.variant_of in ("", *CLAIMS)


def test_choices_of_a_setting_answer_every_question():
    """The first settings of each curve name one choice for each declared question, and the default comes first."""
    for reading in READINGS.values():
        try:
            first = list(itertools.islice(reading.tried(study_results.largest(reading.needs)), 8))
        except Undecided:
            continue
        assert first[0].choices.keys() >= {name for name in reading.questions if name in first[0].choices}
        assert len({tuple(sorted(one.choices.items())) for one in first}) == len(first), reading.id


@pytest.mark.parametrize("name", READINGS)
def test_without_results_a_reading_says_how_to_get_them(monkeypatch, name):
    monkeypatch.setattr(study_results, "files", lambda study, scale: [])
    evidence = CLAIMS[name]("quick")
    assert evidence.verdict in (Outcome.NOT_RUN, Outcome.UNDECIDED)
    assert "experiments run --only" in evidence.summary


def test_every_declaration_is_the_stamped_one():
    """Whoever changes a declaration stamps it anew: python -m theory_checks stamp. It is exploratory then."""
    assert {name: one.hash for name, one in stamps().items()} == {name: one.digest for name, one in READINGS.items()}
    assert PATH.is_file()


def test_the_ledger_spends_no_more_than_its_error():
    assert spent() <= FAMILY_WISE_ERROR


@pytest.mark.parametrize("name", ["cei.cost_analytic", "cei.fig8_robust", "boke.fig6_competitive"])
def test_results_that_lack_a_problem_leave_a_reading_open(monkeypatch, name):
    """A run at scale smoke has fewer problems than a reading needs."""
    real = study_results.results

    def fewer(study, scale):
        found = real(study, scale)
        last = max((str(one.config["problem"]) for one in found), default="")
        return [one for one in found if str(one.config["problem"]) != last]

    monkeypatch.setattr(study_results, "results", fewer)
    evidence = CLAIMS[name]("quick")
    assert evidence.verdict in (Outcome.NOT_RUN, Outcome.UNDECIDED)
    assert "experiments run --only" in evidence.summary
