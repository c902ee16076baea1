"""The programs that are lowered, compared and timed: core's formulas, every policy's proposal, the heavy
studies' runs."""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest import mock

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from core.acquisition.boke import ikr_ucb
from core.acquisition.expected_improvement import log_expected_improvement
from core.acquisition.normal_tails import log_tau
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import SMOOTHING, STATIONARY, SmoothingKernel, squared_exponential
from core.models.large_scale import kernel_regression_and_density
from core.models.regression import kernel_regression
from core.policies import FINITE_SET, REGISTRY, Policy, SearchEffort, contextual, make
from core.runs import whole
from core.search.staged_search import StagedEffort
from core.types import Observations
from core.worst_case.mmd import MmdBall, mmd_worst_case
from core.worst_case.mmd_minimax import Sensitivity, minimax_worst_case
from core.worst_case.total_variation import tv_worst_case

__all__ = ["HEAVY", "Program", "formulas", "policy_of", "proposal", "proposals", "study_run", "study_runs"]

DIM, ROWS, CAPACITY = 2, 12, 16
HEAVY = (
    "uhe.fig2",
    "cei.fig3",
    "boke.fig6",
    "ctx.table1",
    "ctx.fig1a",
    "boke.fig8",
)
"""The studies that run policies whose reference results at scale quick took longest, one a kind of program."""


@dataclass(frozen=True)
class Program:
    """A pure function and its arguments, all arrays.

    Attributes:
        name: of the formula, policy or study.
        kind: "formula", "proposal" or "study".
        function: returns a pytree of arrays.
        arguments: the arguments of the function.
    """

    name: str
    kind: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def _points(count: int, dim: int = DIM, seed: int = 0) -> jax.Array:
    return jnp.asarray(np.random.default_rng(seed).random((count, dim)))


def formulas() -> Iterator[Program]:
    """Formulas of one point, batched by `vmap`, the models below them, and the worst cases."""
    x, queries = _points(ROWS), _points(64, seed=1)
    y = jnp.sin(5.0 * x[:, 0]) + x[:, 1]

    def many(name: str, function: Callable[..., Any], *arguments: Any) -> Program:
        return Program(name, "formula", jax.vmap(function), arguments)

    for smoothing in SMOOTHING.values():
        yield many(f"kernel regression, {smoothing.name}", partial(_regression, x, y, smoothing), queries)
    scale, variance = jnp.full(DIM, 0.3), jnp.asarray(1.0)
    for covariance in STATIONARY.values():
        yield many(f"covariance, {covariance.name}", lambda q, k=covariance: k(q, x[0], scale, variance), queries)
    yield many("IKR-UCB", lambda q: ikr_ucb(q, x, y, 0.2, 1.5), queries)
    yield many("Gaussian process", lambda q: _process(x, y).mean_and_variance(q), queries)
    yield many("log expected improvement", lambda q: log_expected_improvement(q, _process(x, y), x[0]), queries)
    yield many("log tau", log_tau, jnp.linspace(-40.0, 5.0, 64))
    values = _points(8, ROWS, seed=8)
    yield many("total variation", lambda u: tv_worst_case(u, 0.3), values)
    gram = _gram(x)
    ball = MmdBall.of(gram, jnp.full(ROWS, 1.0 / ROWS), 0.2)
    yield many("MMD", lambda u: mmd_worst_case(u, ball), values)
    yield many("MMD, minimax", lambda u: minimax_worst_case(u, ball, Sensitivity.of(gram)), values)
    rows, noise = _points(5_000, seed=2), jnp.asarray(np.random.default_rng(3).normal(size=5_000))
    yield Program("streamed kernel sums", "formula", _streamed, (queries, rows, noise))


def _regression(x: Any, y: Any, kernel: SmoothingKernel, query: Any) -> Any:
    return kernel_regression(query, x, y, 0.2, kernel)


def _process(x: Any, y: Any) -> GaussianProcess:
    return GaussianProcess.fit(x, y, squared_exponential, jnp.full(DIM, 0.3), noise_variance=0.01)


def _gram(x: Any) -> Any:
    scale, variance = jnp.full(DIM, 0.3), jnp.asarray(1.0)
    return jax.vmap(lambda a: jax.vmap(lambda b: squared_exponential(a, b, scale, variance))(x))(x)


def _streamed(queries: Any, rows: Any, values: Any) -> Any:
    return kernel_regression_and_density(queries, rows, values, jnp.asarray(0.1))


def policy_of(name: str, effort: SearchEffort) -> Policy:
    """A policy with little to search, but every part of it."""
    if name in FINITE_SET:
        options = {"bandwidth": 0.2, "noise_scale": 0.3} if name == "finite_boke" else {}
        return FINITE_SET[name](_points(4, seed=4), **options)
    small: dict[str, Any] = {
        "effort": effort,
        "fit_starts": 2,
        "burn_in": 20,
        "draws": 4,
        "leapfrog_steps": 2,
        **({"stages": StagedEffort(polished=1), "grid": 24, "samples": 24} if contextual(name) else {}),
    }
    taken = inspect.signature(REGISTRY[name].__init__).parameters
    return make(name, DIM, **{option: value for option, value in small.items() if option in taken})


def proposal(name: str, effort: SearchEffort | None = None) -> Program:
    """init, update and propose of a policy on twelve observations."""
    policy = policy_of(name, effort or SearchEffort.of(DIM, raw_candidates=64, starts=2, max_steps=60))
    x = _points(ROWS, seed=5)
    if name in FINITE_SET:
        x = _points(4, seed=4)[jnp.arange(ROWS) % 4]
    y = jnp.sin(6.0 * x[:, 0]) * jnp.cos(3.0 * x[:, 1])
    context = _points(ROWS, 1, seed=6) if contextual(name) else jnp.zeros((ROWS, 0))
    observations = Observations.of(x, y, context, capacity=CAPACITY)

    def propose(key: jax.Array, observed: Observations) -> Any:
        query, _, info = policy.propose(key, policy.update(policy.init(key), observed), observed)
        return {"query": query, **info}

    return Program(name, "proposal", propose, (jax.random.key(7), observations))


def proposals() -> Iterator[Program]:
    """Every policy of the registry, and those of a finite set."""
    return (proposal(name) for name in (*REGISTRY, *FINITE_SET))


class _CapturedError(Exception):
    """Ends a study's cell once its run is known."""


def study_run(study: str) -> Program:
    """The compiled run in the first cell of a study at scale smoke.

    Raises:
        ValueError: the cell makes no run by :func:`core.simulate.simulate`.
    """
    paper, name = study.split(".")
    found = importlib.import_module(f"experiments.{paper}.{name}").STUDY
    caught: list[tuple[Any, ...]] = []

    def capture(*arguments: Any) -> None:
        caught.append(arguments)
        raise _CapturedError

    with mock.patch.multiple(sys.modules["core.simulate"], whole=capture, step_by_step=capture):
        for cell in found.cells("smoke"):
            try:
                found.run(cell)
            except _CapturedError:
                break
    if not caught:
        raise ValueError(f"{study} makes no run of a policy")
    arrays, rest = eqx.partition(caught[0], eqx.is_array)
    return Program(study, "study", lambda given: whole(*eqx.combine(given, rest)), (arrays,))


def study_runs() -> Iterator[Program]:
    """The heavy studies'."""
    return (study_run(study) for study in HEAVY)
