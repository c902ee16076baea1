"""Figure 5: BOKE and BOKE+ on function A (9) from the same five noisy points, eight iterations each."""

from experiments.boke.fig4 import SEEDS, illustrate
from experiments.engine.slim import Kept
from experiments.engine.study import Cell, Study

POLICIES = ("boke", "boke_plus")

STUDY = Study(
    __name__,
    title="BOKE against BOKE+, iteration by iteration",
    caption="BOKE and BOKE+ on function A (9) from the same five points: surrogate, acquisition, choice at each step.",
    cells=lambda scale: [Cell("eq9", policy, tuple(range(SEEDS[scale]))) for policy in POLICIES],
    run=illustrate,
    keep=Kept(unread=("bonus", "bandwidth", "beta"), single=("mean", "acquisition")),
)
