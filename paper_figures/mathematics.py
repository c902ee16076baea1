"""Formulas in the words of claims as MathML, made at build time by latex2mathml; plain text where that is not there.

Claims are written in plain text: "P(|f(x) - m| > omega_f(h) + lambda) -> 0". A run of words that only a formula has is
translated to TeX; a run that cannot be translated for certain stays as it is written.
"""

import importlib
import re
from collections.abc import Callable
from functools import cache

from markupsafe import Markup, escape

__all__ = ["available", "tex", "with_mathematics"]

GREEK = [
    *(
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "eta",
        "theta",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "pi",
        "rho",
        "sigma",
    ),
    *("tau", "phi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega"),
]
FUNCTIONS = {"log", "exp", "max", "min", "sup", "inf", "lim", "sin", "cos"}
NAMED = {"argmax", "argmin", "Var", "MISE", "BCR"}
SHORT = {"Dc": "D_{c}", "Dx": "D_{x}", "ucb": r"\mathrm{ucb}"}
SYMBOLS = {
    "<=": r"\le",
    ">=": r"\ge",
    "->": r"\to",
    "!=": r"\ne",
    "sum": r"\sum",
    "int": r"\int",
    "infinity": r"\infty",
}
PRINTED = {"%": r"\%", "#": r"\#", "\u27ea": r"\{", "\u27eb": r"\}"}
"""Signs that mean something else in TeX."""
_NAME = r"(?:[A-Za-z]|" + "|".join(GREEK) + ")"
_WORDS = sorted([*GREEK, *FUNCTIONS, *NAMED, *SHORT, "sum", "int", "infinity"], key=len, reverse=True)
_TOKEN = re.compile(
    r"sqrt(?=\()|" + "|".join(_WORDS)
    + r"(?![a-zA-Z])|<<|<=|>=|->|!=|\|\||[A-Za-z]+|\d+(?:\.\d+)?|[-+*/=<>|()\[\]{},.;:'^~_%!]|\s+|."
)  # fmt: skip
_CERTAIN = re.compile(r"[_^<>=]|\bsqrt\(|->|^[A-Za-z]\(")


def available() -> bool:
    """Whether the library is installed."""
    return _converter() is not None


@cache
def _converter() -> Callable[[str], str] | None:
    try:
        module = importlib.import_module("latex2mathml.converter")
    except ImportError:
        return None
    convert: Callable[[str], str] = module.convert
    return convert


def with_mathematics(text: str) -> Markup:
    """Words as they are, escaped, with `...` as code and formulas as MathML."""
    pieces = re.split(r"(`[^`]+`)", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece[1:-1]) if index % 2 else _formulas(piece)
        for index, piece in enumerate(pieces)
    )


def _formulas(text: str) -> Markup:
    if not available():
        return escape(text)
    words = re.split(r"(\s+)", text)
    made = Markup("")
    run: list[str] = []
    for word in [*words, ""]:
        if word.strip() == "" and word or _formal(word):
            run.append(word)
            continue
        made += _run("".join(run))
        run = []
        made += escape(word)
    return made + _run("".join(run))


def _formal(word: str) -> bool:
    """Whether a word can stand in a formula: no plain words of two letters or more but names of symbols."""
    if not word or word in ("a", "A", "I"):
        return False
    names = re.findall(r"[A-Za-z]{2,}", re.sub(r"[_^]\{?[A-Za-z0-9+\-*,']+\}?", "", word))
    known = {*GREEK, *FUNCTIONS, *NAMED, *SHORT, "sum", "int", "infinity", "sqrt", "hat", "tilde"}
    return all(name in known for name in names)


def _run(text: str) -> Markup:
    body = text.strip()
    if not body:
        return escape(text)
    before = text[: len(text) - len(text.lstrip())]
    tail = re.search(r"[\s.,;:]*$", body)
    end = tail.group() if tail else ""
    body, after = body[: len(body) - len(end)], end + text[len(text.rstrip()) :]
    made = _mathml(body) if body and _CERTAIN.search(body) else None
    return escape(before) + (escape(body) if made is None else made) + escape(after)


@cache
def _mathml(body: str) -> Markup | None:
    source = tex(body)
    convert = _converter()
    if source is None or convert is None:
        return None
    try:
        found = convert(source)
    except Exception:  # whatever the library cannot read stays text
        return None
    head = found[: found.index(">")]
    return Markup(found.replace(head, f'<math alttext="{escape(body)}"', 1))


def tex(body: str) -> str | None:
    """A formula in TeX, or None where its brackets do not match or it holds a word."""
    for opening, closing in ("()", "[]", "{}"):
        if body.count(opening) != body.count(closing):
            return None
    if "`" in body or "\\" in body or '"' in body:
        return None
    if re.search(r"\^[A-Za-z]{2,}\(", body):
        return None
    text = re.sub(r"(?<![_^])\{([^{}]*)\}", "\u27ea\\1\u27eb", body)  # braces that are printed
    text = re.sub(r"_(p)\^(?=\s)", r"_{\\hat{\1}}", text)
    text = re.sub(rf"({_NAME})_hat\b", r"\\hat{\1}", text)
    text = re.sub(rf"\b({_NAME})\^(?=[_), ]|$)", r"\\hat{\1}", text)
    text = re.sub(rf"\b({_NAME})~(?=[_(), ]|$)", r"\\tilde{\1}", text)
    text = re.sub(rf"\b({_NAME})(\*|\+)(?=[_(), ]|$)", r"{\1}^{\2}", text)
    for mark in "_^":
        text = _grouped(text, mark)
    return _translated(text)


def _grouped(text: str, mark: str) -> str:
    """A sub- or superscript of several signs in braces: x_(t+1), x_t, t^-1, 10^{3}."""
    text = _bracketed(text, mark)
    return re.sub(rf"\{mark}(-?[A-Za-z]+|-?\d+(?:\.\d+)?)", rf"{mark}{{\1}}", text)


def _bracketed(text: str, mark: str) -> str:
    made, start = "", 0
    while (at := text.find(f"{mark}(", start)) >= 0:
        depth, end = 0, at + 1
        for end in range(at + 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                break
        made += text[start:at] + mark + "{" + text[at + 2 : end] + "}"
        start = end + 1
    return made + text[start:]


def _translated(text: str) -> str | None:
    made = []
    roots: list[int] = []
    depth = 0
    for token in re.findall(r"\\(?:hat|tilde)|" + _TOKEN.pattern, text):
        if token == "sqrt":
            roots.append(depth)
            made.append(r"\sqrt")
        elif token == "(" and made and made[-1] == r"\sqrt":
            made.append("{")
            depth += 1
        elif token == ")" and roots and depth == roots[-1] + 1:
            made.append("}")
            roots.pop()
            depth -= 1
        elif token in "()" and token:
            depth += 1 if token == "(" else -1
            made.append(token)
        elif token in GREEK or token in FUNCTIONS:
            made.append(f"\\{token} ")
        elif token in NAMED:
            made.append(f"\\operatorname{{{token}}} ")
        elif token in SYMBOLS:
            made.append(f"{SYMBOLS[token]} ")
        elif token == "||":
            made.append(r"\| ")
        elif token in ("<", ">"):
            made.append(f" {token} ")
        elif token in PRINTED:
            made.append(PRINTED[token])
        elif token in SHORT:
            made.append(f"{SHORT[token]} ")
        elif token == "*":
            made.append(r"\cdot " if made and made[-1] not in "{^" else "*")
        elif re.fullmatch(r"[A-Za-z]{2,}", token):
            made.append(token if len(token) <= 2 else f"\\mathrm{{{token}}}")
        elif token.isspace():
            made.append(" ")
        else:
            made.append(token)
    return "".join(made)
