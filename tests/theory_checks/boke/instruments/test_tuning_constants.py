"""The readings of Figure 9 where GP-UCB's constants, boxes and half of the evaluations are circumstances, on planted
scores."""

import numpy as np
import pytest

from experiments.boke import fig9, fig9_boxes, fig9_constants, fig9_seeds
from experiments.engine.result_file import Result
from theory_checks import inputs, tuning
from theory_checks.boke import tuning_readings as readings
from theory_checks.boke.instruments import tuning_constants as constants
from theory_checks.boke.instruments.regret_sentences import OURS
from theory_checks.readings import SUPPORT
from theory_checks.undecided import Kind

EFFECT = tuning.RULES["A"].effect
SHORT, LONG = "lengthscale = 0.1, beta = 4.0", "lengthscale = 0.8, beta = 1.0"
AHEAD = {"boke.fig9_faster": ("boke", "boke_plus"), "boke.fig9_exploitation": ("kr_ucb", "boke_plus")}
CLAIMS = {"boke.fig9_faster": readings.fig9_faster, "boke.fig9_exploitation": readings.fig9_exploitation}
TWINS = {"boke.fig9_faster": readings.fig9_here, "boke.fig9_exploitation": readings.fig9_exploitation_here}


HALF = constants.HALF


def runs(study, policy, gain, seeds, stream, tasks=fig9.TASKS, options=(), at_first=None, **more):
    """Scores on the tasks: 0.7 by the design, `gain` more after it, `at_first` in the first of two evaluations where it
    is told, and noise over seeds by which the differences of two methods spread as declared."""
    found = []
    for task in tasks:
        noise = np.random.default_rng([stream, *map(ord, task)]).standard_normal((fig9.SEEDS["paper"], 1))
        rise = gain + readings.SWEPT_DEVIATION / np.sqrt(2) * noise[list(seeds)]
        first = rise if at_first is None else rise + at_first - gain
        best = np.hstack([np.full((len(seeds), 1), 0.7), 0.7 + first, 0.7 + rise])
        config = {"study": study, "problem": task, "policy": policy, "seeds": list(seeds), "scale": "paper"}
        arrays = {"best": best, "initial_size": np.asarray(1)} | more
        found.append(Result({**config, "options": dict(options)}, arrays, {}))
    return found


def figure(ahead, gp_ucb):
    """Figure 9: those `ahead` by twice the smallest effect, the others level, GP-UCB by so much."""
    gains = dict.fromkeys(fig9.METHODS, 0.0) | dict.fromkeys(ahead, 2 * EFFECT) | {"gp_ucb": gp_ucb}
    seeds = range(fig9.SEEDS["paper"])
    return [one for i, (name, gain) in enumerate(gains.items()) for one in runs("boke.fig9", name, gain, seeds, i)]


def sweep(gains, seeds=fig9_constants.SEEDS["paper"]):
    """GP-UCB's gain by setting."""
    named = enumerate(gains.items(), 20)
    return [
        one
        for stream, (name, gain) in named
        for one in runs(constants.SWEEP, "gp_ucb", gain, range(seeds), stream, setting=np.asarray(name))
    ]


def box(name, ahead, gp_ucb, seeds=fig9_boxes.SEEDS["paper"]):
    """As `figure`, XGBoost in another box."""
    gains = dict.fromkeys(fig9_boxes.METHODS, 0.0) | dict.fromkeys(ahead, 2 * EFFECT) | {"gp_ucb": gp_ucb}
    return [
        one
        for stream, (method, gain) in enumerate(gains.items(), 40)
        for one in runs(constants.BOXES, method, gain, range(seeds), stream, fig9_boxes.BOOSTED, {"box": name})
    ]


LEVEL, IN_FRONT, BEHIND = 2 * EFFECT, 4 * EFFECT, 0.0
# GP-UCB with our constants, with the one setting and with the other, relative to those that are claimed to be ahead.
CASES = [
    ((BEHIND, BEHIND, BEHIND), "supported", [OURS, SHORT, LONG], []),
    ((IN_FRONT, BEHIND, BEHIND), "depends", [SHORT, LONG], [OURS]),
    ((IN_FRONT, BEHIND, IN_FRONT), "depends", [SHORT], [OURS, LONG]),
    ((BEHIND, IN_FRONT, LEVEL), "depends", [OURS], [SHORT]),
    ((IN_FRONT, IN_FRONT, IN_FRONT), "inconclusive", [], [OURS, SHORT, LONG]),
    ((IN_FRONT, LEVEL, LEVEL), "inconclusive", [], [OURS]),
    ((LEVEL, LEVEL, LEVEL), "inconclusive", [], []),
    ((LEVEL, BEHIND, LEVEL), "inconclusive", [SHORT], []),
]


@pytest.mark.decides(lambda case: {case["name"]: case["verdict"]})
@pytest.mark.parametrize("name", AHEAD)
@pytest.mark.parametrize(("gains", "verdict", "held", "reversed_"), CASES)
def test_what_the_circumstances_come_to(plant, name, gains, verdict, held, reversed_):
    first, short, long = gains
    plant(figure(AHEAD[name], first) + sweep({SHORT: short, LONG: long}))
    evidence = CLAIMS[name]("paper")
    assert evidence.verdict == verdict, evidence.summary
    with_half = [
        [both for one in names for both in ((OURS, HALF) if one == OURS else (one,))] for names in (held, reversed_)
    ]
    assert [evidence.numbers["holds"], evidence.numbers["reversed"]] == with_half
    assert ("not reproduced" in evidence.summary) == (verdict == "inconclusive" and bool(reversed_))
    if verdict == "depends":
        assert all(one in evidence.summary for one in (*held, *reversed_))
    if verdict == "inconclusive":
        kinds = {str(Kind.REVERSED)} if reversed_ else {str(Kind.NO_DIFFERENCE), str(Kind.TOO_FEW)}
        assert evidence.numbers["undecided"]["kind"] in kinds


@pytest.mark.parametrize("name", AHEAD)
def test_the_twin_speaks_of_our_constants_alone(plant, name):
    plant(figure(AHEAD[name], IN_FRONT) + sweep({SHORT: BEHIND, LONG: BEHIND}))
    assert TWINS[name]("paper").verdict == "refuted"
    plant(figure(AHEAD[name], BEHIND) + sweep({SHORT: IN_FRONT, LONG: IN_FRONT}))
    assert TWINS[name]("paper").verdict == "supported"


@pytest.mark.parametrize("name", AHEAD)
def test_a_peer_without_such_constants_reverses_under_every_circumstance(plant, name):
    """BOKE+ far behind another peer: no constants of GP-UCB make the sentence hold."""
    peer = next(one for one in ("kr_ucb", "boke") if one not in AHEAD[name])
    ahead = [one for one in figure(AHEAD[name], BEHIND) if one.config["policy"] != peer]
    plant(ahead + runs("boke.fig9", peer, IN_FRONT, range(80), 9) + sweep({SHORT: BEHIND, LONG: BEHIND}))
    evidence = CLAIMS[name]("paper")
    assert evidence.verdict == "inconclusive"
    assert evidence.numbers["reversed"] == [OURS, HALF, SHORT, LONG]


def test_a_setting_counts_once_all_its_seeds_are_there(plant):
    few = fig9_constants.SEEDS["paper"] - 1
    plant(figure(AHEAD["boke.fig9_faster"], IN_FRONT) + sweep({SHORT: BEHIND}, few) + sweep({LONG: BEHIND}))
    assert readings.fig9_faster("paper").numbers["holds"] == [LONG]
    plant(figure(AHEAD["boke.fig9_faster"], IN_FRONT) + sweep({SHORT: BEHIND}, few))
    evidence = readings.fig9_faster("paper")
    assert evidence.verdict == "inconclusive"
    assert "--only boke.fig9_constants --scale paper" in evidence.summary


EXPLOITING = AHEAD["boke.fig9_exploitation"]
WIDE, NARROW = "the wide box", "the narrow box"


@pytest.mark.decides(lambda case: {"boke.fig9_exploitation": case["verdict"]})
@pytest.mark.parametrize(
    ("ours", "wide", "narrow", "verdict", "held", "reversed_"),
    [
        (IN_FRONT, IN_FRONT, IN_FRONT, "refuted", [], [OURS, HALF, SHORT, LONG, WIDE, NARROW]),
        (IN_FRONT, IN_FRONT, LEVEL, "inconclusive", [], [OURS, HALF, SHORT, LONG, WIDE]),
        (IN_FRONT, IN_FRONT, BEHIND, "depends", [NARROW], [OURS, HALF, SHORT, LONG, WIDE]),
        (BEHIND, BEHIND, BEHIND, "supported", [OURS, HALF, SHORT, LONG, WIDE, NARROW], []),
        (BEHIND, IN_FRONT, BEHIND, "depends", [OURS, HALF, SHORT, LONG, NARROW], [WIDE]),
    ],
)
def test_boxes_are_circumstances_of_what_is_said_of_xgboost(plant, ours, wide, narrow, verdict, held, reversed_):
    """And with all of them there, what is reversed under every one is refuted."""
    planted = figure(EXPLOITING, ours) + sweep({SHORT: ours, LONG: ours})
    plant(planted + box("wide", EXPLOITING, wide) + box("narrow", EXPLOITING, narrow))
    evidence = readings.fig9_exploitation("paper")
    assert evidence.verdict == verdict, evidence.summary
    assert [evidence.numbers["holds"], evidence.numbers["reversed"]] == [held, reversed_]
    if verdict == "refuted":
        assert readings.fig9_exploitation.replay(evidence.counterexample)[2]


def other_seeds(kr_ucb, gp_ucb, fewer=0):
    """KR-UCB and GP-UCB under the circumstances that are judged anew."""
    found = []
    for circumstance, seeds in fig9_seeds.SEEDS["paper"].items():
        for stream, (method, gain) in enumerate((("kr_ucb", kr_ucb), ("gp_ucb", gp_ucb)), 70):
            noise = np.random.default_rng(stream).standard_normal((2, len(seeds)))
            for task, deviations in zip(fig9_boxes.BOOSTED, noise, strict=True):
                rise = gain + readings.SWEPT_DEVIATION / np.sqrt(2) * deviations[: len(seeds) - fewer, None]
                best = 0.7 + np.hstack([np.zeros_like(rise), rise])
                config = {"study": constants.OTHERS, "problem": task, "policy": method, "scale": "paper"}
                config |= {"seeds": list(seeds[: len(seeds) - fewer]), "options": {"circumstance": circumstance}}
                found.append(Result(config, {"best": best, "initial_size": np.asarray(1)}, {}))
    return found


@pytest.mark.parametrize(
    ("first", "other", "fewer", "reversed_"),
    [
        (LEVEL, IN_FRONT, 0, True),
        (LEVEL, IN_FRONT, 1, False),
        (IN_FRONT, BEHIND, 0, False),
    ],
    ids=["behind by all the others", "by some of them", "ahead by all the others, behind by the first"],
)
def test_other_seeds_alone_judge_what_the_first_left_open(plant, first, other, fewer, reversed_):
    """GP-UCB relative to KR-UCB, by the first seeds and by the others; BOKE+ is level with it."""
    planted = figure(EXPLOITING, IN_FRONT) + sweep({SHORT: IN_FRONT, LONG: LEVEL}) + box("wide", EXPLOITING, IN_FRONT)
    narrow = box("narrow", EXPLOITING, LEVEL)
    for one in narrow:
        if one.config["policy"] == "kr_ucb":
            one.arrays["best"][:, 1:] += LEVEL - first
    plant(planted + narrow + other_seeds(LEVEL, other, fewer))
    evidence = readings.fig9_exploitation("paper")
    assert (WIDE in evidence.numbers["reversed"]) is True
    assert (NARROW in evidence.numbers["reversed"]) is reversed_
    assert (LONG in evidence.numbers["reversed"]) is reversed_
    assert evidence.verdict == ("refuted" if reversed_ else "inconclusive")
    if reversed_:
        assert readings.fig9_exploitation.replay(evidence.counterexample)[2]


@pytest.mark.parametrize("missing", [SHORT, "wide", "a seed", "a method"])
def test_what_is_reversed_everywhere_is_not_refuted_before_all_were_tried(plant, missing):
    planted = figure(EXPLOITING, IN_FRONT) + box("narrow", EXPLOITING, IN_FRONT)
    planted += sweep(dict.fromkeys([one for one in (SHORT, LONG) if one != missing], IN_FRONT))
    if missing != "wide":
        every = box("wide", EXPLOITING, IN_FRONT, fig9_boxes.SEEDS["paper"] - (missing == "a seed"))
        planted += [one for one in every if missing != "a method" or one.config["policy"] != "kr_ucb"]
    plant(planted)
    evidence = readings.fig9_exploitation("paper")
    assert evidence.verdict == "inconclusive"
    assert ("boke.fig9_constants" if missing == SHORT else "boke.fig9_boxes") in evidence.summary


@pytest.mark.parametrize("name", AHEAD)
def test_half_of_the_evaluations_is_a_circumstance(plant, name):
    """GP-UCB is behind in the first half, and in front of it over both."""
    rest = [one for one in figure(AHEAD[name], BEHIND) if one.config["policy"] != "gp_ucb"]
    late = runs("boke.fig9", "gp_ucb", 10 * EFFECT, range(fig9.SEEDS["paper"]), 9, at_first=0.0)
    plant(rest + late)
    evidence = CLAIMS[name]("paper")
    assert evidence.verdict == "depends", evidence.summary
    assert (evidence.numbers["holds"], evidence.numbers["reversed"]) == ([HALF], [OURS])
    assert TWINS[name]("paper").verdict == "refuted"


def test_random_search_says_nothing_of_acquisition_functions(plant):
    planted = [
        one for one in figure(AHEAD["boke.fig9_exploitation"], BEHIND) if one.config["policy"] != "random_search"
    ]
    plant(planted + runs("boke.fig9", "random_search", IN_FRONT, range(80), 9))
    assert (
        readings.fig9_exploitation("paper").verdict == readings.fig9_exploitation_here("paper").verdict == "supported"
    )


def test_the_seeds_of_the_sweep_find_the_smallest_effect_on_each_task():
    """One-sided at 0.05 shared by all circumstances, at the deviation that is declared."""
    shared = SUPPORT / (2 + len(fig9_constants.SETTINGS) + len(fig9_boxes.BOXES))
    needed = tuning.RULES["A"].repetitions(readings.SWEPT_DEVIATION, 2 * shared)
    assert needed <= fig9_constants.SEEDS["paper"] == fig9_boxes.SEEDS["paper"] < 1.05 * needed


def test_the_stored_runs_start_where_those_of_the_figure_do(monkeypatch, tmp_path):
    """Same seeds, same designs, same folds, budget and workload: the best score of the design is the same number."""
    monkeypatch.setattr(inputs, "LOCAL", tmp_path)
    compared = 0
    for scale in ("quick", "paper"):
        of_figure = constants.stored("boke.fig9", scale)
        for one in inputs.results(constants.SWEEP, scale):
            whole = of_figure[one.config["problem"], "gp_ucb"]
            both = [seed for seed in one.config["seeds"] if seed in whole.config["seeds"]]
            ours, theirs = ([run.config["seeds"].index(seed) for seed in both] for run in (one, whole))
            assert len(both) >= 3
            size = int(one.arrays["initial_size"])
            design = np.asarray(whole.arrays["best"])[theirs, :size]
            np.testing.assert_allclose(np.asarray(one.arrays["best"])[ours, :size], design, atol=1e-9)
            assert one.config["options"]["constants"]
            assert one.config["options"].items() >= whole.config["options"].items()
            compared += 1
    assert compared
