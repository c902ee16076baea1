"""Readings of Paper C (SBO-KDE and DRBO-KDE): its sentences on figures and tables."""
