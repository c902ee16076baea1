"""Numbers in the records about stored runs, computed from the committed results when a page is written.

The results are at scale paper unless a function says otherwise. A record names a number as
`${measured:portfolio[whole].mean|.2f}` (`theory_checks.references`).
"""

from theory_checks.errata.measured.cei import compression, cost, gap_ratios, near_the_incumbent, scenarios
from theory_checks.errata.measured.ctx import (
    complicated_hartmann,
    four_contexts,
    mmd_branin,
    model_arms,
    noise_floor,
    portfolio,
    public_arms,
    rounds,
    stable_opt,
)
from theory_checks.errata.measured.uhe import branin_end, effort, pseudo_noise, random_probability

__all__ = [
    "branin_end",
    "complicated_hartmann",
    "compression",
    "cost",
    "effort",
    "four_contexts",
    "gap_ratios",
    "mmd_branin",
    "model_arms",
    "near_the_incumbent",
    "noise_floor",
    "portfolio",
    "pseudo_noise",
    "public_arms",
    "random_probability",
    "rounds",
    "scenarios",
    "stable_opt",
]
