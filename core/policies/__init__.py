"""Policies by name.

``REGISTRY`` holds the classes that are constructed as ``cls(dim, **options)``, ``FINITE_SET`` those that work on a
finite decision set, constructed as ``cls(arms, **options)``.
"""

from collections.abc import Mapping
from typing import Any

from core.checks import check_count, near_names
from core.policies.a_gp_ucb import AGpUcb
from core.policies.base import Policy, SearchEffort
from core.policies.boke import Boke, BokePlus
from core.policies.context_kde import DrboKde, SboKde
from core.policies.context_mmd import DrboMmd, DrboMmdMinimax
from core.policies.exploration import DensityExploration, GpExploration, RandomSearch
from core.policies.finite import FiniteBoke, FinitePolicy, Ucb1
from core.policies.gp_ucb import GpUcb
from core.policies.gp_ucb_refit import GpUcbRefit
from core.policies.improvement import CorrectedEi, CorrectedPi, Ei, NoisyEi, Pi, QNei
from core.policies.joint import ContextFreeUcb
from core.policies.kr_ucb import KrUcb
from core.policies.map_gp_ucb import GpUcbMap
from core.policies.mcmc_gp_ucb import GpUcbMcmc
from core.policies.portfolio import PortfolioExp3
from core.policies.stable_opt import StableOpt
from core.policies.uhe_bo import RaBo, RandomExp3, UheBo
from core.policies.wang_de_freitas import WangDeFreitas

__all__ = ["FINITE_SET", "REGISTRY", "Policy", "SearchEffort", "contextual", "make", "with_horizon"]

REGISTRY: Mapping[str, type[Policy]] = {
    "boke": Boke,
    "boke_plus": BokePlus,
    "kr_ucb": KrUcb,
    "gp_ucb": GpUcb,
    "gp_ucb_refit": GpUcbRefit,
    "corrected_ei": CorrectedEi,
    "ei": Ei,
    "corrected_pi": CorrectedPi,
    "pi": Pi,
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
}

FINITE_SET: Mapping[str, type[FinitePolicy]] = {"finite_boke": FiniteBoke, "ucb1": Ucb1}


def contextual(name: str) -> bool:
    """Return True where the policy of that name learns from a random context: its constructor takes ``context_dim``."""
    return name in REGISTRY and REGISTRY[name].reads_contexts


def with_horizon(name: str) -> bool:
    """Return True where the policy of that name uses the number of planned evaluations: its constructor takes
    ``horizon``."""
    return name in REGISTRY and REGISTRY[name].takes_horizon


def make(name: str, dim: int, **options: Any) -> Policy:
    """The policy of that name in ``dim`` dimensions.

    Raises:
        KeyError: an unknown name; the message lists near ones.
        TypeError, ValueError: options that the policy does not take, or constants outside their range.
    """
    if name in FINITE_SET:
        raise ValueError(f"policy {name!r} works on a finite set: construct it with FINITE_SET[{name!r}](arms, ...)")
    if name not in REGISTRY:
        raise KeyError(f"unknown policy {name!r}; {near_names(name, REGISTRY)}")
    check_count("dim", dim)
    return REGISTRY[name](dim, **options)
