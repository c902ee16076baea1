"""Errors and open choices of the papers, places where we differ, and the constants that we chose: one record each.

The records stand in `<paper>.toml` beside this file. `theory_checks.errata.records` says what a record is and reads
them; `theory_checks.errata.pages` makes docs/errata.md and docs/constants.md of them, which `make publish` writes; the
report's tables of deviations and constants are made from the same records.
"""
