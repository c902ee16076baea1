"""Policies by name.

``REGISTRY`` maps names to constructors ``constructor(dim, **options) -> Policy``; the finite-set policies take their
arms in place of the dimension.
"""

import difflib
from collections.abc import Callable
from typing import Any

from core.policies.a_gp_ucb import AGpUcb
from core.policies.base import Policy, SearchEffort
from core.policies.boke import Boke, BokePlus
from core.policies.context_kde import DrboKde, SboKde
from core.policies.context_mmd import DrboMmd, DrboMmdMinimax
from core.policies.exploration import DensityExploration, GpExploration, RandomSearch
from core.policies.finite import FiniteBoke, Ucb1
from core.policies.gp_ucb import GpUcb, GpUcbRefit
from core.policies.improvement import CorrectedEi, CorrectedPi, Ei, NoisyEi, Pi, QNei
from core.policies.joint import ContextFreeUcb
from core.policies.kr_ucb import KrUcb
from core.policies.map_gp_ucb import GpUcbMap, WangDeFreitas
from core.policies.mcmc_gp_ucb import GpUcbMcmc
from core.policies.portfolio import PortfolioExp3
from core.policies.stable_opt import StableOpt
from core.policies.uhe_bo import RaBo, RandomExp3, UheBo

__all__ = ["CONTEXTUAL", "FINITE", "REGISTRY", "Policy", "SearchEffort", "make"]

REGISTRY: dict[str, Callable[..., Policy]] = {
    "boke": Boke,
    "boke_plus": BokePlus,
    "kr_ucb": KrUcb,
    "gp_ucb": GpUcb,
    "gp_ucb_refit": GpUcbRefit,
    "ei": Ei,
    "pi": Pi,
    "corrected_ei": CorrectedEi,
    "corrected_pi": CorrectedPi,
    "noisy_ei": NoisyEi,
    "qnei": QNei,
    "density_exploration": DensityExploration,
    "gp_exploration": GpExploration,
    "random_search": RandomSearch,
    "context_free_ucb": ContextFreeUcb,
    "sbo_kde": SboKde,
    "drbo_kde": DrboKde,
    "drbo_mmd": DrboMmd,
    "drbo_mmd_minimax": DrboMmdMinimax,
    "stable_opt": StableOpt,
    "uhe_bo": UheBo,
    "ra_bo": RaBo,
    "random_exp3": RandomExp3,
    "gp_ucb_map": GpUcbMap,
    "gp_ucb_mcmc": GpUcbMcmc,
    "a_gp_ucb": AGpUcb,
    "wang_de_freitas": WangDeFreitas,
    "portfolio_exp3": PortfolioExp3,
    "finite_boke": FiniteBoke,
    "ucb1": Ucb1,
}

CONTEXTUAL = frozenset({"sbo_kde", "drbo_kde", "drbo_mmd", "drbo_mmd_minimax", "stable_opt"})
"""Names of the policies that learn from a random context; their constructors take ``context_dim``."""

FINITE = frozenset({"finite_boke", "ucb1"})
"""Names of the policies on a finite decision set, whose constructors take the arms in place of the dimension."""


def make(name: str, dim: int, **options: Any) -> Policy:
    """The policy of that name in ``dim`` dimensions.

    Raises:
        KeyError: an unknown name; the message lists near ones.
        TypeError, ValueError: options that the policy does not take, or constants outside their range.
    """
    if name not in REGISTRY:
        near = difflib.get_close_matches(name, REGISTRY, n=3, cutoff=0.4) or sorted(REGISTRY)
        raise KeyError(f"unknown policy {name!r}; near names: {', '.join(near)}")
    if name in FINITE:
        raise ValueError(f"policy {name!r} works on a finite set: construct it with REGISTRY[{name!r}](arms, ...)")
    return REGISTRY[name](dim, **options)
