"""Readings of Paper D (UHE-BO): its sentences on figures and on running time."""
