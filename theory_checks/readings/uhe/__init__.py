"""Readings of Paper D (UHE-BO): what is said of its figures and of its running time."""
