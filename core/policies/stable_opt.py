"""StableOpt: the worst case over a box of likely contexts.

Source: Bogunovic, Scarlett, Jegelka & Cevher (2018), "Adversarially Robust Optimization with Gaussian Processes", as
configured in appendix B.1 of the SBO-KDE paper: ``argmax_x min_{c in C_t} ucb_t(x, c)``, C_t the box of the observed
contexts' mean plus and minus one standard deviation in each coordinate, the minimum taken over a Sobol set in it.
"""

from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb, single_precision
from core.checks import require
from core.models.context_density import context_moments
from core.models.gaussian_process import GaussianProcess
from core.numerics import smallest
from core.policies.joint import ContextPolicy, Objectives
from core.search.maximize import candidate_lattice
from core.types import Observations

__all__ = ["StableOpt"]

SAMPLES = 1024  # size of the Sobol set; the paper's
COARSE = 64  # number of these points in the coarse objective
COARSE_NODES, NODES = (12, 24), (24, 64)
"""The numbers of samples behind the coarse objective and its model: with one context dimension, and with more. The box
is smaller than the cube, so that bounds vary less over the box."""
REGIONS = ("around", "below")


@final
class StableOpt(ContextPolicy):
    """StableOpt (Bogunovic et al. 2018): ``argmax_x min_{c in C_t} ucb_t(x, c)``; see the module's docstring.

    C_t is clipped to the unit cube of the contexts; its Sobol set is the same for all decisions of a step. Standard
    deviations are population ones. The public code of the SBO-KDE paper scales its Sobol points by lower - upper: its
    C_t reaches from the mean less three deviations to the mean less one, and is not clipped (region ``"below"``).

    Attributes:
        samples: Sobol points of the unit cube, scaled to C_t.
        coarse: number of these points in the coarse objective.
        region: the place of C_t: ``"around"`` the mean, as in the paper, or ``"below"`` it, as in the public code.
    """

    _: KW_ONLY
    samples: int = eqx.field(static=True, default=SAMPLES)
    coarse: int = eqx.field(static=True, default=COARSE)
    region: str = eqx.field(static=True, default="around")

    def __check_init__(self) -> None:
        require(self.samples >= 1, f"samples must be at least 1, got {self.samples}")
        require(self.coarse >= 1, f"coarse must be at least 1, got {self.coarse}")
        require(self.region in REGIONS, f"region must be one of {REGIONS}, got {self.region!r}")

    @property
    def lattice(self) -> Float[Array, "k c"]:
        """Sobol points of the unit cube of the contexts."""
        return candidate_lattice(self.samples, self.context_dim)

    def box(self, observations: Observations) -> tuple[Float[Array, " c"], Float[Array, " c"]]:
        """Lower and upper corner of C_t."""
        mean, deviation = context_moments(self.contexts(observations), observations.mask)
        if self.region == "below":
            return mean - 3.0 * deviation, mean - deviation
        return jnp.clip(mean - deviation, 0.0, 1.0), jnp.clip(mean + deviation, 0.0, 1.0)

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The smallest bound over all, and over the first few, of the Sobol set."""
        del key
        lower, upper = self.box(observations)
        contexts = lower[None] + (upper - lower)[None] * self.lattice
        several = int(self.context_dim > 1)
        coarse = single_precision(
            InterpolatedUcb.of(process, contexts[: COARSE_NODES[several]], contexts[: self.coarse], self.root_beta)
        )
        return Objectives.of(
            lambda x: smallest(coarse(x)),
            smallest,
            ContextUcb.of(process, contexts, self.root_beta),
            contexts[: NODES[several]],
        )
