"""Readings of Paper B (corrected EI): its sentences on figures and on cost."""
