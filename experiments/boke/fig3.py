"""Figure 3: fill distance against the number of points, of density exploration and other space-filling designs.

Sequential designs (one sequence a seed, its first t points at every t):

* `density_exploration`: A (12) with Scott's rule and its own constant. The paper gives the bandwidth of section 5 to
  BOKE, BOKE+ and KR-UCB, and none to this figure, so that the default of these three is not carried over;
* `density_exploration_small` (ours): the same with `SMALL` of that constant, which the paper does not print;
* `density_exploration_spacing` (ours): A (12) with a bandwidth that shrinks as the spacing of t points does,
  h_t = `SPACING` t^(-1/d);
* `gp_exploration`: the point of largest posterior variance (P-greedy), Matérn-5/2;
* `uniform`: independent uniform points;
* `sobol`: one scrambled Sobol' sequence (ours).

`lhs` is not a sequence: at every t a new Latin hypercube of exactly t points is drawn. Density and variance exploration
start from one uniform point.

The fill distance A (13) is exact in one dimension. In more it is the maximum over a grid of n^d points that holds the
corners, which falls short of the supremum by at most half a cell's diagonal, √d / (2 (n − 1)): stored as `resolution`.
"""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy.stats import qmc

from core import policies
from core.designs import seed_keys
from core.models.bandwidth import RULES
from core.policies.base import Info, Policy, State
from core.policies.constants import EXPLORATION_BANDWIDTH
from core.policies.exploration import DensityExploration
from core.simulate import simulate
from core.types import Observations
from experiments import problems
from experiments.engine.study import Cell, Study

__all__ = ["SMALL", "SPACING", "STUDY", "SpacingExploration", "candidate_grid", "fill_distances", "run"]

SMALL = 0.1
"""The constant of `density_exploration_small`, in units of our constant."""

SPACING = 0.5
"""The bandwidth h_t of `density_exploration_spacing`, in units of t^(-1/d), the side of a cube that holds one point of
t."""

DIMENSIONS = {"smoke": (2,), "quick": (1, 2, 3, 4), "paper": (1, 2, 3, 4)}
SEEDS = {"smoke": 2, "quick": 10, "paper": 100}
LARGEST_T = {"smoke": 20, "quick": 64, "paper": 200}
TIMES = 24
"""The number of t, log-spaced and rounded, at which the fill distance is computed."""

GRID_SIDE = {2: 256, 3: 41, 4: 18}
POLICIES = (
    "density_exploration",
    "density_exploration_small",
    "density_exploration_spacing",
    "gp_exploration",
    "uniform",
    "lhs",
    "sobol",
)


class SpacingExploration(Policy):
    """Density exploration, A (12), with h_t = `SPACING` t^(-1/d)."""

    dim: int = eqx.field(static=True)
    fixed: DensityExploration

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.fixed = DensityExploration(dim, bandwidth=SPACING, rule=RULES["fixed"])

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The point of smallest density at the current bandwidth."""
        bandwidth = SPACING * jnp.asarray(observations.count, float) ** (-1.0 / self.dim)
        now = eqx.tree_at(lambda policy: policy.bandwidth, self.fixed, bandwidth)
        return now.propose(key, state, observations)


def times(scale: str) -> np.ndarray:
    """The numbers of points t, increasing."""
    return np.unique(np.round(np.geomspace(1, LARGEST_T[scale], TIMES)).astype(int))


def candidate_grid(dim: int) -> tuple[np.ndarray, float]:
    """A grid (m, d) of the unit cube with its corners, and a bound on A (13) minus the maximum over the grid."""
    side = GRID_SIDE[dim]
    axes = np.meshgrid(*[np.linspace(0.0, 1.0, side)] * dim, indexing="ij")
    return np.stack([axis.ravel() for axis in axes], axis=1), float(np.sqrt(dim) / (2 * (side - 1)))


def fill_distances(points: np.ndarray, counts: np.ndarray, grid: np.ndarray | None) -> np.ndarray:
    """The fill distance, A (13), of the first t of `points` (n, d) for every t in `counts` (increasing).

    With a grid (m, d) the value is the maximum over the grid's points. Without a grid d = 1 and the value is exact: the
    largest of the two distances to the ends of [0, 1] and of half the largest gap.
    """
    if grid is None:
        ordered = [np.sort(points[:count, 0]) for count in counts]
        return np.array([max(x[0], 1.0 - x[-1], 0.5 * np.max(np.diff(x), initial=0.0)) for x in ordered])
    squared, found, columns = np.full(len(grid), np.inf), [], np.ascontiguousarray(grid.T)
    for index in range(counts[-1]):
        distance = (columns[0] - points[index, 0]) ** 2
        for axis in range(1, points.shape[1]):
            distance += (columns[axis] - points[index, axis]) ** 2
        np.minimum(squared, distance, out=squared)
        if index + 1 in counts:
            found.append(np.sqrt(squared.max()))
    return np.array(found)


def _policy(name: str, dim: int) -> Policy:
    """The exploring policy behind a design's name."""
    if name == "density_exploration_spacing":
        return SpacingExploration(dim)
    if name == "density_exploration_small":
        return DensityExploration(dim, bandwidth=SMALL * EXPLORATION_BANDWIDTH)
    return policies.make(name, dim)


def _explored(cell: Cell, dim: int, count: int) -> np.ndarray:
    """Sequences (s, T, d) of an exploring policy, from one uniform point; the objective plays no part."""
    policy = _policy(cell.policy, dim)
    objective = problems.get(f"sphere{dim}")
    return np.asarray(simulate(policy, objective, seed_keys(cell.seeds), count, initial_size=1, design="uniform").x)


def _sampler(policy: str) -> Callable[[np.random.Generator, int, int], np.ndarray]:
    """Function (generator, points, dimension) that draws one design."""
    return {
        "uniform": lambda rng, count, dim: rng.random((count, dim)),
        "lhs": lambda rng, count, dim: qmc.LatinHypercube(dim, rng=rng).random(count),
        "sobol": lambda rng, count, dim: qmc.Sobol(dim, rng=rng).random_base2(int(np.ceil(np.log2(count))))[:count],
    }[policy]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `t` (k,), `fill_distance` (s,k), `resolution` ()."""
    dim, counts = int(cell.options["dim"]), times(cell.scale)
    grid, resolution = (None, 0.0) if dim == 1 else candidate_grid(dim)
    if cell.policy in ("uniform", "lhs", "sobol"):
        draw = _sampler(cell.policy)
        rows = []
        for seed in cell.seeds:
            rng = np.random.default_rng([seed, dim])
            if cell.policy == "lhs":
                single = [fill_distances(draw(rng, int(t), dim), np.array([t]), grid) for t in counts]
                rows.append(np.concatenate(single))
            else:
                rows.append(fill_distances(draw(rng, int(counts[-1]), dim), counts, grid))
    else:
        sequences = _explored(cell, dim, int(counts[-1]))
        rows = [fill_distances(points, counts, grid) for points in sequences]
    return {"t": counts, "fill_distance": np.stack(rows), "resolution": np.asarray(resolution)}


def cells(scale: str) -> list[Cell]:
    """One cell a dimension and design."""
    return [
        Cell(f"d{dim}", policy, tuple(range(SEEDS[scale])), {"dim": dim})
        for dim in DIMENSIONS[scale]
        for policy in POLICIES
    ]


STUDY = Study(
    __name__,
    title="Fill distance of space-filling designs",
    caption=(
        "Fill distance against the number of points t, both axes logarithmic, d = 1 to 4: density exploration with "
        "Scott's rule, with a tenth of its constant and with a bandwidth of half the spacing, GP-variance exploration, "
        "uniform sampling, Latin hypercubes (a new one for every t) and a scrambled Sobol' sequence."
    ),
    cells=cells,
    run=run,
)
