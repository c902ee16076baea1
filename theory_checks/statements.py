r"""The words of the claims: short titles, numbers, statements and hypotheses, one TOML file a paper.

    [hypotheses]                                  # names for texts that several claims share
    compact = '$\mathcal{X}$ compact'

    [thm9_instant]                                # boke.thm9_instant
    title = "BOKE's instantaneous regret"         # for lists; at most 60 characters
    number = "Theorem 9 [4.13], A (26) [4.33]"
    statement = 'With probability at least $1 - \delta$, ...'
    hypotheses = ["compact", '$\delta \in (0, 1)$']
    uncertified = "It rests on Lemma 7, ..."      # why there is no certificate; not where there is one

The words of a claim on an experiment stand in its reading. Formulas are TeX between dollar signs, written so
that Markdown leaves them alone: no bar, asterisk or escaped bracket (`\lvert`, `\ast`, `\lbrace`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from experiments.engine.names import unknown
from experiments.papers import PAPERS

__all__ = ["FORMULA", "Words", "in_plain_text", "read", "uncertified", "words"]

LONGEST_TITLE = 60
FORMULA = re.compile(r"\$([^$]+)\$")
"""A formula in a text; the group is its TeX."""


@dataclass(frozen=True)
class Words:
    """The words of a claim; `statement` and `hypotheses` are as printed, but for a repair; `uncertified` says why a
    supported or refuted claim has no certificate."""

    title: str
    number: str = ""
    statement: str = ""
    hypotheses: tuple[str, ...] = ()
    uncertified: str = ""

    def __post_init__(self) -> None:
        if not 0 < len(self.title) <= LONGEST_TITLE:
            raise ValueError(f"a title has 1 to {LONGEST_TITLE} characters, not {len(self.title)}: {self.title!r}")


def words(claim_id: str) -> Words:
    """The words of a claim. Raises KeyError, listing near names, where its paper's file has none."""
    paper, _, name = claim_id.partition(".")
    known = _of_paper(paper)
    if name not in known:
        raise KeyError(f"theory_checks/{paper}/statements.toml: {unknown('claim', name, known)}")
    return known[name]


def uncertified() -> dict[str, str]:
    """Claim -> the reason why it has no certificate, for each supported or refuted claim without one."""
    found = {f"{paper.key}.{name}": one for paper in PAPERS for name, one in _of_paper(paper.key).items()}
    return {claim: one.uncertified for claim, one in found.items() if one.uncertified}


@cache
def _of_paper(paper: str) -> Mapping[str, Words]:
    path = Path(__file__).parent / paper / "statements.toml"
    return read(paper, path.read_text(encoding="utf-8"))


def read(paper: str, text: str) -> dict[str, Words]:
    """The words in a TOML text, by the claims' names. Raises ValueError where it is malformed."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # also where a name occurs twice
        raise ValueError(f"{paper}/statements.toml: {error}") from error
    shared = tables.pop("hypotheses", {})
    found = {name: _words(f"{paper}.{name}", table, shared) for name, table in tables.items()}
    used = {line for table in tables.values() for line in table.get("hypotheses", ())}
    if idle := set(shared) - used:
        raise ValueError(f"{paper}/statements.toml: no claim has the hypothesis {min(idle)!r}")
    return found


def _words(name: str, table: Mapping[str, Any], shared: Mapping[str, str]) -> Words:
    known = ("title", "number", "statement", "hypotheses", "uncertified")
    for key in table:
        if key not in known:
            raise ValueError(f"claim {name}: {unknown('field', key, known)}")
    lines = tuple(_one_line(shared.get(line, line)) for line in table.get("hypotheses", ()))
    statement, uncertified = (_one_line(table.get(field, "")) for field in ("statement", "uncertified"))
    return Words(table.get("title", ""), table.get("number", ""), statement, lines, uncertified)


def _one_line(text: str) -> str:
    return " ".join(text.split())


SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "Theta": "Θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "varsigma": "ς", "upsilon": "υ", "phi": "φ", "Phi": "Φ", "psi": "ψ", "Psi": "Ψ", "omega": "ω", "Delta": "Δ",
    "le": "≤", "ge": "≥", "ne": "≠", "to": "→", "leftarrow": "←", "infty": "∞", "in": "∈", "sim": "~", "subset": "⊂",
    "supset": "⊃", "setminus": "∖", "times": "×", "cdot": "·", "ast": "*", "equiv": "≡", "ll": "≪", "gg": "≫",
    "dots": "…", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖", "lceil": "⌈", "rceil": "⌉",
    "lfloor": "⌊", "rfloor": "⌋", "mid": "|", "partial": "∂", "sum": "Σ", "int": "∫", "ell": "ℓ", "sqrt": "√", "#": "#",
}  # fmt: skip
"""TeX commands that stand for a sign."""


def in_plain_text(text: str) -> str:
    r"""A text for terminals: formulas without dollar signs, TeX's signs in Unicode, `\frac{a}{b}` as (a)/(b)."""
    return FORMULA.sub(lambda match: _plain(match[1]), text)


def _plain(tex: str) -> str:
    tex = re.sub(r"\\(?:mathrm|mathcal|mathbf|mathbb|text)\{([^{}]*)\}", r"\1", tex)
    tex = re.sub(r"\\(hat|tilde)\{([^{}]*)\}", lambda m: m[2] + {"hat": "\u0302", "tilde": "\u0303"}[m[1]], tex)
    group = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
    tex = re.sub(rf"\\frac{group}{group}", lambda m: f"({m[1]})/({m[2]})", tex)
    tex = re.sub(r"([_^])\{(\w|\\ast|\\infty)\}", r"\1\2", tex).replace("{", "(").replace("}", ")")
    tex = re.sub(r"\\lbrace ?", "{", re.sub(r" ?\\rbrace", "}", tex))
    tex = re.sub(r"\\([A-Za-z]+|#)", lambda m: SIGNS.get(m[1], m[1]), tex)
    return re.sub(r" +", " ", tex).strip()
