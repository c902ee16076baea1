"""The engine of readings, by itself: sides, pairs, every rule where a claim is true, false and a coin toss, replay."""

import json
import sys

import numpy as np
import pytest
from scipy import stats

from experiments.engine.result_file import Result
from experiments.engine.statistics import fit_exponent
from theory_checks import counterexamples, inputs, ledger, pairs, sides
from theory_checks.ledger import Evidence, Verdict, load, plain
from theory_checks.pairs import Comparison
from theory_checks.readings import LARGEST, Rule, clearness, declared, judge, problem_by_problem, reading, replay
from theory_checks.sides import above, below, within

LEVEL = 1e-4
RULES = {
    f"{module.removeprefix('theory_checks.')}.{name}": rule
    for module in sorted(
        {entry.check.__module__ for entry in load().values() if entry.needs} | {"theory_checks.tuning"}
    )
    for name, rule in vars(sys.modules[module]).items()
    if isinstance(rule, Rule)
}
"""Every rule that a claim of the ledger declares."""


def samples(mean, deviation, count, problems=("p", "q"), seed=0):
    """`count` normal differences for each problem."""
    rng = np.random.default_rng(seed)
    return {problem: mean + deviation * rng.standard_normal(count) for problem in problems}


def outcome(rule, comparisons, level=LEVEL):
    """1, -1 or 0; a refutation must replay after it was stored as JSON."""
    judged = judge(comparisons, rule, level, "quick")
    evidence = judged.evidence("said", {})
    assert evidence.verdict == {1: "supported", -1: "refuted", 0: "inconclusive"}[judged.outcome]
    assert (evidence.counterexample is not None) == (judged.outcome < 0)
    if judged.outcome < 0:
        assert replay(json.loads(json.dumps(plain(evidence.counterexample))))[2]
    return judged.outcome


# Sides.


def test_side_is_a_two_sided_wilcoxon_test():
    rng = np.random.default_rng(0)
    values = rng.standard_normal(40) + 0.6
    assert stats.wilcoxon(values).pvalue < 0.01
    assert sides.side(values, 0.0, 0.01) == 1
    assert sides.side(-values, 0.0, 0.01) == -1
    assert sides.side(values, 0.6, 0.01) == 0
    assert sides.side(values, 3.0, 0.01) == -1
    assert sides.side(np.ones(5), 0.0, 0.05) == 0  # five pairs cannot be significant at 5 %
    assert sides.side(np.ones(6), 0.0, 0.05) == 1
    assert sides.side(np.zeros(50), 0.0, 0.05) == 0


def test_student_interval_and_slopes_against_scipy_and_the_statistics_module():
    rng = np.random.default_rng(1)
    values = rng.standard_normal(12)
    _, low, high = sides.interval(values, 0.01)
    np.testing.assert_allclose([low, high], stats.ttest_1samp(values, 0.0).confidence_interval(0.99))
    assert [sides.side(values, end, 0.01, "student") for end in (low - 0.1, low + 0.1, high + 0.1)] == [1, 0, -1]
    t = np.array([10.0, 20.0, 50.0, 90.0])
    curves = np.exp(rng.standard_normal((6, 4)))
    np.testing.assert_allclose(sides.slopes(t, curves), np.polyfit(np.log(t), np.log(curves).T, 1)[0])
    np.testing.assert_allclose(sides.slopes(t, curves).mean(), fit_exponent(t, curves).estimate)


def test_a_zone_of_indifference_is_cut_from_the_finite_end():
    assert sides.indifferent(below(0.0), 0.1) == (-np.inf, -0.1)
    assert sides.indifferent(above(0.2), 0.1) == (pytest.approx(0.3), np.inf)
    for band in (sides.ANYWHERE, within(1.0)):
        with pytest.raises(ValueError, match="one finite end"):
            sides.indifferent(band, 0.1)


@pytest.mark.parametrize(
    ("mean", "deviation", "expected"),
    [(-0.5, 0.1, 1), (-0.05, 0.05, 1), (0.0, 0.05, -1), (0.0, 1.0, 0), (-0.1, 0.3, 0), (0.5, 0.1, -1)],
)
@pytest.mark.parametrize(
    "rule", [problem_by_problem(0.2), problem_by_problem(0.2, "student"), Rule(0.2, problems="everywhere")]
)
def test_within_the_zone_of_indifference_a_small_advantage_supports_and_none_refutes(rule, mean, deviation, expected):
    """By much; by less than the zone; none, told apart from the zone or not; at its edge; the reverse."""
    planted = samples(0.0, 1.0, 40)
    planted = {name: mean + deviation * (z - z.mean()) / z.std(ddof=1) for name, z in planted.items()}
    one = Comparison("a / b", planted, below(0.0), sides.indifferent(below(0.0), 0.1))
    assert one.indifferent
    assert not Comparison("a / b", planted, below(0.0), below(0.1)).indifferent
    assert not Comparison("a / b", planted, below(0.0)).indifferent
    if (mean, deviation) == (-0.1, 0.3):  # at the edge of the zone it may support, and does not refute
        assert outcome(rule, [one]) >= expected
    else:
        assert outcome(rule, [one]) == expected


@pytest.mark.parametrize("test", ["wilcoxon", "student"])
def test_inside_and_outside_a_band(test):
    values = samples(0.5, 0.1, 30)["p"]
    bands = {(0.0, 1.0): 1, below(1.0): 1, above(1.0): -1, (0.5, 1.0): 0, (-1.0, 0.0): -1, sides.ANYWHERE: 1}
    assert {band: sides.lies(values, band, 0.01, test) for band in bands} == bands


def test_rank_biserial_correlation_by_hand():
    assert sides.rank_biserial(np.array([1.0, 2.0, -3.0, 0.0])) == pytest.approx(0.0)
    assert sides.rank_biserial(np.array([1.0, 2.0, 3.0])) == 1.0
    assert sides.rank_biserial(np.zeros(3)) == 0.0


def test_descriptions_by_hand():
    assert sides.as_ratio(np.array([-1.0, 0.0, 1.0, 2.0]))["smaller"] == "1 of 4"
    assert sides.as_ratio(np.array([-1.0, 1.0, 2.0]))["median_ratio"] == pytest.approx(10.0)
    assert sides.as_difference(np.array([-1.0, 0.0, 1.0, 2.0]))["wins-losses-ties"] == "2-1-1"


# Pairs.


def _runs(values, study="s", unit=2.0):
    return [
        Result(
            {"study": study, "problem": problem, "policy": policy},
            {"regret": unit * np.array([value]).T, "range": unit},
            {},
        )
        for (problem, policy), value in values.items()
    ]


def test_regrets_below_the_floor_count_as_equal(plant):
    plant(_runs({("p", "a"): [1e-9, 1e-4, 0.2], ("p", "b"): [1e-5, 0.1, 0.1]}))
    found = pairs.differences(
        pairs.stored("s", "quick"),
        "a",
        "b",
        ["p"],
        lambda one: pairs.fraction_of_range(one, "regret", 1e-3)[:, -1],
        log=True,
    )
    np.testing.assert_allclose(found["p"], [0.0, -2.0, np.log10(2.0)])


def test_runs_are_paired_by_the_seeds_that_both_methods_have(plant):
    runs = _runs({("p", "a"): [1.0, 2.0, 4.0], ("p", "b"): [1.0, 1.0]})
    runs[0].config["seeds"], runs[1].config["seeds"] = [7, 5, 6], [6, 7]
    plant(runs)
    found = pairs.differences(pairs.stored("s", "quick"), "b", "a", ["p"], lambda one: one.arrays["regret"][:, -1])
    np.testing.assert_array_equal(found["p"], [2.0 - 8.0, 2.0 - 2.0])


def test_what_is_missing_is_told(plant):
    plant(_runs({("p", "a"): [1.0], ("p", "b"): [1.0]}))
    assert list(pairs.stored("s", "quick", [("p", "b")])) == [("p", "b")]
    with pytest.raises(pairs.Undecided, match=r"^1 of 2 runs missing, c on p among them: no results of s at scale"):
        pairs.stored("s", "quick", [("p", "a"), ("p", "c")])
    with pytest.raises(pairs.Undecided, match=r"^no results of s at scale quick: python -m experiments run"):
        pairs.stored("s", "quick", [("q", "a")])
    with pytest.raises(pairs.Undecided, match=r"^no results of other .*; no results of none"):
        pairs.stored(("other", "none"), "quick")


# Rules: the claim is that the differences lie below 0, `effect` is the smallest that matters.


@pytest.mark.parametrize("name", RULES)
def test_every_declared_rule_decides(name):
    """Clearly true, clearly false by the smallest effect, a coin toss."""
    rule = RULES[name]
    count = 2 * rule.repetitions(rule.effect, LEVEL)

    def judged(mean):
        drawn = samples(mean, rule.effect, count)
        return outcome(rule, [Comparison("ours / peer", drawn, below(0.0), under=rule.main or "")])

    assert [judged(-2 * rule.effect), judged(rule.effect), judged(0.0)] == [1, -1, 0]


@pytest.mark.parametrize("test", ["wilcoxon", "student"])
@pytest.mark.parametrize(
    ("band", "true", "false", "open_"),
    [(below(0.0), -0.6, 0.3, 0.0), (within(0.5), 0.1, 0.8, 0.5), (below(0.5), 0.1, 0.8, 0.5)],
    ids=["better than every peer on every problem", "equal", "competitive"],
)
def test_problem_by_problem(band, true, false, open_, test):
    rule = problem_by_problem(0.3, test)
    count = 2 * rule.repetitions(0.3, LEVEL)

    def judged(*means):
        drawn = [
            Comparison(
                f"ours / {i}", samples(mean, 0.3, count, seed=i) | {"r": samples(true, 0.3, count, seed=i)["p"]}, band
            )
            for i, mean in enumerate(means)
        ]
        return outcome(rule, drawn)

    assert [judged(true, true), judged(true, false), judged(true, open_)] == [1, -1, 0]


def test_intersection_is_supported_at_its_own_level_and_never_pools():
    """Near p = 0.01 on each problem: far from the ledger's level, which an intersection does not ask for."""
    values = samples(-0.35, 0.5, 20, seed=3)
    assert all(LEVEL < stats.wilcoxon(one).pvalue < 0.05 for one in values.values())
    assert outcome(problem_by_problem(0.3), [Comparison("a", values, below(0.0))]) == 1
    assert outcome(Rule(effect=0.3), [Comparison("a", {"p": values["p"]}, below(0.0))]) == 0
    opposite = {"p": samples(-3.0, 0.5, 30)["p"], "q": samples(0.5, 0.5, 30)["p"]}
    assert outcome(Rule(effect=0.3), [Comparison("a", opposite, below(0.0))]) >= 0
    judged = judge([Comparison("a", opposite, below(0.0))], problem_by_problem(0.3), 0.01, "quick")
    assert (judged.outcome, judged.refuted) == (-1, "a, q")


def test_error_of_support_and_power_of_refutation():
    """At the margin an equivalence is supported in at most 5 % of all cases; an effect is found in 90 %."""
    rule, rng, trials = problem_by_problem(0.4, "student"), np.random.default_rng(5), 100

    def outcomes(mean, count, level):
        drawn = mean + 0.5 * rng.standard_normal((trials, count))
        return [judge([Comparison("a", {"p": one}, within(0.5))], rule, level, "quick").outcome for one in drawn]

    assert outcomes(0.5, 20, LEVEL).count(1) / trials < 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)
    count = rule.repetitions(0.5, 0.01)
    assert outcomes(0.9, count, 0.01).count(-1) / trials > 0.9 - 3 * np.sqrt(0.09 / trials) - 0.05
    assert Rule(effect=0.1).repetitions(1e-9, LEVEL) == 15  # 2^-14 is the first p-value below 1e-4


@pytest.mark.parametrize(("second", "expected"), [(-0.01, 1), (0.0, 0), (0.01, 0)])
def test_support_everywhere_needs_every_problem_by_itself(second, expected):
    """One that decides for all pairs together is not enough, nor are others that point nowhere."""
    values = {"p": samples(-1.0, 0.1, 60)["p"], "q": samples(second, 0.001, 20)["q"]}
    if not second:
        values["q"][::2] *= -1.0
    compared = [Comparison("a", values, below(0.0))]
    assert outcome(Rule(effect=1.0), compared) == 1
    assert outcome(Rule(effect=1.0, problems="everywhere"), compared) == expected


def test_ties_decide_nothing_everywhere():
    """Sixty of a hundred pairs tied, as scores of a small test set are: the median is zero, the others are clear."""
    tied = np.concatenate([np.zeros(60), samples(-1.0, 0.5, 40)["p"]])
    compared = [Comparison("a", {"p": tied, "q": tied[::-1]}, below(0.0))]
    assert compared[0].medians == {"p": 0.0, "q": 0.0}
    assert outcome(Rule(effect=1.0, problems="everywhere"), compared) == 1
    assert outcome(Rule(effect=1.0, problems="everywhere"), [Comparison("a", {"p": 0 * tied}, below(0.0))]) == 0


def test_everywhere_refutes_all_problems_together():
    """None of which does by itself at the ledger's level."""
    few, rule = samples(0.5, 0.1, 9), Rule(effect=1.0, problems="everywhere")
    assert [outcome(rule, [Comparison("a", {name: few[name]}, below(0.0))]) for name in few] == [0, 0]
    assert outcome(rule, [Comparison("a", few, below(0.0))]) == -1


def test_one_comparison_refutes_and_all_support():
    rule = Rule(effect=1.0)
    good, bad = (samples(mean, 0.5, 30) for mean in (-1.0, 1.0))
    assert outcome(rule, [Comparison("a", good, below(0.0)), Comparison("b", good, below(0.0))]) == 1
    judged = judge([Comparison("a", good, below(0.0)), Comparison("b", bad, below(0.0))], rule, LEVEL, "quick")
    assert (judged.outcome, judged.refuted) == (-1, "b")
    assert [place.side for place in judged.places] == [-1, 1]
    tolerant = [Comparison("a", good, below(0.0)), Comparison("b", bad, below(0.0), below(3.0))]
    assert outcome(rule, tolerant) == 0
    assert outcome(rule, [Comparison("a", bad, above(0.0))]) == 1


def test_the_reversal_that_is_shown_is_the_clearest():
    """Of several names that refute, in whatever order; of a name's circumstances the mildest counts."""
    rule = Rule(effect=1.0)
    some, much = (samples(mean, 0.5, 30) for mean in (1.0, 4.0))
    a, b = Comparison("a", some, below(0.0)), Comparison("b", much, below(0.0))
    for several in ([a, b], [b, a]):
        assert judge(several, rule, LEVEL, "quick").refuted == "b"
    under = [
        Comparison("b", much, below(0.0), under="x"),
        Comparison("b", samples(0.6, 0.5, 30), below(0.0), under="y"),
    ]
    assert judge([a, *under], rule, LEVEL, "quick").refuted == "a"
    assert clearness(Comparison("c", {"p": np.asarray([1.0, 3.0])}, within(0.5))) == pytest.approx(1.5)
    assert clearness(Comparison("c", {"p": np.asarray([-1.0, -3.0])}, within(0.5))) == pytest.approx(1.5)
    assert clearness(Comparison("c", {"p": np.asarray([1.0, 3.0])}, below(-5.0)), null=0.0) == pytest.approx(2.0)
    assert clearness(Comparison("c", {"p": np.asarray([1.0, 3.0])}, above(5.0)), null=0.0) == pytest.approx(-2.0)


@pytest.mark.parametrize(
    ("means", "main", "expected"),
    [
        ((-1.0, 1.0), "x", 1),
        ((-1.0, 1.0), "y", 0),
        ((1.0, 1.0), "x", -1),
        ((0.0, 1.0), "x", 0),
        ((-1.0, 0.0), None, 1),
        ((-1.0, 1.0), None, 0),
        ((0.0, 0.0), None, 0),
        ((1.0, 1.0), None, -1),
    ],
)
def test_circumstances_that_the_paper_leaves_open(means, main, expected):
    """Refuted only where every one refutes; supported by the main one, or by any where none is reversed."""
    compared = [
        Comparison("a", samples(mean, 0.5, 30), below(0.0), under=under)
        for mean, under in zip(means, "xy", strict=True)
    ]
    assert outcome(Rule(effect=1.0, main=main), compared) == expected


def test_reversals_that_prove_nothing_and_verdicts_that_are_withheld():
    judged = judge([Comparison("a", samples(1.0, 0.5, 30), below(0.0))], Rule(effect=1.0), LEVEL, "quick")
    evidence = judged.evidence("said", {}, open="constants are open")
    assert (evidence.verdict, evidence.summary) == (
        Verdict.INCONCLUSIVE,
        "said: not reproduced, but constants are open",
    )
    evidence = judged.evidence("said", {}, withheld="only 25 of 350 rounds")
    assert (evidence.verdict, evidence.summary) == (Verdict.INCONCLUSIVE, "said: only 25 of 350 rounds")


@pytest.mark.parametrize(
    ("mean", "count", "expected"),
    [
        (0.0, 400, {"kind": "no difference of the size that matters"}),
        (-0.1, 20, {"kind": "too few runs", "needs": None}),
    ],
)
def test_an_inconclusive_reading_says_which_kind(mean, count, expected):
    """No effect with enough pairs, or how many pairs the smallest effect that matters takes."""
    rule = Rule(effect=0.5)
    compared = Comparison("a", samples(mean, 1.0, count, problems=("p",)), below(0.0))
    found = judge([compared], rule, LEVEL, "quick").evidence("said", {"own": 1})
    why = found.numbers["undecided"]
    if "needs" in expected:
        expected = {**expected, "needs": rule.repetitions(float(np.std(compared.pooled, ddof=1)), LEVEL)}
        assert why["needs"] > count
    assert (found.verdict, found.numbers["own"], why) == (Verdict.INCONCLUSIVE, 1, expected)


def test_a_reversal_that_does_not_refute_is_said():
    """Significantly above what is claimed, but not above what is tolerated; or under one circumstance only."""
    band = Comparison("a", samples(0.5, 0.1, 60), below(0.0), tolerated=below(9.0))
    judged = judge([band], Rule(effect=1.0), LEVEL, "quick")
    assert judged.evidence("said", {}).numbers["undecided"] == {"kind": "reversed here"}
    assert judged.evidence("said", {}, withheld="so").numbers["undecided"] == {"kind": "withheld"}


def test_too_few_samples_are_undecided():
    compared = [Comparison("a", samples(-9.0, 0.1, 5), below(0.0))]
    with pytest.raises(pairs.Undecided, match="only 5 runs at scale smoke"):
        judge(compared, Rule(effect=1.0, unit="runs"), LEVEL, "smoke")
    with pytest.raises(pairs.Undecided, match="only 0 seeds"):
        judge([], Rule(effect=1.0), LEVEL, "smoke")


def test_numbers_of_a_judgement():
    compared = [Comparison("a", {"p": np.ones(20), "q": -np.ones(20)}, below(2.0), under="known")]
    numbers = judge(compared, Rule(effect=1.0), LEVEL, "quick").numbers()
    assert numbers["level"] == LEVEL
    assert (numbers["a, known"]["pairs"], numbers["a, known"]["side"]) == (40, -1)
    assert numbers["a, known"]["problems"]["p"]["median_ratio"] == pytest.approx(10.0)


# Replay.


def test_replay_shows_both_sides():
    values = samples(1.0, 0.5, 30)["p"]
    stored = {"samples": list(values), "band": ["-inf", 0.0], "level": LEVEL}
    left, right, violated = replay(stored)
    np.testing.assert_allclose(left, sides.interval(values, LEVEL)[1:])
    assert (right, violated) == ([-np.inf, 0.0], True)
    assert replay(stored | {"test": "wilcoxon"})[0] == pytest.approx(np.median(values))
    assert not replay(stored | {"band": [0.0, "inf"]})[2]
    several = {"circumstances": {"x": list(values), "y": list(-values)}, "band": ["-inf", 0.0], "level": LEVEL}
    left, _, violated = replay(several)
    assert (list(left), violated) == (["x", "y"], False)


def test_a_committed_counterexample_replays_and_one_without_its_test_is_read_as_before():
    path = counterexamples.committed_path("boke.de_rate_here")
    stored = {name: value for name, value in counterexamples.load(path).items() if name != "test"}
    replayed = counterexamples.replay(load()["boke.de_rate_here"], path, stored)
    assert replayed.violated
    np.testing.assert_allclose(replayed.left, sides.interval(np.array(stored["samples"]), stored["level"])[1:])


# Registration.


def test_controls_read_the_largest_scale_stored_and_undecided_checks_say_why(toy_ledger, monkeypatch):
    fields = {"paper": "A", "number": "1", "statement": "s", "hypotheses": (), "rule": "r"}

    @reading(
        id="boke.toy", control={"factor": 0.5}, control_statement="Half.", tests=1, needs=("a.fig1", "a.fig2"), **fields
    )
    def toy(scale: str, *, factor: float = 1.0) -> Evidence:
        """Read at some scale."""
        if factor == 1.0:
            raise pairs.Undecided(f"only 2 seeds at scale {scale}")
        return Evidence(Verdict.REFUTED, f"{factor} at {scale}")

    assert (toy.control, toy.replay) == ({"factor": 0.5, "at": "largest"}, replay)
    assert toy.control_statement == "Half (read at the largest scale stored)."
    why = {"undecided": {"kind": "too few runs"}}
    assert toy("paper") == Evidence(Verdict.INCONCLUSIVE, "only 2 seeds at scale paper", why)
    assert toy.check.__doc__ == "Read at some scale."
    assert toy.check.__module__ == __name__
    has = {("a.fig1", "quick"), ("a.fig1", "paper"), ("a.fig2", "quick")}
    monkeypatch.setattr(inputs, "files", lambda study, scale: ["file"] * ((study, scale) in has))
    assert toy.negative_control("smoke").summary == "0.5 at quick"
    has.add(("a.fig2", "paper"))
    assert toy.negative_control("smoke").summary == "0.5 at paper"
    has.clear()
    assert toy.negative_control("smoke").summary == "0.5 at quick"


def test_a_control_may_be_read_at_scale_quick_alone(toy_ledger, monkeypatch):
    fields = {"paper": "A", "number": "1", "statement": "s", "hypotheses": (), "rule": "r"}
    controls = {"control": {"factor": 0.5}, "control_statement": "Half.", "positive": {"factor": 2.0}}

    @reading(
        id="boke.toy",
        **controls,
        positive_statement="Twice.",
        control_scale="quick",
        tests=1,
        needs=("a.fig1",),
        **fields,
    )
    def toy(scale: str, *, factor: float = 1.0) -> Evidence:
        """Read at some scale."""
        return Evidence(Verdict.REFUTED if factor < 1.0 else Verdict.SUPPORTED, f"{factor} at {scale}")

    monkeypatch.setattr(inputs, "files", lambda study, scale: ["file"])
    assert toy.negative_control("smoke").summary == "0.5 at quick"
    assert toy.positive_control("smoke").summary == "2.0 at quick"
    assert toy.positive_statement == "Twice (read at scale quick)."
    other = reading(
        id="boke.other", **controls, positive_statement="Twice.", control_scale="quick", positive_scale=LARGEST,
        tests=1, needs=("a.fig1",), **fields,
    )(toy.check)  # fmt: skip
    assert other.negative_control("smoke").summary == "0.5 at quick"
    assert other.positive_control("smoke").summary == "2.0 at paper"
    assert other.positive_statement == "Twice (read at the largest scale stored)."


def test_a_check_that_was_made_belongs_to_the_module_that_declares_the_claim(toy_ledger):
    """Its evidence hangs on that module's code."""
    fields = {"paper": "A", "number": "1", "statement": "s", "hypotheses": (), "rule": "r", "control_statement": "c"}

    def check(scale: str, *, factor: float = 1.0) -> Evidence:
        return Evidence(Verdict.REFUTED, f"{factor} at {scale}")

    made = declared(
        check, "What it compares.", "elsewhere", id="boke.toy", control={"factor": 0.5}, needs=("a.fig1",), **fields
    )
    assert (made.check.__module__, made.check.__doc__) == ("elsewhere", "What it compares.")
    assert made.negative_control("smoke").summary == "0.5 at quick"


def test_every_reading_is_registered_by_the_engine():
    """They share the control's scale; those of comparisons share the replay."""
    others = {"uhe.prop6_4_2"}  # draws data of its own, and reports trends of the stored ones
    own_replay = {"ctx.table2_values", "uhe.exp3_learns", "cei.fig1_closer_to_optimum"}
    for entry in ledger.load().values():
        if entry.needs and entry.id not in others:
            assert entry.control["at"] in ("largest", "quick"), entry.id
            assert entry.replay is replay or entry.id in own_replay, entry.id
