"""What is believed about the objective: kernels, regression and density, Gaussian processes and their fits."""
