"""Measures of a run, each formula once: functions from a result to one number a seed.

Figures and readings of the ledger both read them.
"""
