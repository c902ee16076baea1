"""Seconds per step of the methods for unknown hyperparameters of Paper D, beside BoTorch's."""
