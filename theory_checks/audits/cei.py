"""Assumption audit of Paper B: the hypotheses of section 4.3 that hold in each experiment.

The theory assumes a fixed, known kernel with k(x, x) <= 1, f in its RKHS (so continuous, for a continuous kernel),
known noise variances, and, in Lemma 4.1, noise bounded by its own deviation. The audit measures the studies' own code:
the policy's bounds for the prior variance, draws of the noise, the reported variance, and the objective along random
lines. `USAGE` lists the policy and the noise of each study by hand. Compression (Figure 4) is measured on FC3's levels
with the constant error rate 0.1, so that no network is trained.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.models.kernels import STATIONARY
from core.policies.base import Policy
from core.policies.improvement import CorrectedEi
from core.policies.refitted import KNOWN_NOISE_BOUNDS, RefittedPolicy
from experiments import problems
from experiments.cei.benchmarks import ARMS
from experiments.cei.known_kernel import KnownKernel
from experiments.engine.registry import STUDIES
from experiments.problems import ReportedNoise
from experiments.problems.noise import BoundedNoise, GaussianNoise, Noise
from experiments.workloads.compression.dense import NETWORKS
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.ranks import Levels
from theory_checks.audits.boke import JUMP, continuous_objective, largest_jump

DRAWS = 2000
SEED = 5

NOISE: Mapping[str, Noise] = {"gaussian": GaussianNoise(0.1), "bounded": BoundedNoise(0.1, "rademacher")}
"""The noise of the audit. The event that noise exceeds its deviation does not depend on its size. No study uses bounded
noise, which is the comparison."""


@dataclass(frozen=True)
class Usage:
    """The policy class of a study, and its noise."""

    policy: type[Policy]
    noise: str = "gaussian"


USAGE: Mapping[str, Usage] = {
    "cei.fig1": Usage(CorrectedEi),
    "cei.fig2": Usage(CorrectedEi),
    "cei.fig3": Usage(CorrectedEi),
    "cei.fig4": Usage(CorrectedEi, "binomial"),
    "cei.fig4_convolutional": Usage(CorrectedEi, "binomial"),
    "cei.fig4_public": Usage(CorrectedEi, "binomial"),
    "cei.fig6": Usage(KnownKernel),
    "cei.fig7": Usage(CorrectedEi),
    "cei.fig8": Usage(CorrectedEi),
}
"""The studies that optimise. The list leaves out fig5, which draws sample paths, cost, which times single proposals,
and the public code's protocol of Figures 3, 7 and 8, which differs from these studies in the model alone."""


@dataclass(frozen=True)
class Row:
    """One row of the audit: a study, one of its problems, the report of its noise, and the hypotheses that hold."""

    study: str
    problem: str
    noise_reported: str
    kernel_fixed: bool
    prior_variance_at_most: float
    kernel_at_most_one: bool
    noise_within_its_deviation: bool
    noise_variance_known: bool
    objective_continuous: bool


@cache
def compression() -> Compression:
    """The objective of Figure 4 with FC3's levels and a constant error rate."""
    shapes = list(itertools.pairwise(NETWORKS["fc3_digits"].layers))
    return Compression(Levels.of(shapes, others=0), lambda level: jnp.asarray(0.1))


@cache
def continuous_compression() -> bool:
    """True where bisection along the cube's diagonal finds no jump."""
    objective = jax.jit(jax.vmap(compression().value))
    return largest_jump(lambda s: np.asarray(objective(np.repeat(s[:, None], 3, axis=1))), 0.0, 1.0) <= JUMP


@cache
def share_beyond_deviation(noise: str) -> float:
    """The share of draws beyond the noise's standard deviation, which Lemma 4.1 supposes to be zero."""
    keys = jax.random.split(jax.random.key(SEED), DRAWS)
    if noise == "binomial":
        objective, x = compression(), jnp.full(3, 0.3)
        y, variance = jax.jit(jax.vmap(lambda key: objective.observe(key, x)))(keys)
        return float(np.mean(np.abs(np.asarray(y - objective.value(x))) > np.sqrt(np.asarray(variance)) * (1 + 1e-9)))
    model, x = NOISE[noise], jnp.full(2, 0.3)
    draws = np.asarray(jax.jit(jax.vmap(lambda key: model.sample(key, x)))(keys))
    return float(np.mean(np.abs(draws) > math.sqrt(float(model.variance(x))) * (1 + 1e-9)))


@cache
def reports_variance(arm: str) -> bool:
    """True where an arm hands the noise's variance to the model, the same for every draw."""
    problem = ReportedNoise(problems.get("hartmann3").with_relative_noise(0.1), ARMS[arm])
    keys = jax.random.split(jax.random.key(SEED), 20)
    reported = np.asarray(jax.jit(jax.vmap(lambda key: problem.observe(key, jnp.full(3, 0.4))[1]))(keys))
    return bool(np.ptp(reported) == 0.0)


def prior_variance_at_most(policy: type[Policy]) -> float:
    """The largest k(x, x) that the policy's model can have, in the unit of its outputs."""
    return float(KNOWN_NOISE_BOUNDS.variance[1]) if issubclass(policy, RefittedPolicy) else 1.0


@cache
def audit() -> tuple[Row, ...]:
    """One row for each study of `USAGE` and each problem and arm of its cells at scale paper."""
    rows: dict[tuple[str, str, str], Row] = {}
    for study, usage in USAGE.items():
        for cell in STUDIES[study].cells("paper"):
            arm = str(cell.options.get("arm", "known"))
            if (study, cell.problem, arm) in rows:
                continue
            largest = prior_variance_at_most(usage.policy)
            rows[study, cell.problem, arm] = Row(
                study=study,
                problem=cell.problem,
                noise_reported="its variance" if reports_variance(arm) else "its realised square",
                kernel_fixed=not issubclass(usage.policy, RefittedPolicy),
                prior_variance_at_most=largest,
                kernel_at_most_one=largest <= 1.0,
                noise_within_its_deviation=share_beyond_deviation(usage.noise) == 0.0,
                noise_variance_known=reports_variance(arm),
                objective_continuous=(
                    continuous_compression() if usage.noise == "binomial" else continuous_objective(cell.problem)
                ),
            )
    return tuple(rows.values())


def table() -> list[dict[str, Any]]:
    """The rows of `audit()` as plain mappings, for the report."""
    return [asdict(row) for row in audit()]


def kernel_table() -> list[dict[str, Any]]:
    """One mapping for each covariance kernel of `core` at unit variance: bounded by one, continuous at the diagonal,
    and nonnegative (so that sigma tilde^2 <= 2, which the constant of Lemma 4.5 needs)."""
    lags = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-9, 1e3, 400)])
    found = []
    for name, kernel in STATIONARY.items():
        row = jax.vmap(kernel, in_axes=(0, None, None, None))
        values = np.asarray(jax.jit(row)(lags[:, None], jnp.zeros(1), jnp.ones(1), jnp.ones(())))
        found.append(
            {
                "kernel": name,
                "at_most_one": bool(values.max() <= 1.0),
                "continuous_at_the_diagonal": bool(abs(values[1] - values[0]) < 1e-8 and values[0] == 1.0),
                "without_negative_values": bool(values.min() >= 0.0),
            }
        )
    return found
