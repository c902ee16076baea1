"""Every certificate by the claim that it settles, and the certificates that the checker has verified unchanged.

`verified.json` records what `python -m theory_checks.certificates --pin` verified: a hash of the checker's source and
of the certificate, and the seconds. A changed certificate, or any certificate after a change of the checker, counts
only after it is verified again.
"""

import hashlib
import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from theory_checks.certificates import checker
from theory_checks.certificates.certificate import Certificate, Settles
from theory_checks.ledger import Verdict

VERIFIED = Path(__file__).resolve().parent / "verified.json"


@cache
def certificates() -> dict[str, Certificate]:
    """Every certificate by its claim. Raises ValueError where a claim has two."""
    package = importlib.import_module("theory_checks.certificates")
    found: dict[str, Certificate] = {}
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.rpartition("_")[2] in ("proved", "refuted"):
            for each in importlib.import_module(f"{package.__name__}.{module.name}").CERTIFICATES:
                if each.claim in found:
                    raise ValueError(f"claim {each.claim} has two certificates")
                found[each.claim] = each
    return dict(sorted(found.items()))


def digest(certificate: Certificate) -> str:
    """SHA-256 of the checker's source and of the certificate."""
    source = Path(checker.__file__).read_bytes()
    return hashlib.sha256(source + repr(certificate).encode()).hexdigest()


@cache
def verified() -> dict[str, dict[str, Any]]:
    """The records of the certificates that have not changed since they were verified."""
    stored = json.loads(VERIFIED.read_text(encoding="utf-8")) if VERIFIED.is_file() else {}
    now = certificates()
    return {name: of for name, of in stored.items() if name in now and of["digest"] == digest(now[name])}


def certified(claim_id: str, settles: Settles) -> bool:
    """True where a verified certificate settles the claim with this verdict."""
    return claim_id in verified() and certificates()[claim_id].settles is settles


def standing(claim_id: str, verdict: str) -> str:
    """The verdict in the ledger: "proved" where the check says "supported" and a certificate proves the claim, else the
    check's. A certificate changes a verdict only here."""
    proved = verdict == Verdict.SUPPORTED and certified(claim_id, Settles.PROVED)
    return str(Verdict.PROVED) if proved else verdict
