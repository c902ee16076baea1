"""Figures beyond the papers."""
