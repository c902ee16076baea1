"""Figure 5: BOKE and BOKE+ on function A (9) from the same five noisy points, eight iterations each."""

from experiments.boke.fig4 import SEEDS, illustrate
from experiments.engine.slim import Kept, first_run
from experiments.engine.study import Cell, Study

POLICIES = ("boke", "boke_plus")

STUDY = Study(
    __name__,
    title="BOKE against BOKE+, iteration by iteration",
    caption="BOKE and BOKE+ on function A (9) from the same five points: surrogate, acquisition, choice at each step.",
    cells=lambda scale: [Cell("eq9", policy, tuple(range(SEEDS[scale]))) for policy in POLICIES],
    run=illustrate,
    keep=Kept(
        unread=("bonus", "bandwidth", "beta", "mean", "acquisition"),
        derived={"mean_first": first_run("mean"), "acquisition_first": first_run("acquisition")},
        single=("mean_first", "acquisition_first"),
    ),
)
