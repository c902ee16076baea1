"""Studies of Paper B: their cells, and the stored arrays against definitions worked out here."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from core.policies import SearchEffort
from core.types import Observations
from experiments import problems
from experiments.cei import benchmarks, cost, fig1, fig2, fig3, fig5, fig6, fig7, fig7_seeds, fig8
from experiments.cei.known_kernel import KnownKernel
from experiments.engine.study import Cell


def test_paper_scale_is_the_papers():
    """4 problems, 7 methods, 15 seeds and more of the two compared, 150 iterations, 3d initial points; 8 noise levels;
    more than 30 paths."""
    cells = fig3.STUDY.cells("paper")
    assert {(cell.problem, cell.policy) for cell in cells} == {
        (p, m) for p in ("hartmann3", "griewank6", "levy4", "powell5") for m in benchmarks.METHODS
    }
    assert len(benchmarks.METHODS) == 7
    assert {len(cell.seeds) for cell in cells if cell.policy not in benchmarks.COMPARED} == {15}
    assert {len(cell.seeds) for cell in cells if cell.policy in benchmarks.COMPARED} == {280}
    blocks = [cell.seeds for cell in fig7.STUDY.cells("paper") if (cell.problem, cell.policy) == ("levy4", "pi")]
    assert sum(blocks, ()) == tuple(range(40))
    more = [cell.seeds for cell in fig7_seeds.STUDY.cells("paper") if (cell.problem, cell.policy) == ("levy4", "pi")]
    assert sum(more, ()) == tuple(range(40, 240))
    assert {len(cell.seeds) for cell in fig8.STUDY.cells("paper")} == {30}
    assert {cell.options["steps"] for cell in cells} == {150}
    assert {cell.options["arm"] for study in (fig3, fig7, fig8) for cell in study.STUDY.cells("paper")} == {"known"}
    assert {cell.options["noise_fraction"] for cell in fig7.STUDY.cells("paper")} == {0.15}
    levels = {cell.options["noise_fraction"] for cell in fig8.STUDY.cells("paper")}
    assert levels == {0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.15, 0.2}
    assert benchmarks.initial_size(6) == 18
    assert fig6.PATHS["paper"] > 30


def test_scale_quick_has_the_leaked_arm_of_the_two_that_are_compared_and_one_number_of_seeds_a_cell():
    """One compiled program serves this many seeds."""
    cells = [cell for study in (fig3, fig7, fig8) for cell in study.STUDY.cells("quick")]
    assert {len(cell.seeds) for cell in cells} == {benchmarks.SEEDS["quick"]}
    assert {cell.policy for cell in cells if cell.options["arm"] == "leaked"} == set(benchmarks.COMPARED)


@pytest.fixture(scope="module")
def arms():
    """Corrected EI on Hartmann3 at smoke scale in both arms: one compiled program."""
    cells = [c for c in fig3.STUDY.cells("smoke") if c.policy == "corrected_ei"]
    return {cell.options["arm"]: benchmarks.run(cell) for cell in cells}


def test_gap_and_distance_are_those_of_the_incumbent(arms):
    problem = problems.get("hartmann3")
    for arrays in arms.values():
        seeds, steps = arrays["gap"].shape
        assert arrays["t"].tolist() == [9 + k for k in range(steps)]
        for seed in range(seeds):
            for step in range(steps):
                row = int(arrays["incumbent"][seed, step])
                assert 0 <= row < 9 + step
                x = arrays["x"][seed, row].astype(float)
                assert arrays["gap"][seed, step] == pytest.approx(3.862779787332663 - arrays["value"][seed, row])
                assert float(problem.value(jnp.asarray(x))) == pytest.approx(arrays["value"][seed, row], rel=1e-5)
                expected = np.linalg.norm(x - np.asarray(problem.optimizers[0]))
                assert arrays["distance"][seed, step] == pytest.approx(expected, rel=1e-5)
        assert np.all(arrays["acquisition"] >= 0.0)


def test_both_arms_start_alike_and_then_part(arms):
    """Same Sobol points, same noise of 10 % of the range; the reports differ, and so do the queries."""
    known, leaked = arms["known"], arms["leaked"]
    np.testing.assert_array_equal(known["y"][:, :9], leaked["y"][:, :9])
    assert not np.array_equal(known["x"][:, 9:], leaked["x"][:, 9:])
    noise = (known["y"][:, :9] - known["value"][:, :9]) / (0.1 * 3.8627420601475214)
    assert 1e-3 < stats.chi2(noise.size).cdf((noise**2).sum()) < 1 - 1e-3


def observations(x, y, noise):
    return Observations.of(
        jnp.asarray(x)[:, None], jnp.asarray(y), noise_variance=jnp.asarray(noise), capacity=len(x) + 2
    )


def direct_posterior(x, y, noise, lengthscale):
    """Eqs. (2), (3) by solving the linear systems as written, in numpy."""

    def kernel(a, b):
        return np.exp(-((a[:, None] - b[None, :]) ** 2) / (2 * lengthscale**2))

    grid = np.linspace(0, 1, 2001)
    system = kernel(x, x) + np.diag(noise)
    cross = kernel(grid, x)
    mean = cross @ np.linalg.solve(system, y)
    at_data = kernel(x, x) @ np.linalg.solve(system, y)
    best = int(np.argmax(at_data))
    variance = 1.0 - np.einsum("gn,ng->g", cross, np.linalg.solve(system, cross.T))
    own = kernel(x, x)[best]
    solved = np.linalg.solve(system, own)
    incumbent_variance = 1.0 - own @ solved
    covariance = kernel(grid, x[best : best + 1])[:, 0] - cross @ solved
    return grid, mean - at_data[best], variance, variance + incumbent_variance - 2 * covariance, best


@pytest.mark.parametrize("name", ["ei", "corrected_ei"])
def test_known_kernel_maximises_the_formula_in_the_unit_of_y(name):
    """Against the formulas evaluated in numpy on 2001 points; outputs are not standardised."""
    rng = np.random.default_rng(0)
    x, y, noise = rng.random(6), 3.0 + rng.normal(size=6), np.full(6, 0.16**2)

    effort = SearchEffort.of(1, raw_candidates=64, starts=2, max_steps=20)
    policy = KnownKernel(1, acquisition=name, lengthscale=0.3, effort=effort)
    query, _, info = eqx.filter_jit(policy.propose)(jax.random.key(0), (), observations(x, y, noise))
    grid, gain, variance, corrected, best = direct_posterior(x, y, noise, 0.3)
    deviation = np.sqrt(np.maximum(variance if name == "ei" else corrected, 1e-14))
    z = gain / deviation
    acquisition = deviation * (z * stats.norm.cdf(z) + stats.norm.pdf(z))
    assert int(info["incumbent"]) == best
    assert float(info["acquisition"]) == pytest.approx(acquisition.max(), rel=1e-4)
    assert float(query[0]) == pytest.approx(grid[acquisition.argmax()], abs=2e-3)


def test_known_kernel_refuses_bad_input():

    with pytest.raises(ValueError, match="acquisition must be one of"):
        KnownKernel(1, acquisition="pi", lengthscale=0.3)
    with pytest.raises(ValueError, match="lengthscale must be positive"):
        KnownKernel(1, acquisition="ei", lengthscale=0.0)
    unknown = Observations.of(jnp.asarray([[0.5]]), jnp.asarray([1.0]))
    with pytest.raises(ValueError, match="noise variances"):
        KnownKernel(1, acquisition="ei", lengthscale=0.3).propose(jax.random.key(0), (), unknown)


def test_stopped_runs_stop_where_the_acquisition_first_falls_below_kappa():
    cell = Cell(fig6.PROBLEM, "ei", (0, 1), {"width": 10.0, "steps": 8}, scale="smoke")
    arrays = fig6.run(cell)
    paths = np.stack(
        [
            np.asarray(problems.get(fig6.PROBLEM, seed=s, width=10.0).formula.values)
            for s in (10**6 + k for k in range(5))
        ]
    )
    assert float(arrays["kappa"]) == pytest.approx(0.01 * (paths.max() - paths.min()))
    for path in range(2):
        below = np.flatnonzero(arrays["acquisition"][path] < arrays["kappa"])
        assert arrays["steps"][path] == (below[0] if below.size else 8)
        assert arrays["stopped"][path] == bool(below.size)
        assert arrays["value_at_stop"][path] <= arrays["optimum"][path]
        assert arrays["incumbent_value_at_stop"][path] <= arrays["optimum"][path]
    assert not set(fig6.PILOT_PATHS) & set(range(fig6.PATHS["paper"]))


def test_matrix_of_figure_5_is_the_kernel_and_the_noise():
    arrays = fig5.run(dataclasses.replace(fig5.STUDY.cells("smoke")[0], seeds=(0, 1)))
    x = arrays["matrix_grid"]
    expected = np.exp(-((x[:, None] - x[None, :]) ** 2) / 18.0) + 0.16**2 * np.eye(len(x))
    np.testing.assert_allclose(arrays["matrix"], expected, rtol=1e-12)
    problem = problems.get(fig6.PROBLEM, seed=1, width=10.0)
    for place in (0, 17, 399):
        assert float(problem.formula(jnp.asarray([arrays["grid"][place]]))) == arrays["paths"][1, place]


def test_profit_is_eq_11():
    arrays = fig2.run(dataclasses.replace(fig2.STUDY.cells("smoke")[0], policy="ei"))
    budget = arrays["acquisition"].shape[1]
    for seed in range(len(arrays["profit"])):
        for column, kappa in enumerate(arrays["kappa"]):
            below = np.flatnonzero(arrays["acquisition"][seed] < kappa)
            steps = int(below[0]) if below.size else budget
            value = arrays["incumbent_value"][seed, min(steps, budget - 1)]
            assert arrays["profit"][seed, column] == pytest.approx(value - kappa * steps)
    assert np.all(np.diff(arrays["steps"], axis=1) <= 0)


def test_suggestions_of_figure_1_maximise_their_curves():
    arrays = fig1.run(fig1.STUDY.cells("smoke")[0])
    grid = arrays["grid"]
    for name in fig1.ACQUISITIONS:
        np.testing.assert_array_equal(arrays[f"next_{name}"][:4], grid[arrays[name].argmax(axis=1)])
        np.testing.assert_allclose(arrays[f"distance_{name}"], np.abs(arrays[f"next_{name}"] - 10.0))
        assert np.all(arrays[name] >= 0.0)
    for seed in range(4):  # next to the incumbent one of them vanishes, the other does not
        beside = np.abs(grid - arrays["x"][seed, arrays["incumbent"][seed]]).argmin()
        assert arrays["corrected_ei"][seed, beside] < 0.5 * arrays["ei"][seed, beside]
    truth = -sum(stats.norm(c, np.sqrt(0.8)).pdf(grid) for c in (1, 5, 8))
    np.testing.assert_allclose(arrays["truth"], truth, rtol=1e-10)


def test_every_acquisition_is_timed_in_every_repetition(monkeypatch):
    """Two cheap methods stand for the seven: as many timings a method as repetitions, all positive."""
    monkeypatch.setattr(cost, "METHODS", ("ei", "corrected_ei"))
    arrays = cost.run(Cell("d3", "all", (0, 1), {"dim": 3}, scale="smoke"))
    for name in ("ei", "corrected_ei", cost.FIT):
        assert arrays[f"seconds_{name}"].shape == (2, len(arrays["t"]))
        assert np.all(arrays[f"seconds_{name}"] > 0)
