"""Figures and reports: they read stored results and draw; they compute nothing but statistics over seeds."""
