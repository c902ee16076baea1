"""Errors and open choices of the papers, deviations from them, and the constants that we chose: one record each.

The records stand in `<paper>.toml` beside this file. `theory_checks.errata.records` defines and reads a record.
`theory_checks.errata.pages` makes docs/errata.md and docs/constants.md, which `make publish` writes. The report's
tables of deviations and constants come from the same records.
"""
