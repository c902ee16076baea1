"""Likelihoods, runs and exponents that several claims of Paper D share."""
