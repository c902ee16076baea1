"""The claims ledger: every claim of the papers as one function that returns evidence.

`theory_checks.ledger` says what a claim, its evidence and a verdict are; `theory_checks.<paper>` hold the claims;
`python -m theory_checks list | run | show | replay` is the command line.
"""

import core as core  # sets thread counts and 64-bit floats before anything else loads numpy or jax
