"""Figures of Paper A (BOKE)."""
