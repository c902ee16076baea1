"""The studies of the paper on BOKE, "Bayesian Optimization by Kernel Regression and Density-based Exploration".

One module a figure or table.
"""
