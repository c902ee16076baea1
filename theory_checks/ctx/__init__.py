"""Claims of Paper C: stochastic Bayesian optimisation with an unknown context distribution (SBO-KDE, DRBO-KDE)."""
