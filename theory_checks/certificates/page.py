"""docs/certificates.md: what is proved or refuted beyond a search, theorem by theorem, and what is not, and why."""

from __future__ import annotations

import math
from collections.abc import Iterable

from experiments.papers import PAPERS
from theory_checks.certificates.certificate import Certificate, Settles
from theory_checks.certificates.checker import Boxes, Step
from theory_checks.certificates.registry import certificates, verified
from theory_checks.ledger import Claim, load
from theory_checks.statements import uncertified

_INTRODUCTION = """A supported claim is one that a search did not break. A certificate says more: it is data (points,
multipliers, boxes, identities) from which a checker verifies the computations of a proof or of a refutation, and the
argument that uses them. The checker knows nothing of how a certificate was found. Every certificate comes with a wrong
neighbour (a digit, a sign, a box less), which the checker must not confirm."""

_TRUSTED = """What has to be trusted: the checker (`theory_checks/certificates/checker.py`, at most 300 lines), Arb's
balls and FLINT's rationals (python-flint), sympy for what is marked *Identity*, and the sentences of the argument,
which are not checked by machine. *Balls*: inequalities of enclosed numbers, exact rationals where possible. *Boxes*:
an inequality on every box of a cover of a compact set. *Identity*: an equation by computer algebra. *Words* counts
those of the argument, which are not checked; *argument only* says that a proof computes nothing. *Assumes* names what
goes beyond the printed hypotheses, or how they are read. Seconds are of one core of the reference machine."""


def _flat(text: str) -> str:
    """Text as one line of a table, with nothing that Markdown would take for markup."""
    return " ".join(text.split()).translate({ord(sign): f"\\{sign}" for sign in "*_|<>[]$"})


def _size(steps: Iterable[Step]) -> str:
    """How many steps, statements and boxes: "2 steps, 5 statements, 35 boxes"."""
    steps = list(steps)
    boxes = sum(math.prod(len(c) - 1 for c in step.cuts.values()) for step in steps if isinstance(step, Boxes))
    counts = {"step": len(steps), "statement": sum(len(step.holds) for step in steps), "box": boxes}
    plural = {"box": "boxes"}
    return ", ".join(f"{n} {name if n == 1 else plural.get(name, name + 's')}" for name, n in counts.items() if n)


def _row(claim: Claim, certificate: Certificate) -> str:
    link = f"[{claim.id}](#{claim.id.replace('.', '').lower()})"
    seconds = verified()[claim.id]["seconds"] if claim.id in verified() else "not verified"
    cells = (link, _flat(claim.number), certificate.settles, certificate.kind or "argument only")
    words = sum(len(each.split()) for each in certificate.argument)
    return f"| {' | '.join(cells)} | {words} | {_size(certificate.steps)} | {seconds} |"


def _section(claim: Claim, certificate: Certificate) -> list[str]:
    lines = [f"### {claim.id}", "", f"{_flat(claim.number)}, **{certificate.settles}**. {_flat(claim.statement)}", ""]
    lines += [f"- Hypothesis: {_flat(each)}" for each in claim.hypotheses]
    if certificate.assumes:
        lines += [f"- Assumes: {_flat(certificate.assumes)}"]
    lines += ["", *(f"{_flat(each)}\n" for each in certificate.argument)]
    for step in certificate.steps:
        lines += [f"- Checked ({type(step).__name__}): {_flat(step.says)}"]
    return [*lines, ""]


def certificates_page() -> str:
    """The page, from the certificates and what is recorded of their verification."""
    claims, known = load(), certificates()
    proved = sum(each.settles is Settles.PROVED for each in known.values())
    seconds = sum(float(of["seconds"]) for of in verified().values())
    lines = [
        "# Certificates",
        "",
        " ".join(_INTRODUCTION.split()),
        "",
        " ".join(_TRUSTED.split()),
        "",
        f"{len(known)} certificates, {proved} proofs and {len(known) - proved} refutations, verified in"
        f" {math.ceil(seconds)} s by `make certify`; one alone by `python -m theory_checks.certificates boke.lemma10`.",
        "<!-- Written by `make publish`; do not edit. -->",
        "",
    ]
    for paper in PAPERS:
        own = [claim for claim in claims.values() if claim.paper == paper.letter and claim.id in known]
        chosen = [(claim, known[claim.id]) for claim in own]
        lines += [f"## Paper {paper.letter}", "", "| claim | number | verdict | kind | words | checked | seconds |"]
        lines += ["|---|---|---|---|---:|---|---:|", *(_row(*each) for each in chosen), ""]
        for each in chosen:
            lines += _section(*each)
    lines += [
        "## Without a certificate",
        "",
        "Mathematical claims that a search alone supports or refutes, and why.",
        "",
    ]
    lines += [f"- `{name}`: {_flat(why)}" for name, why in uncertified().items()]
    return "\n".join(lines).rstrip() + "\n"
