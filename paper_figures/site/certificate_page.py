"""docs/certificates.md, which is the list of certificates, and docs/certificates/, which has one page a certificate."""

import math
from collections.abc import Collection, Iterable, Iterator

from experiments.papers import PAPERS
from paper_figures.site.markdown import cell, grid, prose
from paper_figures.site.places import certificate_place, claim_place
from theory_checks.certificates.certificate import Certificate, Settles
from theory_checks.certificates.checker import Boxes, Step
from theory_checks.certificates.registry import certificates, verified
from theory_checks.ledger import Claim, load
from theory_checks.statements import uncertified

_INTRODUCTION = """A search did not break a supported claim. A certificate says more. It holds the argument of a proof
or of a refutation, and the data (points, multipliers, boxes, identities) from which a checker verifies the computations
of the argument. The checker does not know how a certificate was found. Every step has a wrong neighbour (an altered
digit, sign or term, or a cover that lacks a box), which the checker must not confirm. {} certificates hold an argument
only."""

_TRUSTED = """A reader has to trust the checker (`theory_checks/certificates/checker.py`, at most 300 lines), Arb's
balls and FLINT's rationals (python-flint), sympy for the steps called *Identity*, and the sentences of the argument and
of the modules that it names, which no machine checks. *Balls* are inequalities of enclosed numbers, exact rationals
where possible. *Boxes* are inequalities on every box of a cover of a compact set. An *Identity* is an equation by
computer algebra. *Words* counts those of the argument. *Argument only* marks a proof that computes nothing. *Assumes*
names what goes beyond the printed hypotheses, or how they are read. Seconds are of one core of the reference
machine."""


def _size(steps: Iterable[Step]) -> str:
    """The numbers of steps, statements and boxes: "2 steps, 5 statements, 35 boxes"."""
    steps = list(steps)
    boxes = sum(math.prod(len(c) - 1 for c in step.cuts.values()) for step in steps if isinstance(step, Boxes))
    counts = {"step": len(steps), "statement": sum(len(step.holds) for step in steps), "box": boxes}
    plural = {"box": "boxes"}
    return ", ".join(f"{n} {name if n == 1 else plural.get(name, name + 's')}" for name, n in counts.items() if n)


HEADER = ("certificate", "number", "verdict", "checked by", "words", "seconds")


def _row(claim: Claim, certificate: Certificate) -> tuple[str, ...]:
    words = sum(len(each.split()) for each in certificate.argument)
    link = f"[{claim.id}]({certificate_place(claim.id)})"
    kind = certificate.kind or "argument only"
    return link, prose(claim.number), certificate.settles, kind, str(words), _seconds(claim.id)


def _seconds(claim_id: str) -> str:
    return str(verified()[claim_id]["seconds"]) if claim_id in verified() else "not verified"


def certificate_pages(known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The page of each certificate of the claims given, as (path below `docs`, text)."""
    claims = load()
    for name, certificate in certificates().items():
        if name in known:
            yield certificate_place(name), _page(claims[name], certificate, claim_place(name, claims))


def _page(claim: Claim, certificate: Certificate, place: str) -> str:
    title = cell(prose(claim.title))
    lines = [
        f"# Certificate: {title}",
        "",
        f"**{certificate.settles}** · {prose(claim.number)} · [{claim.id}](../../{place}) ·"
        " [what a certificate is](../../certificates.md)",
        "",
        f"> {prose(claim.statement)}",
        "",
        *(f"- Hypothesis: {prose(each)}" for each in claim.hypotheses),
    ]
    lines += [f"- Assumes: {prose(certificate.assumes)}"] if certificate.assumes else []
    lines += ["", "## Argument", "", *(f"{prose(each)}\n" for each in certificate.argument)]
    if certificate.steps:
        lines += ["## Checked", ""]
        lines += [f"- {type(step).__name__}: {prose(step.says)}" for step in certificate.steps]
        lines += ["", f"The checker verifies {_size(certificate.steps)} in {_seconds(claim.id)} s:"]
    else:
        lines += ["The proof computes nothing that a checker could verify. The command lists it:"]
    return "\n".join([*lines, "", "```sh", f"make certify ONLY={claim.id}", "```"]) + "\n"


def certificates_page() -> str:
    """The list, from the certificates and the record of their verification."""
    claims, known = load(), certificates()
    proved = sum(each.settles is Settles.PROVED for each in known.values())
    seconds = sum(float(of["seconds"]) for of in verified().values())
    lines = [
        "# Certificates",
        "",
        "<!-- Written by `make publish` from the certificates: do not edit. -->",
        "",
        " ".join(_INTRODUCTION.format(sum(not each.steps for each in known.values())).split()),
        "",
        " ".join(_TRUSTED.split()),
        "",
        f"`make certify` verifies {len(known)} certificates in {math.ceil(seconds)} s: {proved} proofs and"
        f" {len(known) - proved} refutations. `make certify ONLY=boke.lemma10` verifies one.",
        "",
    ]
    for paper in PAPERS:
        own = [claim for claim in claims.values() if claim.paper == paper.letter and claim.id in known]
        lines += [f"## Paper {paper.letter}: {paper.subject}", ""]
        lines += [*grid(HEADER, [_row(claim, known[claim.id]) for claim in own]), ""]
    decided = "A search, an exact computation or an argument in the check's module decides these claims;"
    decided += " no certificate does."
    lines += ["## Without a certificate", "", decided, ""]
    lines += [f"- `{name}`: {prose(why)}" for name, why in uncertified().items()]
    return "\n".join(lines).rstrip() + "\n"
