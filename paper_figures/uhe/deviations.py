"""Where the experiments on Paper D differ from the paper, which publishes no code: one entry a difference."""

from experiments.uhe import fig1
from experiments.uhe.benchmarks import POINTS, SEEDS, STEPS
from paper_figures.table import Table

_ROWS = (
    (
        "Size of the runs",
        "Neither initial data nor number of evaluations in the text; 20 seeds (section 7) or 10 (appendix C)",
        f"max(5, 2d + 1) uniform points, then {STEPS['paper']} evaluations at scale paper and {STEPS['quick']} at "
        f"scale quick; {SEEDS['paper']} seeds at both",
    ),
    ("Noise of the benchmarks", "f is observed with noise (section 3); none is named for the benchmarks", "None"),
    (
        "What Figure 2 shows",
        "Not said in the text",
        "Simple regret, section 6: the distance of the best value queried from the optimum",
    ),
    (
        "Deceptive",
        "The printed pieces do not join",
        "The continuous function of their source, in two dimensions",
    ),
    (
        "h1",
        "Denominator √(r² + 1); no box",
        "The literature's r + 1 on [−100, 100]²; the printed one beside it at scale paper",
    ),
    (
        "Priors",
        "Gamma(10⁻³, 10) densities of the hyperparameters: no maximum exists",
        "The same as densities of their logarithms; 10 is the scale",
    ),
    (
        "Figure 1",
        "Function and hyperparameter not named",
        f"{fig1.SEEDS['quick']} sample paths (scale quick) of a Matérn-5/2 process of lengthscale "
        f"{fig1.LENGTHSCALE:g}; {fig1.POINTS} observations; its exact posterior; the first seed is drawn",
    ),
    (
        "Figure 3",
        "Function and moments not named in the text",
        "Deceptive, three moments of a run of Figure 2's size; the first seed is drawn",
    ),
    (
        "Figure 4",
        "216,000 to 250,000 points",
        f"{POINTS['paper']:,} scrambled Sobol' points at scale paper, {POINTS['quick']:,} at scale quick; each method "
        "predicts with the process it searches with (lengthscales shrunk where it shrinks them, the mean over the "
        "draws of MCMC); Random is lent MAP's",
    ),
    (
        "Figure 5, running time",
        "Deceptive, Hartmann3 and a random forest; GPy on a workstation",
        "Deceptive and Hartmann3; compiled code, compilation apart, the methods in turn; the random forest is among "
        "the tuning tasks",
    ),
    (
        "Tuning tasks",
        "HPOBench's; fidelities, metric, budget, initial data not given; the data of XGBoost named twice, differently",
        "HPOBench's boxes and, at scale paper, its full fidelity; accuracy; a Latin hypercube of 2d + 1 points; both "
        "data sets of XGBoost; below scale paper fewer trees, epochs and rows, as the figure says",
    ),
    (
        "Peers that the paper wrote itself",
        "Grids, rewards and integrators not given (see the errata)",
        "docs/constants.md",
    ),
    (
        "Search effort",
        "Not given",
        "1,024 raw candidates, 8 starts refined to convergence, the same for every method",
    ),
)


def deviations() -> Table:
    """The differences between the paper's experiments and ours."""
    return Table("Where we differ from Paper D", ("Subject", "Paper", "Here"), _ROWS)
