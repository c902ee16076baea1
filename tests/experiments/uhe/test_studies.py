"""Studies of Paper D: their cells, and the stored arrays against definitions worked out here."""

import dataclasses
import time
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern

from core import policies
from core.designs import default_initial_size, seed_keys
from core.models.hyperparameters import Hyperparameters
from core.simulate import simulate
from experiments import problems
from experiments.uhe import benchmarks, exp3, fig1, fig2, fig2_arms, fig2_tuning, fig3, fig5, fig5_effort, fig5_runtime
from experiments.uhe.prediction import Predicting

THETA = Hyperparameters(jnp.asarray([0.2, 0.5]), jnp.asarray(1.5), jnp.asarray(0.01))


def test_paper_scale_is_the_papers():
    """Four problems, h1 with the literature's denominator; UHE-BO and six baselines; 216,000 points or more."""
    cells = fig2.STUDY.cells("paper")
    assert {cell.problem for cell in cells} == {"branin", "deceptive2", "hartmann3", "h1"}
    assert len({cell.policy for cell in cells}) == 7
    seeds = {(cell.problem, cell.policy): len(cell.seeds) for cell in cells}
    few = {("branin", "gp_ucb_mcmc"), ("deceptive2", "gp_ucb_mcmc"), ("hartmann3", "gp_ucb_mcmc")}
    assert seeds == {name: 20 if name in few else 80 for name in seeds}  # section 7 has 20, the readings need 80
    assert {cell.policy for cell in fig5.STUDY.cells("paper")} == {"uhe_bo", "ra_bo", "random_exp3"}
    assert benchmarks.POINTS["paper"] > 216_000
    assert all(steps % 2 == 0 for steps in benchmarks.STEPS.values())
    assert {cell.problem for cell in fig5_runtime.STUDY.cells("paper")} == {"deceptive2", "hartmann3"}


def test_every_reading_of_the_text_is_run_of_what_it_changes():
    """Readings run on all four problems; all methods run on h1's smaller box; MCMC has ten seeds, as in appendix C."""
    cells = fig2_arms.STUDY.cells("paper")
    found = {(cell.problem, cell.policy, cell.options["arm"]): len(cell.seeds) for cell in cells}
    on_all = {
        (problem, name, arm)
        for problem in benchmarks.PROBLEMS["paper"]
        for arm, names in fig2_arms.AFFECTED.items()
        for name in names
    }
    assert found.keys() == on_all | {("h1_near", name, "rate") for name in benchmarks.METHODS}
    assert found == {run: 10 if run[1] == "gp_ucb_mcmc" else 80 for run in found}


@pytest.mark.parametrize("name", [*filter(policies.with_horizon, (*benchmarks.METHODS, "ra_bo", "random_exp3"))])
def test_bandits_are_told_the_number_of_evaluations(name):
    policy = benchmarks.make_policy(name, 2, 40)
    assert policy.horizon == 40
    assert policy.beta == 1.96


@pytest.fixture(scope="module")
def run():
    """MAP on Deceptive at smoke scale."""
    cell = next(cell for cell in fig2.STUDY.cells("smoke") if cell.policy == "gp_ucb_map")
    return benchmarks.run(cell)


def test_regret_is_the_papers(run):
    """f(x*) less the best value so far, from the stored queries."""
    values = np.asarray(jax.vmap(jax.vmap(problems.get("deceptive2").value))(jnp.asarray(run["x"], float)))
    np.testing.assert_allclose(run["simple_regret"], 1.0 - np.maximum.accumulate(values, axis=1), atol=1e-4)
    assert run["x"].shape == (2, 11, 2)
    assert run["initial_size"] == 5


def test_prediction_errors_are_those_of_the_process_behind_the_query(run):
    """Against scikit-learn's posterior under the stored hyperparameters, on the first t observations, standardised."""
    points = benchmarks.comparison_points(256, 2)
    truth = np.asarray(jax.vmap(problems.get("deceptive2").value)(jnp.asarray(points)))
    assert run["t"].tolist() == [6, 8, 10]
    assert run["truth_variance"] == pytest.approx(truth.var())
    for seed in range(2):
        for place, count in enumerate(run["t"]):
            x, y = run["x"][seed, :count], run["value"][seed, :count]
            kernel = float(run["fit_variance"][seed, place]) * Matern(run["fit_lengthscale"][seed, place], nu=2.5)
            noise = float(run["fit_noise_variance"][seed, place]) + 1e-10
            process = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None).fit(x, (y - y.mean()) / y.std())
            mean = y.mean() + y.std() * process.predict(points)
            assert run["mse"][seed, place] == pytest.approx(np.mean((mean - truth) ** 2), rel=0.02)


def test_watching_changes_no_query():
    """Random search, which is lent a process: the same queries with and without."""
    problem = problems.get("deceptive2")
    points = jnp.asarray(benchmarks.comparison_points(16, 2))
    inner = policies.make("random_search", 2)
    truth = jax.vmap(problem.value)(points)
    plain, watched = (
        simulate(policy, problem, seed_keys((3,)), 9, initial_size=5, design="uniform")
        for policy in (inner, Predicting(inner, points, truth, 5, 2))
    )
    np.testing.assert_array_equal(plain.x, watched.x)
    recorded = np.isfinite(np.asarray(watched.info["mse"]))[0]
    assert recorded.tolist() == [False, True, False, True]
    assert np.all(np.isfinite(np.asarray(watched.info["fit_lengthscale_1"])[0, recorded]))


@pytest.mark.parametrize("scale", ["smoke", "quick", "paper"])
def test_many_runs_are_other_runs_of_figure_2(scale):
    """UHE-BO on its problems with its budgets, but for what is watched, and with no seed of the figure."""
    of_figure = {cell.problem: cell for cell in fig2.STUDY.cells(scale) if cell.policy == "uhe_bo"}
    cells = exp3.STUDY.cells(scale)
    assert {cell.problem for cell in cells} == set(of_figure)
    for cell in cells:
        other = of_figure[cell.problem]
        assert cell.policy == "uhe_bo"
        assert set(cell.options.items()) <= set(other.options.items())
        assert not set(cell.seeds) & set(other.seeds)


def test_many_runs_store_the_probability_of_a_random_query(monkeypatch):
    """Every tenth evaluation after the initial data, the last one among them, of a run with the figure's initial data;
    with a stand-in for the run, in which the probability counts the evaluations."""
    asked = []

    def stand_in(policy, problem, keys, budget, **options):
        asked.append((budget, options))
        count = jnp.arange(1.0, budget - options["initial_size"] + 1)
        return types.SimpleNamespace(info={"random_probability": jnp.tile(count, (len(keys), 1))})

    monkeypatch.setattr(exp3, "simulate", stand_in)
    cell = exp3.STUDY.cells("quick")[0]
    arrays = exp3.run(dataclasses.replace(cell, seeds=(0, 1)))
    size = default_initial_size(2)
    assert asked == [(size + 36, {"initial_size": size, "design": "uniform"})]
    assert arrays["t"].tolist() == [6, 16, 26, 36]
    np.testing.assert_array_equal(arrays["random_probability"], [[6, 16, 26, 36]] * 2)


def watching(name):
    return Predicting(benchmarks.make_policy(name, 2, 40), jnp.zeros((1, 2)), jnp.zeros(1), 5, 2)


@pytest.mark.parametrize("name", ["uhe_bo", "ra_bo", "random_exp3", "portfolio_exp3"])
def test_the_last_estimate_is_in_force(name):
    watched = watching(name)
    state = dataclasses.replace(watched.init(jax.random.key(0)), parameters=THETA)
    found = watched.in_force(state, {}, None)
    assert found.lengthscale.shape == (1, 2)
    np.testing.assert_array_equal(found.lengthscale[0], THETA.lengthscale)


def test_shrunk_lengthscales_and_all_draws_are_in_force():
    shrunk = watching("wang_de_freitas").in_force(THETA, {"factor": jnp.asarray(4.0)}, None)
    np.testing.assert_allclose(shrunk.lengthscale, [[0.05, 0.125]])
    draws = watching("gp_ucb_mcmc").in_force(jax.tree.map(lambda leaf: jnp.stack([leaf] * 10), THETA), {}, None)
    assert draws.lengthscale.shape == (10, 2)


def test_bad_watches_are_refused():
    inner = policies.make("random_search", 2)
    for every in (0, 1, 3):
        with pytest.raises(ValueError, match="every must be even"):
            Predicting(inner, jnp.zeros((1, 2)), jnp.zeros(1), 5, every)
    with pytest.raises(TypeError, match="no hyperparameters"):
        watching("gp_ucb_map").in_force((), {}, None)


def test_runtime_leaves_out_the_runs_that_compile(monkeypatch):
    """The first call of each method of a stand-in takes 0.1 s, later calls 0.01 s."""
    seen = []

    def stand_in(policy, problem, keys, budget, **options):
        seen.append(type(policy).__name__)
        time.sleep(0.01 if seen.count(type(policy).__name__) > 1 else 0.1)
        return types.SimpleNamespace(y=jnp.zeros(1))

    monkeypatch.setattr(fig5_runtime, "simulate", stand_in)
    cell = dataclasses.replace(fig5_runtime.STUDY.cells("quick")[0], seeds=(0, 1, 2))
    arrays = fig5_runtime.run(cell)
    assert len(seen) == 12
    assert seen[:3] != seen[3:6]
    for name in fig5_runtime.METHODS["quick"]:
        assert arrays[f"seconds_{name}"].shape == arrays[f"cpu_seconds_{name}"].shape == (3,)
        assert 0.01 <= np.median(arrays[f"seconds_{name}"]) < 0.08


@pytest.mark.parametrize("arm", fig5_effort.ARMS)
def test_efforts_are_those_of_both_methods(monkeypatch, arm):
    """Ten times the candidates and starts of the ordinary search, or ten starts a fit; nothing else changes."""
    seen = []

    def stand_in(policy, problem, keys, budget, **options):
        seen.append(policy)
        return types.SimpleNamespace(y=jnp.zeros(1))

    monkeypatch.setattr(fig5_runtime, "simulate", stand_in)
    cell = next(cell for cell in fig5_effort.STUDY.cells("quick") if cell.options["arm"] == arm)
    arrays = fig5_effort.run(dataclasses.replace(cell, seeds=(0, 1)))
    assert arrays["cpu_seconds_uhe_bo"].shape == arrays["cpu_seconds_gp_ucb_map"].shape == (2,)
    factor = 10 if arm == "search" else 1
    for policy in seen:
        ordinary = benchmarks.make_policy("gp_ucb_map", 2, cell.options["steps"])
        assert policy.effort.lattice.shape[0] == factor * ordinary.effort.lattice.shape[0]
        assert (policy.effort.starts, policy.effort.max_steps) == (factor * ordinary.effort.starts, 200)
        starts = (policy.fit_starts, policy.fit_candidates)
        assert starts == ((10, 10) if arm == "restarts" else (ordinary.fit_starts, ordinary.fit_candidates))
        assert getattr(policy, "horizon", cell.options["steps"]) == cell.options["steps"]
    assert {type(policy).__name__ for policy in seen} == {"UheBo", "GpUcbMap"}


def test_efforts_on_the_forest_are_timed_as_it_was():
    """Same rows, trees and evaluations as in Figure 2 at scale paper, on seeds that it has."""
    forest = [cell for cell in fig5_effort.STUDY.cells("paper") if cell.problem == fig5_effort.TASK]
    of_figure = [cell for cell in fig2_tuning.STUDY.cells("paper") if cell.problem == fig5_effort.TASK]
    if not of_figure:
        assert not forest
        return
    options = dict(of_figure[0].options)
    timed = [(arm, name) for arm in fig5_effort.ARMS for name in fig5_effort.METHODS]
    timed += [("search", fig5_effort.CHAINS)]
    assert [(dict(cell.options), cell.policy) for cell in forest] == [
        ({"arm": arm, **options}, name) for arm, name in timed
    ]
    assert set(forest[0].seeds) <= set(of_figure[0].seeds)


def test_density_of_a_lengthscale_is_the_integral_over_the_variance():
    """Against the normal density integrated over log v on a grid, in scipy, at three lengthscales."""
    rng = np.random.default_rng(1)
    x, y = rng.random(5), rng.normal(size=5)
    density = fig1.log_lengthscale_density(x, y)
    places = [100, 220, 350]
    logs = np.linspace(-25.0, 25.0, 5001)
    integrals = []
    for place in places:
        matrix = Matern(fig1.LENGTHSCALES[place], nu=2.5)(x[:, None]) + fig1.NUGGET * np.eye(5)
        eigenvalues, vectors = np.linalg.eigh(matrix)
        rotated = vectors.T @ y
        logarithm = stats.norm(0.0, np.exp(logs / 2)[:, None] * np.sqrt(eigenvalues)).logpdf(rotated).sum(axis=1)
        integrals.append(np.trapezoid(np.exp(logarithm), logs))
    np.testing.assert_allclose(density[places] / density[places[0]], np.array(integrals) / integrals[0], rtol=1e-5)
    assert np.trapezoid(density, np.log(fig1.LENGTHSCALES)) == pytest.approx(1.0)


def test_density_is_calibrated():
    """Lengthscales drawn from the prior: the posterior probability below the truth is uniform."""
    rng, logs = np.random.default_rng(2), np.log(fig1.LENGTHSCALES)
    levels = []
    for _ in range(60):
        truth, x = rng.uniform(logs[0], logs[-1]), rng.random(8)
        matrix = Matern(np.exp(truth), nu=2.5)(x[:, None]) + fig1.NUGGET * np.eye(8)
        density = fig1.log_lengthscale_density(x, 3.0 * np.linalg.cholesky(matrix) @ rng.normal(size=8))
        below = logs <= truth
        levels.append(np.trapezoid(density[below], logs[below]))
    assert stats.kstest(levels, "uniform").pvalue > 0.01


def test_data_of_figure_1_lie_on_their_paths():
    """Uniform data and those of the run, from one path a seed; the run's first points are its initial data."""
    arrays = fig1.run(dataclasses.replace(fig1.STUDY.cells("smoke")[0], policy="random_search", seeds=(0, 1)))
    for kind in fig1.KINDS:
        assert arrays[f"x_{kind}"].shape == arrays[f"y_{kind}"].shape == (2, fig1.POINTS)
        for seed in range(2):
            values = np.interp(arrays[f"x_{kind}"][seed], arrays["grid"], arrays["function"][seed])
            np.testing.assert_allclose(arrays[f"y_{kind}"][seed], values, atol=0.02)
        peaks = fig1.LENGTHSCALES[arrays[f"density_{kind}"].argmax(axis=1)]
        np.testing.assert_allclose(arrays[f"map_{kind}"], peaks)
    assert not np.array_equal(arrays["function"][0], arrays["function"][1])


def test_pictures_of_figure_3_are_means_of_the_process_behind_the_query():
    """Against scikit-learn at the last moment; MAP, as in the runs of Figure 2."""
    cell = next(cell for cell in fig3.STUDY.cells("smoke") if cell.policy == "gp_ucb_map")
    arrays = fig3.run(cell)
    count = int(arrays["t"][-1])
    x, y = arrays["x"][0, :count], arrays["value"][0, :count]
    kernel = float(arrays["fit_variance"][0, -1]) * Matern(arrays["fit_lengthscale"][0, -1], nu=2.5)
    noise = float(arrays["fit_noise_variance"][0, -1]) + 1e-10
    process = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None).fit(x, (y - y.mean()) / y.std())
    for row, column in ((0, 60), (17, 3), (45, 45)):
        point = [[arrays["line"][column], arrays["line"][row]]]
        expected = y.mean() + y.std() * process.predict(point)[0]
        assert arrays["mean"][-1, row, column] == pytest.approx(expected, abs=2e-3)
        value = float(problems.get("deceptive2").value(jnp.asarray(point[0])))
        assert arrays["truth"][row, column] == pytest.approx(value, abs=1e-6)
