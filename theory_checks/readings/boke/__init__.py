"""Readings of Paper A (BOKE): its sentences on figures and tables."""
