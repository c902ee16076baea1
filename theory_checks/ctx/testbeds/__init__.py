"""Densities, runs and worst cases that several claims of Paper C share."""
