"""On a finite decision set BOKE with small bandwidths makes the choices of UCB1.

W_t(x) is then the number n of visits of x, m_t(x) the mean reward, and with M_Psi = 1 the index is the mean plus sqrt(4
s^2 log t / n): UCB1 with the constant 4 s^2 under the root. Assumption 4 allows every sub-Gaussian parameter s, not the
smallest alone. Rewards in [0, 1] have the parameter s = 1/2, hence also s = 1/sqrt(2), with which 4 s^2 is the constant
2 of Auer et al. (2002). With s = 1/2 the constant is 1, and the choices are others.
"""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from core.designs import seed_keys
from core.models.kernels import SMOOTHING
from core.policies.finite import FiniteBoke, Ucb1
from core.simulate import simulate
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale

ARMS, DIM = 6, 2
SEEDS = ByScale(4, 16, 128)
BANDITS = ByScale(2, 8, 32)
STEPS = ByScale(40, 100, 200)
NOISES = (0.0, 0.1, 0.5, 2.0)
SMALL = {"epanechnikov": 0.99, "gaussian": 1 / 60}
"""h over the smallest distance of two sites, by kernel; exp(-60^2 / 2) is below every positive double."""
AUERS_NOISE = 0.5
"""The noise at which BOKE is also compared with UCB1 as Auer et al. have it, for rewards in [0, 1] (s = 1/2)."""
SEED = 20258


class BanditObjective(eqx.Module):
    """An objective with the mean of the nearest arm, and Gaussian noise."""

    arms: jax.Array
    means: jax.Array
    noise: jax.Array
    dim: int = eqx.field(static=True)

    def value(self, x: jax.Array) -> jax.Array:
        """Mean reward at x."""
        return self.means[jnp.argmin(jnp.sum((self.arms - x[None, :]) ** 2, axis=1))]

    def observe(self, key: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Reward and noise variance."""
        return self.value(x) + self.noise * jax.random.normal(key), self.noise**2


@claim(
    id="boke.ucb1_limit",
    rule=f"""`core`'s finite-set BOKE and UCB1 on the same noise: {BANDITS} random bandits of {ARMS} arms (every other
        one with tied means), noise {NOISES}, {SEEDS} seeds, {STEPS} steps at smoke / quick / paper, an Epanechnikov
        kernel with h just below the smallest distance of two sites and a Gaussian one with h a sixtieth of it. s is the
        noise (0.1 without noise) and, at noise {AUERS_NOISE}, also 1/sqrt(2), another parameter of it, with which 4 s^2
        is Auer's constant 2. Refuted if one choice differs from those of UCB1 with 4 s^2, otherwise supported.""",
    control={"exploration": 2.0},
    control_statement="The limit is UCB1 with Auer's constant, sqrt(2 log t / n), at every noise scale.",
)
def ucb1_limit(scale: str, *, exploration: float | None = None) -> Evidence:
    """Compares the choices one by one, and reports runs with a wide bandwidth and with the smallest parameter."""
    rng = np.random.default_rng(SEED)
    keys, steps = seed_keys(range(SEED, SEED + SEEDS[scale])), STEPS[scale]
    compared, differing, tried = 0, [], []
    auer: list[float] = []
    for index in range(BANDITS[scale]):
        arms = rng.random((ARMS, DIM))
        means = rng.integers(0, 3, ARMS) / 2 if index % 2 else rng.random(ARMS)
        noise = NOISES[index % len(NOISES)] if scale != "smoke" else NOISES[2 * index]
        objective = BanditObjective(jnp.asarray(arms), jnp.asarray(means), jnp.asarray(noise), DIM)
        smallest = max(noise, 0.1)  # every s > 0 is a parameter where there is no noise
        parameters = [smallest, math.sqrt(0.5)] if noise == AUERS_NOISE else [smallest]

        def choices(policy: FiniteBoke | Ucb1, objective: BanditObjective = objective) -> np.ndarray:
            return np.asarray(simulate(policy, objective, keys, steps, initial_size=1).info["arm"])

        made = []
        for parameter in parameters:
            constant = 4 * parameter**2 if exploration is None else exploration
            run = simulate(Ucb1(jnp.asarray(arms), exploration=constant), objective, keys, steps, initial_size=1)
            sites = np.asarray(run.x[:, 0])
            expected = np.asarray(run.info["arm"])
            made.append(expected)
            gaps = np.linalg.norm(arms[:, None] - np.concatenate([arms, sites])[None], axis=-1)
            closest = float(np.min(gaps[gaps > 0]))
            for kernel, fraction in SMALL.items():
                if kernel == "gaussian" and scale == "smoke":
                    continue
                policy = FiniteBoke(
                    jnp.asarray(arms), bandwidth=fraction * closest, noise_scale=parameter, kernel=SMOOTHING[kernel]
                )
                chosen = choices(policy)
                compared += len(chosen)
                if np.any(chosen != expected):
                    first = int(np.argmax(np.any(chosen != expected, axis=0)))
                    runs = int(np.any(chosen != expected, 1).sum())
                    place = {"bandit": index, "kernel": kernel, "noise": noise, "parameter": parameter}
                    differing.append({**place, "runs": runs, "first_step": first})
        wide = FiniteBoke(jnp.asarray(arms), bandwidth=0.8, noise_scale=smallest, kernel=SMOOTHING["epanechnikov"])
        tried.append(np.mean([len(set(row)) for row in choices(wide)]))
        if len(made) > 1:
            auer.append(float(np.mean(np.all(made[0] == made[1], axis=1))))
    numbers = {
        "sequences": compared,
        "steps": steps - 1,
        "differing": differing,
        "share_equal_to_auers_constant_with_s_a_half": float(np.mean(auer)),
        "arms": ARMS,
        "arms_tried_with_wide_bandwidth": float(np.mean(tried)),
    }
    if differing:
        worst = differing[0]
        summary = (
            f"{worst['kernel']}: {worst['runs']} of {len(keys)} runs differ, the first at step {worst['first_step']}"
        )
        return Evidence(Verdict.REFUTED, summary, numbers)
    summary = (
        f"{compared} sequences of {steps - 1} choices are those of UCB1 with the constant 4 s^2, which is Auer's "
        f"constant 2 for s = 1/sqrt(2), a parameter of noise {AUERS_NOISE}. With the smallest parameter there, s = "
        f"1/2, {np.mean(auer):.0%} of the sequences are those with Auer's constant. With h = 0.8 BOKE tries "
        f"{np.mean(tried):.1f} of {ARMS} arms."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
