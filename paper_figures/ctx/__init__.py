"""Figures of Paper C (unknown context distribution)."""
