"""On a finite decision set BOKE with small bandwidths makes the choices of UCB1."""

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
        kernel with h just below the smallest distance of two sites and a Gaussian one with h a sixtieth of it. Refuted
        if one choice differs from those of UCB1 with 4 s^2. Otherwise depends, if at noise 0.5 (s = 1/2) a choice
        differs from those with Auer's constant, and supported if none does.""",
    control={"exploration": 2.0},
    control_statement="The limit is UCB1 with Auer's constant, sqrt(2 log t / n), at every noise scale.",
)
def ucb1_limit(scale: str, *, exploration: float | None = None) -> Evidence:
    """Compares the choices one by one, and reports runs with a wide bandwidth and with Auer's constant."""
    rng = np.random.default_rng(SEED)
    keys, steps = seed_keys(range(SEED, SEED + SEEDS[scale])), STEPS[scale]
    compared, differing, tried = 0, [], []
    auer: list[float] = []
    for index in range(BANDITS[scale]):
        arms = rng.random((ARMS, DIM))
        means = rng.integers(0, 3, ARMS) / 2 if index % 2 else rng.random(ARMS)
        noise = NOISES[index % len(NOISES)] if scale != "smoke" else NOISES[2 * index]
        objective = BanditObjective(jnp.asarray(arms), jnp.asarray(means), jnp.asarray(noise), DIM)
        parameter = max(noise, 0.1)  # every s > 0 is a parameter where there is no noise
        constant = 4 * parameter**2 if exploration is None else exploration

        def choices(policy: FiniteBoke | Ucb1, objective: BanditObjective = objective) -> np.ndarray:
            return np.asarray(simulate(policy, objective, keys, steps, initial_size=1).info["arm"])

        run = simulate(Ucb1(jnp.asarray(arms), exploration=constant), objective, keys, steps, initial_size=1)
        sites = np.asarray(run.x[:, 0])
        expected = np.asarray(run.info["arm"])
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
                differing.append(
                    {
                        "bandit": index,
                        "kernel": kernel,
                        "noise": noise,
                        "runs": int(np.any(chosen != expected, 1).sum()),
                    }
                    | {"first_step": first}
                )
            if kernel == "epanechnikov":
                wide = FiniteBoke(jnp.asarray(arms), bandwidth=0.8, noise_scale=parameter, kernel=SMOOTHING[kernel])
                tried.append(np.mean([len(set(row)) for row in choices(wide)]))
        if parameter == 0.5 and exploration is None:
            other = choices(Ucb1(jnp.asarray(arms), exploration=2.0))
            auer.append(float(np.mean(np.all(other == expected, axis=1))))
    numbers = {
        "sequences": compared,
        "steps": steps - 1,
        "differing": differing,
        "share_equal_to_auers_constant": float(np.mean(auer)) if auer else None,
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
        f"{compared} sequences of {steps - 1} choices are identical under the constant 4 s^2. With h = 0.8 BOKE tries "
        f"{np.mean(tried):.1f} of {ARMS} arms"
    )
    if auer and np.mean(auer) < 1:
        summary = f"{summary}. With Auer's constant {np.mean(auer):.0%} of the sequences at noise 0.5 are the same."
        return Evidence(Verdict.DEPENDS, summary, numbers)
    return Evidence(Verdict.SUPPORTED, summary, numbers)
