"""Certificates: proofs and refutations whose computations a small trusted checker verifies.

`checker` is the trusted part. The modules `*_proved` and `*_refuted` of each paper hold the certificates, as data.
`registry` finds and verifies the certificates for the ledger; `python -m theory_checks.certificates` verifies all.
"""
