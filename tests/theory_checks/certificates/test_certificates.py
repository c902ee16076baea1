"""Every certificate verifies, no wrong neighbour of a certificate does, and the ledger names the settled claims."""

from pathlib import Path

import pytest

from theory_checks import runner
from theory_checks.certificates import checker
from theory_checks.certificates.certificate import Certificate, Settles
from theory_checks.certificates.checker import Unverified
from theory_checks.certificates.perturb import perturbed
from theory_checks.certificates.registry import certificates, standing, verified
from theory_checks.ledger import load
from theory_checks.statements import uncertified

KNOWN = certificates()
CLAIMS = load()
PINS = runner.expected("quick")


@pytest.mark.parametrize("name", KNOWN)
def test_a_certificate_is_verified_and_its_wrong_neighbours_are_not(name: str) -> None:
    certificate: Certificate = KNOWN[name]
    certificate.verify()
    for step in certificate.steps:
        for wrong in perturbed(step):
            with pytest.raises(Unverified):
                wrong.verify()


def test_all_are_recorded_as_they_stand() -> None:
    assert verified().keys() == KNOWN.keys()


@pytest.mark.parametrize("name", KNOWN)
def test_a_certificate_settles_its_claim_as_the_ledger_does(name: str) -> None:
    assert PINS[name] == KNOWN[name].settles
    assert KNOWN[name].argument
    assert all(step.says for step in KNOWN[name].steps)


def test_what_is_mathematics_has_a_certificate_or_it_is_said_why_not() -> None:
    mathematics = {name for name, claim in CLAIMS.items() if not claim.needs}
    settled = {name for name in mathematics if PINS[name] in ("supported", "proved", "refuted")}
    assert settled - KNOWN.keys() == set(uncertified()) & settled
    assert not set(uncertified()) & KNOWN.keys()
    assert set(uncertified()) <= CLAIMS.keys()


def test_only_what_a_check_supports_is_promoted() -> None:
    proved = next(name for name, each in KNOWN.items() if each.settles is Settles.PROVED)
    refuted = next(name for name, each in KNOWN.items() if each.settles is Settles.REFUTED)
    assert standing(proved, "supported") == "proved"
    assert standing(proved, "refuted") == "refuted"
    assert standing(proved, "undecided") == "undecided"
    assert standing(refuted, "supported") == "supported"
    assert standing("cei.fig4_beats_ei", "supported") == "supported"


def test_the_checker_is_small_and_reads_nothing_of_the_project() -> None:
    source = Path(checker.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    imported = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not [line for line in imported if any(name in line for name in ("core", "theory_checks", "experiments"))]
    assert "eval(" not in source.replace("mode=", "")
