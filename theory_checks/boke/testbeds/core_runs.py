"""`core`'s policies on the continuous cube, with a kernel of Assumption 3 as in the theorems of section 4.2."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from core.designs import seed_keys
from core.models.density import fill_distance
from core.policies.base import Policy, SearchEffort
from core.policies.boke import Boke, BokePlus
from core.policies.exploration import DensityExploration
from core.simulate import simulate
from theory_checks.boke.testbeds.compact_kernels import packing_bound
from theory_checks.boke.testbeds.grid_boke import grid_of
from theory_checks.scales import ByScale

SEEDS = ByScale(4, 30, 300)
BANDWIDTH = 0.3
CANDIDATES = 1024
STARTS = ByScale(0, 0, 8)
"""The number of candidates that BFGS refines: 0 where compiling BFGS costs more than the run."""
DIMENSIONS = ByScale((1,), (2,), (1, 2))
"""The dimensions; BOKE+ needs several times as many steps and runs in d = 1 alone."""
INITIAL = 2
MEASURED = {1: 1001, 2: 81}
"""Points a side of the grid on which the fill distance is measured."""
POLICIES = {"boke": Boke, "boke_plus": BokePlus, "density_exploration": DensityExploration}


class Cone(eqx.Module):
    """f(x) = -||x - (1, ..., 1)||, Lipschitz with L = 1, observed with Gaussian noise of deviation 0.1."""

    dim: int = eqx.field(static=True)

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Noise-free value."""
        return -jnp.sqrt(jnp.sum((x - 1.0) ** 2))

    def observe(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Noisy value and the variance of its noise."""
        return self.value(x) + 0.1 * jax.random.normal(key), jnp.asarray(0.01)


def core_fill(
    scale: str, policy: str, radius: float = 1.0, steps: Callable[[int], int] = lambda explorations: explorations
) -> tuple[list[str], dict[str, dict[str, float]]]:
    """(failures, numbers): fill distance and simple regret of core's policy after `steps(packing bound)` queries."""
    failures, numbers = [], {}
    for dim in (1,) if policy == "boke_plus" else DIMENSIONS[scale]:
        budget = INITIAL + steps(packing_bound(BANDWIDTH, dim))
        effort = SearchEffort.of(dim, CANDIDATES, starts=STARTS[scale])
        method: Policy = POLICIES[policy](dim, kernel="epanechnikov", rule="fixed", bandwidth=BANDWIDTH, effort=effort)
        runs = simulate(method, Cone(dim), seed_keys(range(SEEDS[scale])), budget, initial_size=INITIAL)
        candidates = jnp.asarray(grid_of(MEASURED[dim], dim))
        fill = np.asarray(jax.vmap(lambda x, c=candidates: fill_distance(c, x))(runs.x))
        regret = np.asarray(runs.simple_regret(0.0))[:, -1]
        spacing = np.sqrt(dim) * CANDIDATES ** (-1 / dim)
        allowed = radius * BANDWIDTH + spacing
        numbers[f"d={dim}"] = {
            "seeds": len(fill),
            "steps": budget,
            "largest_fill_over_Rh": float(fill.max() / BANDWIDTH),
            "largest_regret_over_LRh": float(regret.max() / BANDWIDTH),
        }
        if fill.max() > allowed:
            failures.append(f"core's {policy}, d={dim}: fill distance {fill.max() / BANDWIDTH:.3f} R h")
        if policy != "density_exploration" and regret.max() > allowed:
            failures.append(f"core's {policy}, d={dim}: r* = {regret.max() / BANDWIDTH:.3f} L R h")
    return failures, numbers
