import numpy as np
import pytest

from experiments.engine.result_file import Result
from theory_checks.boke import complexity, readings, regret_readings, sprinkler_readings
from theory_checks.ledger import level, load
from theory_checks.readings import replay

CLAIMS = (
    regret_readings.fig6_competitive,
    regret_readings.fig7_beats_kr_ucb,
    regret_readings.fig7_beats_gp_ucb_high_d,
    sprinkler_readings.fig8_beats_gp_ucb,
    readings.fig3_overlap,
    readings.de_rate_here,
    readings.de_rate_repaired,
    complexity.table1,
    complexity.table1_in_practice,
)
DESIGNS = ("density_exploration", "density_exploration_spacing", "gp_exploration", "uniform", "lhs", "sobol")
FACTORS = {"boke": 1.0, "boke_plus": 1.0, "kr_ucb": 1.0, "gp_ucb": 1.0, "random_search": 1.0}


def _result(study, problem, policy, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "seeds": [], "scale": "quick", "options": {}}
    return Result(config, {name: np.asarray(array) for name, array in arrays.items()}, {})


def _regrets(study, seeds=8, problems=regret_readings.PROBLEMS, size=0.05, **factors):
    """Planted final regrets: `size` of a range of 200, times the method's factor, with noise of 20 % per seed."""
    found = []
    for problem in problems:
        for index, (policy, factor) in enumerate((FACTORS | factors).items()):
            rng = np.random.default_rng([index, *map(ord, problem)])
            final = 200.0 * size * factor * np.exp(0.2 * rng.standard_normal(seeds))
            curve = final[:, None] * np.array([5.0, 2.0, 1.0])
            found.append(_result(study, problem, policy, simple_regret=curve, range=200.0))
    return found


def _sweep(study, best, method="boke", seeds=8):
    """Planted sensitivity results of one constant of a method; `best` is its smallest factor of 0.05 of the range."""
    noise = 0.05 if study == "boke.fig7" else 0.0
    found = []
    for problem in ("goldstein_price", "hartmann3"):
        for value, factor in ((0.1, 20.0), (0.2, best)):
            one = _regrets("boke.sensitivity", seeds, (problem,), **{method: factor})[list(FACTORS).index(method)]
            options = {"problem": problem, "noise_fraction": noise, "constant": "bandwidth", "value": value}
            found.append(Result(one.config | {"options": options}, one.arrays, {}))
    return found


def _fills(seeds=10, dims=readings.DIMENSIONS, exponents=(), factors=()):
    t = np.unique(np.round(np.geomspace(1, 100, 24)).astype(int))
    found = []
    for dim in dims:
        for index, policy in enumerate(DESIGNS):
            rng = np.random.default_rng([dim, index])
            exponent, factor = dict(exponents).get(policy, 1.0), dict(factors).get(policy, 1.0)
            noise = np.exp(0.02 * rng.standard_normal((seeds, 1)) + 0.01 * rng.standard_normal((seeds, len(t))))
            fill = factor * t ** (-exponent / dim) * noise
            found.append(_result("boke.fig3", f"d{dim}", policy, t=t, fill_distance=fill))
    return found


def _times(
    repetitions=5, powers=complexity.PRINTED, proposals=(("kr_ucb", 1.0), ("boke_plus", 1.5), ("boke", 2.0)), half=0.5
):
    found = []
    for phase, by_method in powers.items():
        for index, (method, power) in enumerate(by_method.items()):
            rng, t = np.random.default_rng([index, len(phase)]), 4 ** np.arange(3, 9)
            seconds = 1e-6 * t ** float(power) * np.exp(0.01 * rng.standard_normal((repetitions, len(t))))
            found.append(_result("boke.table1", phase, method, t=t, seconds=seconds))
    for index, (method, factor) in enumerate(proposals):
        rng, t = np.random.default_rng(index), np.array([10, 20, 50, 100])
        seconds = 1e-3 * factor * np.exp(0.1 * rng.standard_normal((12, 4)))
        found.append(_result("boke.table1", "proposal", method, t=t, seconds=seconds))
        if method == "kr_ucb":
            found.append(_result("boke.table1", "proposal_half", method, t=t, seconds=half * seconds))
    return found


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [({}, "supported"), ({"boke": 0.1}, "supported"), ({"boke": 8.0}, "refuted"), ({"boke_plus": 2.0}, "inconclusive")],
)
def test_competitive(plant, factors, verdict):
    plant(_regrets("boke.fig6", **factors) + _sweep("boke.fig6", best=9.0))
    evidence = regret_readings.fig6_competitive("quick")
    assert evidence.verdict == verdict
    if verdict == "refuted":
        assert replay(evidence.counterexample)[2]


@pytest.mark.parametrize(
    ("sweep", "said"),
    [([], "no other constants"), (_sweep("boke.fig7", best=9.0), "no other"), (_sweep("boke.fig6", best=1.0), "= 0.2")],
)
def test_failing_with_our_constants_alone_refutes_nothing(plant, sweep, said):
    plant(_regrets("boke.fig6", boke=8.0) + sweep)
    evidence = regret_readings.fig6_competitive("quick")
    assert evidence.verdict == "inconclusive"
    assert "not reproduced" in evidence.summary
    assert said in evidence.summary


def test_methods_that_both_reach_rounding_are_competitive(plant):
    plant(_regrets("boke.fig6", size=1e-12, boke=50.0, gp_ucb=1e-4))
    assert regret_readings.fig6_competitive("quick").verdict == "supported"


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"kr_ucb": 3.0}, "supported"),
        ({}, "inconclusive"),
        ({"boke_plus": 3.0}, "refuted"),
        ({"kr_ucb": 3.0, "boke": 3.0}, "inconclusive"),
    ],
)
def test_significantly_better_is_for_both_methods(plant, factors, verdict):
    plant(_regrets("boke.fig7", **factors) + _sweep("boke.fig7", best=9.0, method="boke_plus"))
    assert regret_readings.fig7_beats_kr_ucb("quick").verdict == verdict


def test_high_dimensions_only(plant):
    results = _regrets("boke.fig7", seeds=20, problems=regret_readings.HIGH_DIMENSIONAL, gp_ucb=4.0)
    plant(results + _regrets("boke.fig7", seeds=20, problems=regret_readings.PROBLEMS[:4], gp_ucb=0.1))
    assert regret_readings.fig7_beats_gp_ucb_high_d("paper").verdict == "supported"


@pytest.mark.parametrize("change", [{"seeds": 2}, {"problems": ("forrester", "sphere6")}])
def test_few_seeds_or_problems_decide_nothing(plant, change):
    for study, check in (
        ("boke.fig6", regret_readings.fig6_competitive),
        ("boke.fig7", regret_readings.fig7_beats_kr_ucb),
    ):
        plant(_regrets(study, **({"gp_ucb": 50.0, "kr_ucb": 50.0} | change)))
        assert check("smoke").verdict == "inconclusive"


def _sprinkler(seeds=30, costs=(("gp_ucb", 2.0),), **factors):
    """Regrets that fall by half every 10 of 50 evaluations, times the method's factor; proposals of 1 ms, times its
    cost."""
    found = []
    for index, (policy, factor) in enumerate((FACTORS | factors).items()):
        rng = np.random.default_rng(index)
        final = 0.5 * factor * np.exp(0.1 * rng.standard_normal(seeds))
        curve = final[:, None] * 2.0 ** ((50 - np.arange(1, 51)) / 10)
        seconds = np.full((4, 40), 1e-3 * dict(costs).get(policy, 1.0))
        arrays = {"simple_regret": curve, "range": 8.0, "seconds": seconds, "initial_size": 10}
        found.append(_result("boke.fig8", "sprinkler", policy, **arrays))
    return found


@pytest.mark.parametrize(
    ("factors", "costs", "verdict", "said"),
    [
        ({"gp_ucb": 2.0}, {"gp_ucb": 2.0}, "supported", "below 1"),
        ({"gp_ucb": 2.0}, {"gp_ucb": 0.1}, "inconclusive", "no other constants"),  # loses at equal CPU time
        ({}, {"gp_ucb": 2.0}, "inconclusive", "not significant"),  # wins at equal CPU time only
        ({"boke": 3.0}, {"gp_ucb": 1.0}, "inconclusive", "not reproduced"),
        ({"gp_ucb": 2.0, "boke_plus": 2.0}, {}, "inconclusive", "not significant"),
    ],
)
def test_sprinkler(plant, factors, costs, verdict, said):
    plant(_sprinkler(costs=costs.items(), **factors))
    evidence = sprinkler_readings.fig8_beats_gp_ucb("quick")
    assert evidence.verdict == verdict
    assert said in evidence.summary


@pytest.mark.parametrize(
    ("swept", "verdict", "said"),
    [
        ({"boke": 0.9, "gp_ucb": 1.0}, "inconclusive", "boke with bandwidth = 0.2 against gp_ucb"),
        ({"boke": 2.0}, "inconclusive", "no other constants of gp_ucb were tried"),
        ({"boke": 2.0, "gp_ucb": 4.0}, "inconclusive", "against gp_ucb with bandwidth = 0.2"),
        ({"boke": 2.0, "gp_ucb": 1.5}, "refuted", "below 1"),
        ({"boke": 1.2, "gp_ucb": 1.5}, "inconclusive", "bandwidth = 0.2 against gp_ucb with bandwidth = 0.2"),
    ],
)
def test_sweeps_of_both_sides_decide_a_failure_on_the_sprinkler(plant, swept, verdict, said):
    options = {"problem": "sprinkler", "noise_fraction": 0.0, "constant": "bandwidth", "value": 0.2}
    planted = _sprinkler(boke=3.0, gp_ucb=1.0)
    for policy, factor in swept.items():
        one = _sprinkler(**{policy: factor})[list(FACTORS).index(policy)]
        planted.append(Result(one.config | {"study": "boke.fig8_constants", "options": options}, one.arrays, {}))
    plant(planted)
    evidence = sprinkler_readings.fig8_beats_gp_ucb("quick")
    assert evidence.verdict == verdict
    assert said in evidence.summary


def test_sprinkler_is_read_at_the_time_of_the_quicker_method(plant):
    """GP-UCB at twice the cost has made 20 of 40 proposals when BOKE has made all."""
    plant(_sprinkler(gp_ucb=2.0))
    numbers = sprinkler_readings.fig8_beats_gp_ucb("quick").numbers
    assert numbers["boke, evaluations"]["t"] == [50, 50]
    assert numbers["boke, CPU time"]["t"] == [50, 30]
    assert numbers["boke, CPU time"]["seconds"] == pytest.approx(0.04)
    assert numbers["boke, CPU time"]["median_ratio"] == pytest.approx(0.125, rel=0.1)
    control = sprinkler_readings.fig8_beats_gp_ucb.negative_control("quick")
    assert control.verdict == "refuted"
    assert replay(control.counterexample)[2]
    plant(_sprinkler(seeds=5, gp_ucb=2.0))
    assert sprinkler_readings.fig8_beats_gp_ucb("quick").verdict == "inconclusive"


def test_overlap(plant):
    plant(_fills())
    assert readings.fig3_overlap("quick").verdict == "supported"
    plant(_fills(factors={"density_exploration": 1.3}.items()))
    assert readings.fig3_overlap("quick").verdict == "inconclusive"  # another bandwidth overlaps
    plant(_fills(factors={"density_exploration": 1.3, "density_exploration_spacing": 1.3}.items()))
    evidence = readings.fig3_overlap("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]
    plant(_fills(factors={"density_exploration": 1.1}.items()))
    assert readings.fig3_overlap("quick").verdict == "inconclusive"


def test_rate(plant):
    plant(_fills())
    assert readings.de_rate_here("quick").verdict == "supported"
    assert readings.de_rate_here.check("quick", factor=0.5).verdict == "refuted"
    plant(_fills(exponents={"density_exploration": 0.5}.items()))
    evidence = readings.de_rate_here("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]


def test_rates_are_compared_where_few_points_show_another_slope(plant):
    both = {"density_exploration": 1.4, "gp_exploration": 1.4}
    plant(_fills(exponents=both.items()))
    assert readings.de_rate_here("quick").verdict == "supported"
    assert readings.de_rate_here.check("quick", factor=0.5).verdict == "refuted"


def test_the_repaired_rate_is_that_of_the_other_bandwidth(plant):
    plant(_fills(exponents={"density_exploration": 0.5}.items()))
    assert readings.de_rate_repaired("quick").verdict == "supported"
    assert readings.de_rate_repaired.check("quick", factor=0.5).verdict == "refuted"


@pytest.mark.parametrize("change", [{"seeds": 2}, {"dims": (2,)}])
def test_few_seeds_or_dimensions_decide_nothing(plant, change):
    plant(_fills(**change))
    for check in (readings.fig3_overlap, readings.de_rate_here):
        assert check("smoke").verdict == "inconclusive"


def test_table_of_complexities(plant):
    plant(_times())
    assert complexity.table1("quick").verdict == "supported"
    plant(_times(powers={**complexity.PRINTED, "inference": {**complexity.PRINTED["inference"], "boke": 1.5}}))
    evidence = complexity.table1("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]
    plant(_times(repetitions=2))
    assert complexity.table1("smoke").verdict == "inconclusive"


@pytest.mark.parametrize(
    ("kr_ucb", "half", "boke_plus", "verdict"),
    [
        (1.0, 0.5, 1.5, "supported"),
        (1.5, 0.5, 1.5, "supported"),  # level with our alpha, faster with the other
        (2.0, 0.5, 1.5, "inconclusive"),  # the alpha that is not printed decides
        (2.0, 1.0, 1.5, "refuted"),
        (1.0, 0.5, 2.0, "inconclusive"),
        (1.0, 0.5, 2.5, "refuted"),
    ],
)
def test_order_of_run_times(plant, kr_ucb, half, boke_plus, verdict):
    plant(_times(proposals=(("kr_ucb", kr_ucb), ("boke_plus", boke_plus), ("boke", 2.0)), half=half))
    evidence = complexity.table1_in_practice("quick")
    assert evidence.verdict == verdict
    if verdict == "refuted":
        assert replay(evidence.counterexample)[2]


@pytest.mark.parametrize("entry", CLAIMS, ids=lambda entry: entry.id)
def test_nothing_stored_decides_nothing(plant, entry):
    plant([])
    evidence = entry("quick")
    assert evidence.verdict == "inconclusive"
    assert "python -m experiments run" in evidence.summary


def test_levels_count_every_test():
    assert level("A") * sum(entry.tests for entry in load().values() if entry.paper == "A") == pytest.approx(0.0125)
