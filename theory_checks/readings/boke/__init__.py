"""Readings of Paper A (BOKE): what is said of its figures and tables."""
