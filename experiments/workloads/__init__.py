"""Real workloads: hyperparameter tuning and the compression of networks."""
