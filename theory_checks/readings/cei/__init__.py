"""Readings of Paper B (corrected EI): what is said of its figures and its remarks on cost."""
