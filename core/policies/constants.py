"""The constants that the BOKE paper leaves open, one set for all problems, explained in ``docs/constants.md``.

Inputs live in the unit cube and outputs are standardised on the data seen so far, so one set can serve all problems.
The values were chosen on functions drawn at random, half of them Gaussian-process sample paths (study
``boke.calibration``), never on a problem that a figure shows. The bandwidth's value belongs to the rule ``scott``.
"""

BANDWIDTH = 1.0
"""Constant of Scott's rule for BOKE, BOKE+ and KR-UCB, h_j = BANDWIDTH * s_j * t^(-1/(d+4)), s_j the data's standard
deviation along axis j."""

NOISE_SCALE = 0.01
"""Sub-Gaussian parameter of the noise on standardised outputs: in beta_t, and (squared) as the GP's noise variance."""

DELTA = 0.001
"""Failure probability in Theorem 9's beta_t."""

EXPLORATION_PROBABILITY = 0.5
"""BOKE+: probability of an IKR-UCB step; otherwise pure exploitation."""

LENGTHSCALE = 0.2
"""Fixed lengthscale of GP-UCB's squared exponential kernel, in units of the cube's side."""

GP_BETA = 1.0
"""Fixed beta of GP-UCB: one posterior standard deviation."""

KR_UCB_EXPLORATION = 0.3
"""C of KR-UCB A (A4)."""

KR_UCB_WIDENING = 0.95
"""alpha of Algorithm 5: a new point is tried once t^alpha reaches the number of distinct points."""

KR_UCB_THRESHOLD = 0.9
"""tau of A (A5): a new point keeps kernel value above tau with the chosen one."""
