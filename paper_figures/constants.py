"""The constants that a paper leaves open, read from the module that sets them: name, value and its own words."""

import ast
import inspect
from types import ModuleType

from core.policies import constants as boke_constants
from paper_figures.table import Table

MODULES: dict[str, ModuleType] = {"A": boke_constants}
"""Where each paper's constants are set."""


def constants_table(paper: str = "A") -> Table:
    """Every constant of a paper's module with its value and the docstring that follows it."""
    module = MODULES[paper]
    body = ast.parse(inspect.getsource(module)).body
    rows = []
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        name = node.targets[0].id
        if name.startswith("_") or not name.isupper():
            continue
        words = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            words = " ".join(str(after.value.value).split())
        rows.append((name, str(getattr(module, name)), words))
    note = " ".join((inspect.getdoc(module) or "").replace("``", "").split())
    return Table("Constants that the paper leaves open", ("Constant", "Value", "Meaning"), tuple(rows), note)
