"""The readings of Figure 8 on planted results."""

import pytest

from experiments.boke import fig8_seeds
from experiments.engine.result_file import Result
from tests.theory_checks.boke.planted_regrets import sprinkler, sprinkler_sweep
from theory_checks.boke import sprinkler_readings as readings
from theory_checks.readings import replay

CLAIMS = {
    "gp_ucb": (readings.fig8_beats_gp_ucb, readings.fig8_beats_gp_ucb_here),
    "kr_ucb": (readings.fig8_beats_kr_ucb, readings.fig8_beats_kr_ucb_here),
}


@pytest.mark.decides(
    lambda case: {CLAIMS[case["peer"]][0].id: case["printed"], CLAIMS[case["peer"]][1].id: case["here"]}
)
@pytest.mark.parametrize("peer", CLAIMS)
@pytest.mark.parametrize(
    ("factors", "cost", "printed", "here"),
    [
        ({"peer": 2.0}, 2.0, "supported", "supported"),
        ({"peer": 2.0}, 0.1, "inconclusive", "refuted"),  # loses at equal CPU time
        ({}, 2.0, "inconclusive", "inconclusive"),  # wins at equal CPU time only
        ({"boke": 2.0}, 1.0, "inconclusive", "refuted"),
        ({"peer": 2.0, "boke_plus": 2.0}, 1.0, "inconclusive", "inconclusive"),
    ],
)
def test_our_constants(plant, peer, factors, cost, printed, here):
    named = {peer if name == "peer" else name: factor for name, factor in factors.items()}
    plant(sprinkler(named, {peer: cost}))
    for claim, verdict in zip(CLAIMS[peer], (printed, here), strict=True):
        evidence = claim("quick")
        assert evidence.verdict == verdict, evidence.summary
        assert verdict != "refuted" or replay(evidence.counterexample)[2]
    if printed == "inconclusive" and here == "refuted":
        assert "no other constants were tried" in CLAIMS[peer][0]("quick").summary


@pytest.mark.decides(lambda case: {CLAIMS[case["peer"]][0].id: case["verdict"]})
@pytest.mark.parametrize("peer", CLAIMS)
@pytest.mark.parametrize(
    ("swept", "verdict"),
    [
        ({"boke": 2.0, "boke_plus": 2.0, "peer": 1.0}, "refuted"),
        ({"boke": 0.2, "boke_plus": 0.2, "peer": 1.0}, "depends"),
        ({"boke": 2.0, "boke_plus": 2.0, "peer": 10.0}, "depends"),
        ({"boke": 2.0, "boke_plus": 2.0, "peer": 2.0}, "inconclusive"),
    ],
)
def test_sweeps_of_both_sides_decide_a_failure(plant, peer, swept, verdict):
    named = {peer if name == "peer" else name: factor for name, factor in swept.items()}
    plant(sprinkler({"boke": 3.0}) + sprinkler_sweep(named))
    evidence = CLAIMS[peer][0]("quick")
    assert evidence.verdict == verdict, evidence.summary
    assert verdict != "refuted" or replay(evidence.counterexample)[2]


def _numbered(results, study, first):
    """The results as those of a study, with the seeds from `first` on."""
    return [
        Result(
            {**one.config, "study": study, "seeds": list(range(first, first + len(one.arrays["simple_regret"])))},
            one.arrays,
            one.metadata,
        )
        for one in results
    ]


@pytest.mark.parametrize("peer", CLAIMS)
def test_more_seeds_count_for_our_constants_alone(plant, peer):
    """Thirty of the figure leave it open; with sixty more, in which both of ours are behind, the twin is refuted. Where
    a method has none of them, the figure's stand alone."""
    figure = _numbered(sprinkler(), "boke.fig8", 0)
    more = _numbered(sprinkler({"boke": 3.0, "boke_plus": 3.0}, seeds=60), "boke.fig8_seeds", 30)
    more = [one for one in more if one.config["policy"] in fig8_seeds.METHODS]
    printed, here = CLAIMS[peer]
    plant(figure)
    assert here("quick").verdict == "inconclusive"
    plant(figure + more)
    evidence = here("quick")
    assert evidence.verdict == "refuted"
    assert len(evidence.counterexample["samples"]) == 90
    assert replay(evidence.counterexample)[2]
    assert printed("quick").verdict == "inconclusive"
    plant(figure + [one for one in more if one.config["policy"] != "boke"])
    assert here("quick").verdict == "inconclusive"


def test_time_is_that_of_the_quicker_method():
    """GP-UCB at twice the cost has made 20 of 40 proposals when BOKE has made all."""
    by_name = {one.config["policy"]: one for one in sprinkler()}
    ours, peer, seconds = readings.after_equal_time(by_name["boke"], by_name["gp_ucb"])
    assert [one.arrays["simple_regret"].shape[1] for one in (ours, peer)] == [50, 30]
    assert seconds == pytest.approx(0.04)


def test_controls_are_refuted_and_few_seeds_decide_nothing(plant):
    plant(sprinkler({"random_search": 2.0}, {}))
    for claim in sum(CLAIMS.values(), ()):
        control = claim.negative_control("quick")
        assert control.verdict == "refuted"
        assert replay(control.counterexample)[2]
    plant(sprinkler({"gp_ucb": 2.0, "kr_ucb": 2.0}, seeds=5))
    for claim in sum(CLAIMS.values(), ()):
        assert claim("quick").verdict == "inconclusive"
