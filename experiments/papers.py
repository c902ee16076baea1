"""The four papers: the one list that studies, claims, figures, audits and the command lines read.

A new paper is one entry here and one package `<key>/` in each of `experiments`, `theory_checks` and `paper_figures`.
"""

from dataclasses import dataclass

__all__ = ["BY_KEY", "BY_LETTER", "PAPERS", "Paper"]


@dataclass(frozen=True)
class Paper:
    """One paper.

    Attributes:
        key: the name of its packages, and the prefix of the ids of its studies, claims and figures.
        letter: the letter that the documents use.
        subject: the subject in two or three words.
        title: as printed.
        citation: its key in CITATION.bib.
    """

    key: str
    letter: str
    subject: str
    title: str
    citation: str


PAPERS = (
    Paper(
        "boke",
        "A",
        "BOKE",
        "Bayesian Optimization by Kernel Regression and Density-based Exploration",
        "zhu2025boke",
    ),
    Paper(
        "cei",
        "B",
        "corrected expected improvement",
        "A Corrected Expected Improvement Acquisition Function Under Noisy Observations",
        "zhou2023corrected",
    ),
    Paper(
        "ctx",
        "C",
        "unknown context distribution",
        "Stochastic Bayesian Optimization with Unknown Continuous Context Distribution via Kernel Density Estimation",
        "huang2023stochastic",
    ),
    Paper(
        "uhe",
        "D",
        "unknown hyperparameters",
        "Provably Efficient Bayesian Optimization with Unknown Gaussian Process Hyperparameter Estimation",
        "ha2023provably",
    ),
)

BY_KEY = {paper.key: paper for paper in PAPERS}
BY_LETTER = {paper.letter: paper for paper in PAPERS}
