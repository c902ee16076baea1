"""Models of the objective: kernels, regression and density, Gaussian processes and their fits."""
