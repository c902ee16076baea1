"""Algorithms, kernels and noises that several claims of Paper A share."""
