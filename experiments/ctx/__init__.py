"""The studies of the paper on unknown contexts, "Stochastic Bayesian Optimization with Unknown Continuous Context
Distribution via Kernel Density Estimation" (Huang, Song, Xue & Qian, AAAI 2024).

One module a figure or table.
"""
