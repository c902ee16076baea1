"""Studies of Paper C: their cells, and the stored arrays against definitions worked out here."""

import dataclasses
import logging
import time
import types

import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate, stats

from experiments.ctx import (
    benchmarks,
    fig1a,
    fig1b,
    fig2,
    full_length,
    model_arms,
    public_arms,
    table1,
    table2,
)
from experiments.data import VARIABLE
from experiments.engine.scale import SCALES
from experiments.problems.contexts.registry import get_context


@pytest.mark.parametrize("scale", SCALES)
def test_table_2_is_of_both_distributions(scale):
    assert [cell.problem for cell in table2.STUDY.cells(scale)] == ["normal", "complicated"]


@pytest.mark.parametrize("name", sorted(table2.DISTRIBUTIONS))
def test_draws_have_the_density(name):
    drawn = table2.draw(name, 3, 4000)
    cdf = integrate.cumulative_trapezoid(table2.density(name, table2._GRID), table2._GRID, initial=0.0)
    assert cdf[-1] == pytest.approx(1.0, abs=1e-4)
    assert stats.kstest(drawn, lambda c: np.interp(c, table2._GRID, cdf)).pvalue > 0.01


@pytest.mark.parametrize("domain", ["line", "box"])
def test_distance_matches_adaptive_quadrature(domain):
    contexts, count = table2.draw("normal", 1, 30), 12
    used = contexts[:count]
    width = used.std() * (4 / 3 / count) ** 0.2

    def gap(c):
        return abs(stats.norm.pdf(c, used, width).mean() - stats.norm.pdf(c, 0.5, 0.1))

    low, high = (0.0, 1.0) if domain == "box" else (-2.0, 3.0)
    expected = integrate.quad(gap, low, high, limit=500, points=[0.2, 0.4, 0.6, 0.8])[0]
    assert table2.distance("normal", contexts, count, domain) == pytest.approx(expected, rel=1e-4)


def test_a_context_far_out_is_counted_on_the_line_only():
    contexts = np.append(np.linspace(0.3, 0.7, 9), 1e5)
    on_line, in_box = (table2.distance("normal", contexts, 10, domain) for domain in ("line", "box"))
    assert on_line == pytest.approx(2.0, abs=0.05)  # such a width spreads all of the estimate far away
    assert in_box == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(("name", "wider"), [("normal", (1.0, 1.005)), ("complicated", (1.04, 1.14))])
def test_clipping_contexts_matters_to_the_bandwidth_with_cauchy_tails_only(name, wider):
    """Median bandwidth from 350 contexts as drawn, over that from clipped ones; with tails a fifth are far wider."""
    draws = [table2.draw(name, seed, 350) for seed in range(200)]
    ratio = np.array([contexts.std() / np.clip(contexts, 0.0, 1.0).std() for contexts in draws])
    assert wider[0] <= np.median(ratio) <= wider[1]
    assert np.mean(ratio > 1.5) == pytest.approx(0.23 if name == "complicated" else 0.0, abs=0.09)


def test_paper_scale_is_the_papers():
    """Six methods, ten initial points, 350 evaluations, the paper's seeds 100-104 first; ten timed runs."""
    cells = fig1a.STUDY.cells("paper")
    assert len({cell.problem for cell in cells}) == 4
    assert len({cell.policy for cell in cells}) == 6
    ours = {cell.options["rounds"] for cell in cells if cell.policy in ("sbo_kde", "drbo_kde", "context_free_ucb")}
    assert {rounds + benchmarks.INITIAL_SIZE for rounds in ours} == {350}
    assert benchmarks.INITIAL_SIZE == 10
    assert {(len(cell.seeds), cell.options["evaluations"]) for cell in table1.STUDY.cells("paper")} == {(10, 100)}


def test_seeds_at_paper_scale(monkeypatch, tmp_path):
    """Most methods have thirty seeds from 100 on, in blocks of five; the slower peers have the paper's five, and some
    have fewer where nothing turns on the rest."""
    (tmp_path / "portfolio_evaluations.npz").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for study in (fig1a, fig1b, fig2):
        for cell in study.STUDY.cells("paper"):
            assert len(cell.seeds) == 5
            pair = (cell.problem, cell.policy)
            found[pair] = found.get(pair, ()) + cell.seeds
    assert all(seeds == tuple(range(100, 100 + len(seeds))) for seeds in found.values())
    unusual = {
        ("context_branin", "sbo_kde"): 15,
        ("context_branin", "drbo_kde"): 15,
        ("context_branin", "drbo_mmd"): 30,
        ("context_branin", "stable_opt"): 15,
        ("context_ackley", "stable_opt"): 15,
        ("context_hartmann", "stable_opt"): 30,
        **{("context_hartmann_complicated", name): 10 for name in ("drbo_mmd", "drbo_mmd_minimax", "stable_opt")},
        ("context_hartmann_complicated", "context_free_ucb"): 5,
        ("newsvendor", "sbo_kde"): 20,
        ("newsvendor", "drbo_kde"): 20,
        ("newsvendor", "context_free_ucb"): 20,
        ("portfolio_normal", "sbo_kde"): 5,
        ("portfolio_normal", "drbo_kde"): 20,
        ("portfolio_normal", "drbo_mmd"): 20,
        ("portfolio_normal", "context_free_ucb"): 5,
    }
    slower = {"drbo_mmd", "drbo_mmd_minimax", "stable_opt"}
    for (problem, method), seeds in found.items():
        usual = 5 if method in slower else 30
        assert len(seeds) == unusual.get((problem, method), usual), (problem, method)


def test_scale_quick_has_drbo_mmd_on_newsvendor_alone(monkeypatch, tmp_path):
    """The controls of readings use DRBO-MMD on newsvendor at scale quick."""
    (tmp_path / "portfolio_evaluations.npz").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    cells = [cell for study in (fig1a, fig1b, fig2) for cell in study.STUDY.cells("quick")]
    for method in ("drbo_mmd", "drbo_mmd_minimax"):
        assert {cell.problem for cell in cells if cell.policy == method} == {"newsvendor"}


def test_portfolio_is_left_out_without_its_data(monkeypatch, tmp_path, caplog):
    """A message says once how to get the data."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path / "cache"))
    benchmarks._say_skipped.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert {cell.problem for cell in fig1b.STUDY.cells("quick")} == {"newsvendor"}
        fig1b.STUDY.cells("quick")
    assert [VARIABLE in record.getMessage() for record in caplog.records] == [True]
    (tmp_path / "portfolio_evaluations.npz").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert {cell.problem for cell in fig1b.STUDY.cells("quick")} == set(fig1b.PROBLEMS)


def test_rounds_at_each_scale(monkeypatch, tmp_path):
    """Figure 1 (a) has those of the public code at scale paper but for the slower peers, Figure 1 (b) on newsvendor
    alone, Figure 2 fewer; below it they are alike."""
    (tmp_path / "portfolio_evaluations.npz").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    for scale, wanted in (
        ("smoke", ({4}, {4}, {4})),
        ("quick", ({25}, {25}, {25})),
        ("paper", ({150, 340}, {150, 340}, {150})),
    ):
        for study, rounds in zip((fig1a, fig1b, fig2), wanted, strict=True):
            assert {cell.options["rounds"] for cell in study.STUDY.cells(scale)} == rounds
    fewer = {(cell.problem, cell.policy) for cell in fig1a.STUDY.cells("paper") if cell.options["rounds"] == 150}
    slow = {(problem, name) for problem in fig1a.PROBLEMS for name in ("drbo_mmd", "drbo_mmd_minimax", "stable_opt")}
    assert fewer == slow - {("context_ackley", "drbo_mmd")}
    longer = {(cell.problem, cell.policy) for cell in fig1b.STUDY.cells("paper") if cell.options["rounds"] == 340}
    assert longer == {("newsvendor", name) for name in ("sbo_kde", "drbo_kde", "context_free_ucb")}


def test_regret_is_that_of_the_expectation_and_rewards_are_observed():
    cell = next(cell for cell in fig1a.STUDY.cells("smoke") if cell.policy == "context_free_ucb")
    arrays = benchmarks.run(dataclasses.replace(cell, problem="newsvendor", options={"rounds": 2}))
    problem = get_context("newsvendor")
    assert arrays["x"].shape == (2, 12, 1)
    assert arrays["context"].shape == (2, 12, 1)
    for seed, step in ((0, 0), (1, 4), (0, 11)):
        x, c = float(arrays["x"][seed, step, 0]), float(arrays["context"][seed, step, 0])
        assert arrays["y"][seed, step] == pytest.approx(9 * min(x, c) + max(0.0, x - c) - 5 * x, abs=1e-5)
        expected = float(problem.optimum) - float(problem.value(jnp.asarray([x])))
        assert arrays["regret"][seed, step] == pytest.approx(expected, abs=1e-5)
    assert np.all(arrays["regret"] >= -1e-9)
    assert not np.array_equal(arrays["context"][0], arrays["context"][1])


def test_arms_of_the_model_differ_by_its_options_only(monkeypatch):
    """The arm of the text is Figure 1; the others share its seeds and rounds."""
    seen = []
    monkeypatch.setattr(benchmarks, "run", lambda cell, **options: seen.append(options))
    cells = model_arms.STUDY.cells("paper")
    for cell in cells:
        model_arms.run(cell)
    assert seen == [model_arms.ARMS[cell.options["arm"]] for cell in cells]
    assert {(cell.seeds, cell.options["rounds"]) for cell in cells} == {(tuple(range(100, 130)), 340)}
    for method in model_arms.METHODS:
        default = benchmarks.make_policy(method, 2, 1)
        assert (default.prior_mean, default.noise_floor) == ("zero", 1e-6)
        assert benchmarks.make_policy(method, 2, 1, **model_arms.ARMS["public_code"]).prior_mean == "fitted"


def test_arms_of_the_public_code_are_cells_of_figure_1_a_but_for_one_option(monkeypatch):
    """Each is paired by problem, method and seed with a cell of the figure."""
    seen = []
    monkeypatch.setattr(benchmarks, "run", lambda cell, **options: seen.append((cell.policy, options)))
    for scale in ("quick", "paper"):
        cells = public_arms.STUDY.cells(scale)
        figure = {(cell.problem, cell.policy, cell.seeds) for cell in fig1a.STUDY.cells("paper")}
        assert len(cells) == 9
        assert {(cell.problem, cell.policy, cell.seeds) for cell in cells} <= figure
        assert {cell.options["rounds"] for cell in cells} == {25 if scale == "quick" else 150}
    for cell in cells:
        public_arms.run(cell)
    boxes = [("stable_opt", {"region": "below"})] * 4 + [("drbo_kde", {"infimum": "reflected"})] * 4
    assert seen == [*boxes, ("drbo_mmd", {"layout": "diagonal"})]
    assert benchmarks.make_policy("stable_opt", 2, 1).region == "around"
    assert benchmarks.make_policy("drbo_kde", 2, 1).infimum == "contexts"
    assert benchmarks.make_policy("drbo_mmd", 2, 2).layout == "grid"


def test_runs_of_full_length_go_on_with_figure_1_a(monkeypatch):
    """Ten seeds of each slower peer, which the other methods have over all rounds there; a fitted mean on Ackley."""
    seen = []
    monkeypatch.setattr(benchmarks, "run", lambda cell, **options: seen.append(options))
    cells = full_length.STUDY.cells("paper")
    for cell in cells:
        full_length.run(cell)
    assert {cell.options["rounds"] for cell in cells} == {340}
    seeds = {}
    for cell in cells:
        seeds.setdefault((cell.problem, cell.policy, cell.options["arm"]), []).extend(cell.seeds)
    assert all(sorted(each) == list(range(100, 110)) for each in seeds.values())
    figure = {
        (cell.problem, cell.policy, seed)
        for cell in fig1a.STUDY.cells("paper")
        if cell.options["rounds"] == 340
        for seed in cell.seeds
    }
    own = {(p, m, seed) for (p, m, arm), each in seeds.items() if arm == "text" for seed in each}
    every = {(p, m, seed) for p in fig1a.PROBLEMS for m in benchmarks.METHODS for seed in range(100, 110)}
    assert every <= own | figure
    assert {(p, m) for p, m, arm in seeds if arm == "fitted_mean"} == {
        ("context_ackley", name) for name in ("sbo_kde", "drbo_kde", "context_free_ucb")
    }
    text = [options for cell, options in zip(cells, seen, strict=True) if cell.options["arm"] == "text"]
    assert text == [{}] * 26
    assert all(options in ({}, {"prior_mean": "fitted"}) for options in seen)


def test_table_1_leaves_out_the_run_that_compiles(monkeypatch):
    """A stand-in for the run takes 0.2 s at its first call and 0.02 s later; the first seed runs twice."""
    seen = []

    def stand_in(policy, problem, keys, evaluations, **options):
        seen.append((keys.shape, evaluations, options["initial_size"], options["design"]))
        time.sleep(0.02 if len(seen) > 1 else 0.2)
        return types.SimpleNamespace(y=jnp.zeros(1))

    monkeypatch.setattr(table1, "simulate", stand_in)
    arrays = table1.run(table1.STUDY.cells("paper")[0])
    assert seen == [((1,), 100, 10, "sobol")] * 11
    assert arrays["seconds"].shape == arrays["cpu_seconds"].shape == (10,)
    assert arrays["first_seconds"] >= 0.2
    assert 0.02 <= np.median(arrays["seconds"]) < 0.15
