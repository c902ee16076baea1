"""The rule for BOKE's default on made-up runs: better regrets make sentences hold, worse ones opposite."""

from collections.abc import Mapping

import numpy as np
import pytest

from core import policies
from experiments.boke import settings
from experiments.boke.regret_constants import CALIBRATED, in_words
from experiments.engine.result_file import Result
from theory_checks import study_results
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.boke import default_setting
from theory_checks.readings.boke.regret_runs import OURS
from theory_checks.readings.judgement import State
from theory_checks.readings.words import in_choice_words

FIRST = in_words(settings.CONTENDERS[0])


def runs(heights: Mapping[str, Mapping[str, float]]) -> list[Result]:
    """Results of every cell; final regrets around a height by method, and by setting where it is given."""
    found = []
    for index, cell in enumerate(settings.STUDY.cells("quick")):
        rng = np.random.default_rng(index)
        names = [in_words(one) or "ours" for one in cell.options["settings"]]
        levels = [heights.get(name, {}).get(cell.policy, heights[""][cell.policy]) for name in names]
        regret = np.array(levels)[:, None] * rng.uniform(0.9, 1.1, (len(names), len(cell.seeds)))
        arrays = {"setting": np.array(names), "final_regret": regret, "mean_log10_regret": np.log10(regret)}
        plus = cell.policy == "boke_plus"
        arrays |= {"objective": regret + 0.4 * plus, "spread": regret - 0.4 * plus}
        found.append(Result(cell.config(), arrays, {}))
    return found


def test_the_setting_that_does_what_the_paper_says_is_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """BOKE+ is ahead of BOKE, and both are ahead of the peers, under the third contender; under all others both are
    behind."""
    worse = {"boke": 0.3, "boke_plus": 0.3, "kr_ucb": 0.1, "gp_ucb": 0.02, "random_search": 0.1}
    better = in_words(settings.CONTENDERS[2])
    made = runs({"": worse, better: {"boke": 0.015, "boke_plus": 0.01}})
    monkeypatch.setattr(study_results, "results", lambda study, scale: made)
    found = default_setting.judged("quick")
    assert list(found) == [in_words(one) for one in settings.CONTENDERS]
    assert default_setting.admitted(found) == better
    holding = {name for name, state in found[better].items() if state is State.HOLDS}
    assert holding == set(default_setting.SENTENCES)
    reverse = {name for name, state in found[FIRST].items() if state is State.OPPOSITE}
    assert {"boke.fig6_competitive", "boke.fig7_beats_kr_ucb", "boke.fig8_beats_gp_ucb"} <= reverse
    assert default_setting.score(found[FIRST]) < 0 < default_setting.score(found[better])


def test_the_default_is_what_the_committed_runs_admit() -> None:
    """The three methods that section 5 gives one rule have the admitted setting; GP-UCB and exploration do not."""
    admitted = default_setting.admitted(default_setting.committed())
    (chosen,) = (one for one in settings.CONTENDERS if in_words(one) == admitted)
    for name in (*OURS, "kr_ucb"):
        policy = policies.make(name, 2)
        assert policy.rule.name == chosen["rule"], name
        assert float(policy.bandwidth) == chosen["bandwidth"], name
    assert {float(policies.make(name, 2).noise_scale) for name in OURS} == {chosen["noise_scale"]}
    assert float(policies.make("gp_ucb", 2).noise_scale) == CALIBRATED["noise_scale"]
    exploration = policies.make("density_exploration", 2)
    assert (exploration.rule.name, float(exploration.bandwidth)) == (CALIBRATED["rule"], CALIBRATED["bandwidth"])


def test_the_table_counts_every_sentence() -> None:
    found = {FIRST: dict.fromkeys("abc", State.HOLDS), "next": {"a": State.HOLDS, "b": State.OPEN, "c": State.OPPOSITE}}
    head, _, first, second = default_setting.markdown(found).splitlines()
    assert head == "| contender | score | holds | does not hold | opposite | open | sentences that hold |"
    assert first == f"| **{in_choice_words(FIRST)}** | 3 | 3 | 0 | 0 | 0 | `a`, `b`, `c` |"
    assert second == "| next | 0 | 1 | 0 | 1 | 1 | `a` |"


def test_among_equals_the_fewer_opposites_then_the_first() -> None:
    one, other = {"a": State.HOLDS, "b": State.OPPOSITE}, {"a": State.LEVEL, "b": State.OPEN}
    assert default_setting.admitted({FIRST: one, "next": other}) == "next"
    assert default_setting.admitted({FIRST: other, "next": other}) == FIRST


def test_without_runs() -> None:
    with pytest.raises(Undecided, match=r"boke\.settings"):
        default_setting.judged("smoke")
