"""Readings of Paper C (SBO-KDE and DRBO-KDE): what is said of its figures and tables."""
