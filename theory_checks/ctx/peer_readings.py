"""The readings of Figure 1 that order the other methods: what the text says of each of them.

"Acceptable", which the text calls GP-UCB without contexts, is the yardstick: "well" is ahead of it, "worse" and "poor"
behind it.
"""

from __future__ import annotations

import math

from experiments.ctx import fig1a
from theory_checks.ctx.instruments.figures import (
    CLOSE,
    DRBO,
    FRESH,
    MINIMAX,
    MMD,
    OURS,
    STABLE,
    UCB,
    all_orders,
    order_claim,
)
from theory_checks.readings import LARGEST
from theory_checks.sides import above, below, within

AHEAD, BEHIND, COMPETITIVE = below(0.0), above(0.0), below(math.log10(CLOSE))

fig1_poor = order_claim(
    "Two methods behind GP-UCB on four problems.",
    __name__,
    ("ctx.fig1a", FRESH),
    all_orders(fig1a.PROBLEMS, (STABLE, MINIMAX), (UCB,), BEHIND),
    id="ctx.fig1_poor",
    number="Figure 1 (a), section 4.2",
    statement="""GP-UCB, which does not consider context variable, has an acceptable performance. StableOpt performs
    poorly. DRBO-MMD-MinimaxApprox also has poor performance.""",
    rule="""StableOpt and DRBO-MMD-MinimaxApprox against GP-UCB on each of the four synthetic functions, ratio claimed
    above 1 (poor: worse than acceptable).""",
    control={"factor": 2.5},
    control_statement="Their regret is at least 2.5 times GP-UCB's",
    positive={"rounds": 1, "factor": 0.5},
    positive_statement="Their regret is at least 0.5 times GP-UCB's.",
    severity="substantive",
    amended="""After five seeds at scale paper, in which StableOpt was ahead on Hartmann, 0.51 times GP-UCB's regret in
    5 of 5 (p = 0.002): judged there by twenty other seeds alone, written down before any of these was run.""",
)

fig1_mmd = order_claim(
    "Ahead of GP-UCB on one problem, behind on three.",
    __name__,
    ("ctx.fig1a", FRESH),
    [(problem, MMD, UCB, AHEAD if problem == "context_branin" else BEHIND) for problem in fig1a.PROBLEMS],
    id="ctx.fig1_mmd",
    number="Figure 1 (a), section 4.2",
    statement="""DRBO-MMD performs well in the Modified Branin function but performs worse in the other functions.""",
    rule="""DRBO-MMD against GP-UCB, ratio claimed below 1 on modified Branin and above 1 on the three other synthetic
    functions.""",
    control={"factor": 5.0},
    control_statement="""DRBO-MMD's regret is below five times GP-UCB's on modified Branin and above that on the
    others""",
    positive={"rounds": 1, "orders": [(problem, MMD, UCB, within(math.log10(5.0))) for problem in fig1a.PROBLEMS]},
    positive_statement="DRBO-MMD's regret is within a factor of five of GP-UCB's on all four.",
    severity="substantive",
    amended="""After five seeds at scale paper, in which DRBO-MMD was behind on modified Branin: judged again with ten
    there, whatever they show; after those, once more with the thirty of scale paper: reversed over 150 rounds, level
    over the first half of them. Then by fifty other seeds, written down before any of these was run: behind by 1.19
    times, p = 0.002, which the ledger's level leaves open. Since then by 120 others alone, written down before any of
    these was run.""",
)

fig1_newsvendor = order_claim(
    "Two methods ahead of GP-UCB, three not.",
    __name__,
    ("ctx.fig1b",),
    all_orders(("newsvendor",), OURS, (UCB,), AHEAD)
    + all_orders(("newsvendor",), (MMD, MINIMAX, STABLE), (UCB,), above(-math.log10(CLOSE))),
    id="ctx.fig1_newsvendor",
    control_scale="quick",
    number="Figure 1 (b), section 4.3",
    statement="""Among the methods that consider context variable in the newsvendor problem, only SBO-KDE and DRBO-KDE
    outperform GP-UCB.""",
    rule=f"""On newsvendor, ratio to GP-UCB: claimed below 1 for SBO-KDE and DRBO-KDE, above 1 / {CLOSE:g} for the three
    others (they do not outperform it).""",
    control={"orders": [("newsvendor", MINIMAX, MMD, below(-math.log10(CLOSE)))]},
    control_statement=f"""On newsvendor DRBO-MMD-MinimaxApprox outperforms DRBO-MMD, whose regret is the same there, by
    the margin of {CLOSE:g}""",
    amended="""The rule is the first. The control was a ratio of 10^4: GP-UCB's regret varies tenfold among five seeds,
    which refute nothing much milder of it. It is now of two methods that five seeds can tell apart, chosen after the
    stored runs had shown which. After five seeds at scale paper: judged again with twenty of SBO-KDE, DRBO-KDE and
    GP-UCB, whatever they show: their order over 150 rounds was in the first half alone. Since then these three are to
    have all 340, whatever they show.""",
)

fig1_competitive = order_claim(
    "Not inferior by more than a margin.",
    __name__,
    ("ctx.fig1b", FRESH),
    [("portfolio_normal", MMD, DRBO, COMPETITIVE)],
    id="ctx.fig1_competitive",
    control_scale="quick",
    number="Figure 1 (b), section 4.3",
    statement="For portfolio optimization with a normal context distribution, DRBO-MMD is competitive with DRBO-KDE.",
    rule=f"DRBO-MMD against DRBO-KDE on that problem, ratio claimed below {CLOSE:g}.",
    control={"factor": 0.6, "orders": [("newsvendor", MMD, MINIMAX, COMPETITIVE)]},
    control_statement=f"""On newsvendor DRBO-MMD's regret is at most {0.6 * CLOSE:g} times that of
    DRBO-MMD-MinimaxApprox, which is the same there""",
    positive={"rounds": 1, "factor": 4.0},
    positive_statement=f"DRBO-MMD's regret is at most {4 * CLOSE:g} times DRBO-KDE's.",
    positive_scale=LARGEST,
    severity="substantive",
    amended="""The rule is the first. The control was a hundredth, of normal contexts, then a twentieth, of uniform
    ones: five seeds tell nothing milder apart on the portfolio. It is now of two methods on newsvendor, chosen after
    the stored runs had shown that they are alike there. After five seeds at scale paper, in which DRBO-MMD was behind:
    judged again with twenty, whatever they show. Since then by fifty other seeds, written down before any of these was
    run. The positive control was read at scale quick, which does without DRBO-MMD on the portfolio since.""",
)
