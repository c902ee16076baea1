"""Everything with studies and figures: the four papers, and the studies beyond them."""

from experiments.papers import PAPERS, Paper

__all__ = ["BEYOND", "GROUPS"]

BEYOND = Paper("common", "All", "beyond the papers", "Beyond the papers: methods of several of them side by side", "")
"""Groups of studies and figures that belong to no paper: packages `experiments.common` and `paper_figures.common`."""

GROUPS = (*PAPERS, BEYOND)
"""All groups in the order of tables and pages. Only papers have claims and records."""
