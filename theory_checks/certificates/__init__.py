"""Certificates: proofs and refutations whose computations a small trusted checker verifies.

`checker` is the trusted part. Modules named after a paper and what they settle hold the certificates, which are data.
`registry` finds them, verifies them and tells the ledger; `python -m theory_checks.certificates` verifies all.
"""
