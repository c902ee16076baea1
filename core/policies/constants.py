"""The constants that the BOKE paper leaves open, one set for all problems, explained in ``docs/constants/boke.md``.

Inputs live in the unit cube and outputs are standardised on the data seen so far, so one set can serve all problems.
The first three values are the charitable ones: of five contenders they have the best score, the number of the paper's
sentences on Figures 5 to 8 that hold less the number that are opposite (study ``boke.settings``, rule
``theory_checks.readings.boke.default_setting``). The functions of these figures chose them. The other values were
chosen on functions drawn at random, half of them Gaussian-process sample paths (study ``boke.calibration``), together
with ``rule="scott"``, a bandwidth of 1 and a noise scale of 0.01 for BOKE.
"""

RULE = "scott_sides"
"""Bandwidth rule of BOKE, BOKE+ and KR-UCB: A (28) with the sum of the cube's sides as its factor,
h = BANDWIDTH * d * t^(-1/(d+4))."""

BANDWIDTH = 0.04
"""The constant of that rule."""

NOISE_SCALE = 0.0003
"""BOKE and BOKE+: sub-Gaussian parameter of the noise on standardised outputs, in beta_t."""

DELTA = 0.001
"""Failure probability in Theorem 9's beta_t."""

EXPLORATION_PROBABILITY = 0.5
"""BOKE+: probability of an IKR-UCB step; otherwise pure exploitation."""

EXPLORATION_BANDWIDTH = 1.0
"""Constant of Scott's rule for density-based exploration, h_j = EXPLORATION_BANDWIDTH * s_j * t^(-1/(d+4)), s_j the
data's standard deviation along axis j: Scott's own."""

LENGTHSCALE = 0.2
"""Fixed lengthscale of GP-UCB's squared exponential kernel, in units of the cube's side."""

GP_NOISE_SCALE = 0.01
"""Standard deviation of the noise on standardised outputs that GP-UCB assumes."""

GP_BETA = 1.0
"""Fixed beta of GP-UCB: one posterior standard deviation."""

KR_UCB_EXPLORATION = 0.3
"""C of KR-UCB A (A4)."""

KR_UCB_WIDENING = 0.95
"""alpha of Algorithm 5: a new point is tried once t^alpha reaches the number of distinct points."""

KR_UCB_THRESHOLD = 0.9
"""tau of A (A5): a new point keeps kernel value above tau with the chosen one."""
