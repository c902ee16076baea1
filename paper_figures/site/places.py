"""The places on the site of the page of a claim, of a certificate and of a figure, relative to the site's root."""

from collections.abc import Mapping, Sequence

from theory_checks.ledger import Claim

__all__ = ["anchor_of", "certificate_place", "claim_place", "figure_page", "own_page", "parent_of"]


def own_page(claim_id: str) -> str:
    """The page of a claim that repairs no other claim: "claims/boke/prop1.md"."""
    paper, _, name = claim_id.partition(".")
    return f"claims/{paper}/{name}.md"


def anchor_of(claim_id: str) -> str:
    """The anchor of a repair or variant on the page of its claim: its id as a heading."""
    return claim_id.lower().replace(".", "")


def parent_of(claim: Claim, claims: Mapping[str, Claim]) -> Claim:
    """The claim on whose page a claim stands: itself, or the claim that it repairs, over any number of steps."""
    while claim.repairs and claim.repairs in claims:
        claim = claims[claim.repairs]
    return claim


def claim_place(claim_id: str, claims: Mapping[str, Claim]) -> str:
    """Page and anchor of a claim."""
    parent = parent_of(claims[claim_id], claims)
    page = own_page(parent.id)
    return page if parent.id == claim_id else f"{page}#{anchor_of(claim_id)}"


def certificate_place(claim_id: str) -> str:
    """The page of the certificate of a claim: "certificates/boke/prop1.md"."""
    paper, _, name = claim_id.partition(".")
    return f"certificates/{paper}/{name}.md"


def figure_page(figure_id: str) -> str:
    """The page of a figure: "figures/boke_fig6.md"."""
    return f"figures/{figure_id.replace('.', '_')}.md"


def relative(target: str, page: str) -> str:
    """The address of a place relative to a page, both given relative to the site's root."""
    here: Sequence[str] = page.split("/")[:-1]
    path = target.split("/")
    common = 0
    while common < min(len(here), len(path) - 1) and here[common] == path[common]:
        common += 1
    return "/".join([*[".."] * (len(here) - common), *path[common:]])
