"""Figures of Paper D (unknown hyperparameters)."""
