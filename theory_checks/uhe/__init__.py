"""Claims of Paper D: Bayesian optimisation with unknown Gaussian-process hyperparameters (UHE-BO)."""
