"""Table 2 (appendix E): int |p^ - p| after n contexts of the Hartmann problem, normal and complicated distribution.

The paper says neither over which set it integrates nor whether contexts are clipped to [0, 1] before p^ is fitted. The
study computes all four readings from the same draws; p is the density before clipping. The integral is a trapezoidal
sum over a fine grid of [0, 1], tails to |c| = 1e6 on a geometric grid, and, on the whole line, 41 points about every
context, so that no kernel far out is missed.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from scipy import stats

from core.models.context_density import ContextDensity
from experiments.engine.study import Cell, Study

COUNTS = (10, 100, 200, 300)
"""The numbers of contexts seen; smaller sets are the first contexts of the largest set."""
RUNS = {"smoke": 10, "quick": 60, "paper": 400}
VARIANTS = tuple(f"{domain}, {contexts}" for domain in ("line", "box") for contexts in ("as drawn", "clipped"))
"""The readings: the set of integration, and the contexts that the methods get."""

NORMAL = ((0.5, 0.1, "normal"),)
COMPLICATED = (
    (0.1, 0.02, "normal"),
    (0.3, 0.075, "normal"),
    (0.4, 0.1, "normal"),
    (0.5, 0.1, "normal"),
    (0.7, 0.075, "normal"),
    (0.8, 0.03, "normal"),
    (0.2, 0.02, "cauchy"),
    (0.8, 0.02, "cauchy"),
)
"""The location, scale and family of each component; all weights are equal."""
DISTRIBUTIONS = {"normal": NORMAL, "complicated": COMPLICATED}

_FAMILY = {"normal": stats.norm, "cauchy": stats.cauchy}
_INSIDE = np.linspace(0.0, 1.0, 2001)
_OUTSIDE = np.concatenate([np.linspace(0.0, 1.0, 501)[1:], np.geomspace(1.0, 1e6, 300)[1:]])
_GRID = np.concatenate([-_OUTSIDE[::-1], _INSIDE, 1.0 + _OUTSIDE])
_AROUND = np.linspace(-6.0, 6.0, 41)


def density(name: str, c: np.ndarray) -> np.ndarray:
    """p(c) before clipping."""
    parts = [_FAMILY[family].pdf(c, place, scale) for place, scale, family in DISTRIBUTIONS[name]]
    return np.asarray(np.mean(parts, axis=0))


def draw(name: str, seed: int, count: int) -> np.ndarray:
    """`count` contexts before clipping."""
    rng, parts = np.random.default_rng(seed), DISTRIBUTIONS[name]
    chosen = rng.integers(len(parts), size=count)
    noise = {"normal": rng.standard_normal(count), "cauchy": rng.standard_cauchy(count)}
    return np.array([parts[j][0] + parts[j][1] * noise[parts[j][2]][i] for i, j in enumerate(chosen)])


@jax.jit
def _estimate(contexts: Float[Array, " n"], mask: Bool[Array, " n"], places: Float[Array, " g"]) -> Float[Array, " g"]:
    """p^ at the places, from the contexts in use."""
    return jax.vmap(ContextDensity.fit(contexts[:, None], mask).density)(places[:, None])


def distance(name: str, contexts: np.ndarray, count: int, domain: str) -> float:
    """int |p^ - p| over the "line" or the "box", p^ from the first `count` contexts (n,)."""
    mask = np.arange(len(contexts)) < count
    places = _INSIDE
    if domain == "line":
        width = max(float(contexts[:count].std()) * (4 / 3 / count) ** 0.2, 1e-6)
        places = np.sort(np.concatenate([_GRID, (contexts[:, None] + width * _AROUND).ravel()]))
    gap = np.asarray(_estimate(jnp.asarray(contexts), jnp.asarray(mask), jnp.asarray(places))) - density(name, places)
    return float(np.trapezoid(np.abs(gap), places))


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `distance` (runs, counts, variants), `count` (counts,)."""
    found = np.empty((len(cell.seeds), len(COUNTS), len(VARIANTS)))
    for i, seed in enumerate(cell.seeds):
        drawn = draw(cell.problem, seed, COUNTS[-1])
        for k, variant in enumerate(VARIANTS):
            domain, contexts = variant.split(", ")
            given = np.clip(drawn, 0.0, 1.0) if contexts == "clipped" else drawn
            found[i, :, k] = [distance(cell.problem, given, count, domain) for count in COUNTS]
    return {"distance": found, "count": np.array(COUNTS)}


STUDY = Study(
    __name__,
    title="Distance of the estimated from the true context density",
    caption=(
        "Mean of the integral of |p̂ − p| after 10 to 300 contexts, under the normal and the complicated distribution "
        "of "
        "the Hartmann problems; over the line or the box, with contexts as drawn or clipped."
    ),
    cells=lambda scale: [Cell(name, "kernel_density", tuple(range(100, 100 + RUNS[scale]))) for name in DISTRIBUTIONS],
    run=run,
)
