"""The sentences of the papers that say something testable, and that no claim of the ledger tests; each with the reason.

They stand in `<paper>.toml` beside this file; `theory_checks.not_tested.sentences` says what an entry is and reads
them. A testable sentence that is in neither the ledger, the errata nor here was overlooked.
"""
