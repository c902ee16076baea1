"""Figures of Paper B (corrected EI)."""
