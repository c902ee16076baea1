"""The testable sentences of the papers that no claim of the ledger tests, each with the reason.

The sentences stand in `<paper>.toml` beside this file; `theory_checks.not_tested.sentences` defines and reads an entry.
A testable sentence that is neither here nor in the ledger or the errata was overlooked.
"""
