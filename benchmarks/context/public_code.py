"""The authors' public code against our policies: the same data, hence the same posterior, acquisition and proposal?

`python -m benchmarks.context.public_code CLONE`, with a clone of github.com/lamda-bbo/sbokde, and torch, botorch and
cvxpy installed. The clone's acquisitions are loaded as they are. The module replaces the parts that no longer run: its
optimisers log to a web service; its model is the default of BoTorch 0.9, written out here (constant mean, Matern-5/2
with Gamma priors, noise variances of at least 1e-4), since today's default is another; and all pairs of decisions and
contexts are one joint posterior, for which 256 contexts, and decisions a few at a time, fit into memory. Its outputs
are standardised by the sample deviation (n - 1); here both sides have ours. Its infimum over contexts is drawn anew at
every call, from another box: its worst case is given ours.
"""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.context.measure import Ackley
from benchmarks.peer import seeded, tensor
from core.acquisition.context_ucb import ContextUcb
from core.designs import seed_keys
from core.models.standardized import standardized
from core.policies import make
from core.policies.context_kde import DrboKde, SboKde, total_variation_radius
from core.simulate import simulate
from core.types import Observations

__all__ = ["agreement"]

COUNTS = (12, 20, 35)
POINTS, WORST_CASES = 256, 8
RAW_CANDIDATES, STARTS, TOGETHER = 256, 6, 4
PUBLIC: dict[str, Any] = {"context_dim": 1, "samples": 256, "prior_mean": "fitted", "noise_floor": 1e-4}


def _acquisitions(clone: Path) -> Any:
    spec = importlib.util.spec_from_file_location("public_acquisition", clone / "kdesbo" / "Acquisition.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _model(z: np.ndarray, y: np.ndarray) -> Any:
    """`SingleTaskGP(z, y)` as BoTorch 0.9 builds it."""
    from botorch.models import SingleTaskGP
    from gpytorch.constraints import GreaterThan
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.likelihoods import GaussianLikelihood
    from gpytorch.priors import GammaPrior

    kernel = MaternKernel(nu=2.5, ard_num_dims=z.shape[1], lengthscale_prior=GammaPrior(3.0, 6.0))
    return SingleTaskGP(
        tensor(z),
        tensor(y)[:, None],
        likelihood=GaussianLikelihood(
            noise_prior=GammaPrior(1.1, 0.05), noise_constraint=GreaterThan(1e-4, transform=None, initial_value=2.0)
        ),
        covar_module=ScaleKernel(kernel, outputscale_prior=GammaPrior(2.0, 0.15)),
        outcome_transform=None,
        input_transform=None,
    ).to(tensor(0.0))


def _fit(model: Any) -> np.ndarray:
    """Fits the model; returns lengthscales, variance, noise variance, constant mean."""
    from botorch.fit import fit_gpytorch_mll
    from gpytorch.mlls import ExactMarginalLogLikelihood

    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    model.eval()
    kernel = model.covar_module
    parts = (kernel.base_kernel.lengthscale, kernel.outputscale, model.likelihood.noise, model.mean_module.constant)
    return np.concatenate([part.detach().numpy().ravel() for part in parts])


def _posterior(model: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    import torch

    with torch.no_grad():
        found = model.posterior(tensor(points)[:, None, :])
        return found.mean.numpy().ravel(), found.variance.numpy().ravel()


def _maximize(function: Any) -> np.ndarray:
    """The place where `optimize_acqf` finds the largest value on the unit square."""
    from botorch.optim import optimize_acqf

    point, _ = optimize_acqf(
        function,
        bounds=tensor([[0.0, 0.0], [1.0, 1.0]]),
        q=1,
        num_restarts=STARTS,
        raw_samples=RAW_CANDIDATES,
        options={"batch_limit": TOGETHER, "init_batch_limit": TOGETHER},
    )
    found: np.ndarray = point.detach().numpy()[0]
    return found


def agreement(clone: Path, observations: Observations, seed: int) -> dict[str, Any]:
    """Largest differences on one data set, in standard units of the outputs.

    Posterior mean and deviation at random points; the averaged bound at random decisions; the worst case over the ball
    of total variation; and, of the acquisition's range over random decisions, by how much our proposal's averaged bound
    falls short of theirs (negative where ours is higher).
    """
    public, key, random = _acquisitions(clone), jax.random.key(seed), np.random.default_rng(seed)
    sbo, drbo = SboKde(2, **PUBLIC), DrboKde(2, **PUBLIC)
    state = eqx.filter_jit(sbo.update)(sbo.init(key), observations)
    posterior = eqx.filter_jit(sbo.posterior)(state, observations)
    process = posterior.process
    data = standardized(sbo.joint(observations))
    count = int(observations.count)
    shift = float((posterior.offset - jnp.mean(observations.y[:count])) / posterior.scale)

    with seeded(seed):
        model = _model(np.asarray(data.x)[:count], np.asarray(data.y)[:count])
        theirs = _fit(model)
        ours = np.append(np.asarray(state.to_vector()), shift)
        points = random.random((POINTS, 3))
        mean, deviation = jax.vmap(process.mean_and_deviation)(jnp.asarray(points))
        their_mean, their_variance = _posterior(model, points)

        sample = sbo.sample(jax.random.split(key)[0], observations)
        at_sample = ContextUcb.of(process, sample, sbo.root_beta)
        average = jax.jit(jax.vmap(lambda x: jnp.mean(at_sample(x))))
        decisions = random.random((POINTS, 2))
        averages = np.asarray(average(jnp.asarray(decisions))) + shift
        bound = public.KDE_UCB(model, beta=tensor(1.5), kde_samples=tensor(sample))
        their_averages = np.concatenate(
            [bound(tensor(few)[:, None, :]).detach().numpy() for few in np.split(decisions, POINTS // TOGETHER)]
        )

        fine = drbo.objectives(jax.random.split(key)[0], process, observations).fine
        lattice = ContextUcb.of(process, jnp.concatenate([sample, drbo.lattice]), sbo.root_beta)
        few = jnp.asarray(decisions[:WORST_CASES])
        worst = np.asarray(jax.lax.map(fine, few)) + shift
        lowest = np.asarray(jax.lax.map(lambda x: jnp.min(lattice(x)), few)) + shift
        radius = float(total_variation_radius(observations.count, 1))
        ball = public.KDE_DRBO_UCB(model, tensor(1.5), radius, tensor(sample), tensor([[0.0], [1.0]]))
        their_worst = [float(ball._calculate_cvx(tensor(x), tensor(low))) for x, low in zip(few, lowest, strict=True)]

        proposal = np.asarray(eqx.filter_jit(sbo.propose)(key, state, observations)[0])
        their_proposal = _maximize(bound)
    found = np.asarray(average(jnp.asarray([proposal, their_proposal])))
    return {
        "count": count,
        "hyperparameters": {"ours": ours.round(5).tolist(), "theirs": theirs.round(5).tolist()},
        "mean": float(np.max(np.abs(np.asarray(mean) + shift - their_mean))),
        "deviation": float(np.max(np.abs(np.asarray(deviation) - np.sqrt(their_variance)))),
        "averaged bound": float(np.max(np.abs(averages - their_averages))),
        "worst case": float(np.max(np.abs(worst - their_worst))),
        "proposals apart": float(np.max(np.abs(proposal - their_proposal))),
        "shortfall": float((found[1] - found[0]) / np.ptp(averages)),
    }


def main(arguments: list[str]) -> int:
    """Prints a line a data set: random decisions on Ackley, two dimensions and one context."""
    if len(arguments) != 1:
        print("usage: python -m benchmarks.context.public_code CLONE", file=sys.stderr)
        return 2
    run = simulate(make("random_search", 2), Ackley(), seed_keys((100,)), COUNTS[-1], design="sobol")
    for count in COUNTS:
        x, y, context = (part[0, :count] for part in (run.x, run.y, run.context))
        print(json.dumps(agreement(Path(arguments[0]), Observations.of(x, y, context, capacity=COUNTS[-1]), count)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
