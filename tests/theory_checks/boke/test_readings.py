import numpy as np
import pytest

from experiments.engine.result_file import Result
from tests.theory_checks.decisions import all_of, told_as
from theory_checks.boke import complexity, noisy_readings, readings, regret_readings, sprinkler_readings
from theory_checks.ledger import Claim, level, load
from theory_checks.readings import replay

MODULES = (regret_readings, noisy_readings, sprinkler_readings, readings, complexity)
CLAIMS = tuple(one for module in MODULES for one in vars(module).values() if isinstance(one, Claim) and one.needs)
DESIGNS = (readings.SCOTT, readings.SMALL, readings.SPACING, "gp_exploration", "uniform", "lhs", "sobol")


def _result(study, problem, policy, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "seeds": [], "scale": "quick", "options": {}}
    return Result(config, {name: np.asarray(array) for name, array in arrays.items()}, {})


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


def _times(proposals=(("kr_ucb", 1.0), ("boke_plus", 1.5), ("boke", 2.0)), half=0.5):
    found = []
    for index, (method, factor) in enumerate(proposals):
        rng, t = np.random.default_rng(index), np.array([10, 20, 50, 100])
        seconds = 1e-3 * factor * np.exp(0.1 * rng.standard_normal((12, 4)))
        found.append(_result("boke.table1", "proposal", method, t=t, seconds=seconds))
        if method == "kr_ucb":
            found.append(_result("boke.table1", "proposal_half", method, t=t, seconds=half * seconds))
    return found


@pytest.mark.decides(all_of("boke.fig3_overlap", "boke.fig3_overlap_here"))
def test_overlap(plant):
    three = (readings.SCOTT, readings.SMALL, readings.SPACING)
    plant(_fills())
    assert readings.fig3_overlap("quick").verdict == readings.fig3_overlap_here("quick").verdict == "supported"
    plant(_fills(factors={readings.SCOTT: 1.3}.items()))
    assert readings.fig3_overlap("quick").verdict == "depends"
    evidence = readings.fig3_overlap_here("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]
    plant(_fills(factors=dict.fromkeys(three, 1.3).items()))
    evidence = readings.fig3_overlap("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]
    plant(_fills(factors=dict.fromkeys(three, 1.1).items()))
    assert readings.fig3_overlap("quick").verdict == readings.fig3_overlap_here("quick").verdict == "inconclusive"


def test_rate(plant):
    plant(_fills())
    assert readings.de_rate_here("quick").verdict == "supported"
    assert readings.de_rate_here.check("quick", factor=0.5).verdict == "refuted"
    plant(_fills(exponents={"density_exploration": 0.5}.items()))
    evidence = readings.de_rate_here("quick")
    assert evidence.verdict == "refuted"
    assert replay(evidence.counterexample)[2]


@pytest.mark.decides(told_as("boke.de_rate_here", "boke.de_rate_repaired"))
@pytest.mark.parametrize(("exponent", "verdict"), [(1.0, "supported"), (0.8, "inconclusive"), (0.6, "refuted")])
def test_rates_are_decided(plant, exponent, verdict):
    """True; at the edge of the band, 0.2 / d; beyond it by as much again, the smallest effect that matters."""
    plant(_fills(exponents={"density_exploration": exponent, readings.SPACING: exponent}.items()))
    for claim in (readings.de_rate_here, readings.de_rate_repaired):
        assert claim("quick").verdict == verdict, claim.id


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
    for check in (readings.fig3_overlap, readings.fig3_overlap_here, readings.de_rate_here):
        assert check("smoke").verdict == "inconclusive"


@pytest.mark.decides(told_as("boke.table1_in_practice"))
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
