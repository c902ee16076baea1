"""Results of checks on disk: one JSON file a claim and scale, written atomically, trusted only while its key matches.

The key hashes everything a verdict depends on: the code of the claim's module and of every project module it imports
(docstrings and comments excluded), the scale, the significance level, and the results of the studies it reads.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from theory_checks.ledger import Claim, level

ROOT = Path(__file__).resolve().parent.parent
LOCAL = ROOT / "results" / "local"
REFERENCE = ROOT / "results" / "reference"
PROJECT = ("core", "experiments", "theory_checks", "paper_figures")

_FIELDS = ("id", "paper", "number", "verdict", "summary", "numbers", "seconds", "counterexample", "scale", "key")


def write_json(path: Path, value: Any) -> None:
    """Write `value` to `path` as JSON, atomically: a reader sees the old file or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, indent=1, sort_keys=True, allow_nan=False) + "\n"
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _path_of(module: str) -> Path | None:
    stem = ROOT.joinpath(*module.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [
                item for item in node.body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
            ]
    return tree


def _imports(tree: ast.AST, module: str, is_package: bool) -> set[str]:
    package = module if is_package else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (base, node.module or "") if part)
            found.add(origin)
            found.update(f"{origin}.{alias.name}" for alias in node.names)
    parents = {name.rsplit(".", depth)[0] for name in found | {module} for depth in range(1, name.count(".") + 1)}
    return {name for name in found | parents if name.split(".")[0] in PROJECT}


@cache
def code_hash(module: str) -> str:
    """Hash of the code of `module` and of all project modules it imports, directly or through others."""
    pending, seen = [module], {}
    while pending:
        name = pending.pop()
        path = _path_of(name)
        if name in seen or path is None:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        pending.extend(_imports(tree, name, path.name == "__init__.py"))
        seen[name] = hashlib.sha256(ast.dump(_without_docstrings(tree)).encode()).hexdigest()
    return hashlib.sha256(json.dumps(sorted(seen.items())).encode()).hexdigest()


def input_files(study: str, scale: str, local: Path = LOCAL) -> list[Path]:
    """The stored results of a study: local ones where they exist, otherwise the committed reference."""
    for root in (local, REFERENCE):
        files = sorted((root / study / scale).glob("*.npz"))
        if files:
            return files
    return []


def key_of(claim: Claim, scale: str, local: Path = LOCAL) -> str:
    """The key under which evidence on `claim` at `scale` stays valid."""
    inputs = {
        study: [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in input_files(study, scale, local)]
        for study in claim.needs
    }
    text = json.dumps([claim.id, code_hash(claim.check.__module__), scale, level(claim.paper), inputs])
    return hashlib.sha256(text.encode()).hexdigest()


def path_of(claim_id: str, scale: str, root: Path = LOCAL) -> Path:
    """Where the entry of one claim lies under a results root: `<root>/claims/<scale>/<id>.json`."""
    return root / "claims" / scale / f"{claim_id}.json"


def read(claim_id: str, scale: str, root: Path = LOCAL) -> dict[str, Any] | None:
    """The stored entry, or None where there is none. Raises ValueError on a truncated or foreign file."""
    path = path_of(claim_id, scale, root)
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a readable result: {error}") from error
    if not isinstance(entry, dict) or any(name not in entry for name in _FIELDS) or entry["id"] != claim_id:
        raise ValueError(f"{path} is not a result of claim {claim_id}")
    return entry


def write(entry: Mapping[str, Any], scale: str, root: Path = LOCAL) -> None:
    """Store one entry (the fields of `_FIELDS`) under the results root."""
    write_json(path_of(entry["id"], scale, root), dict(entry))


def latest(claim_id: str, scale: str, local: Path = LOCAL) -> dict[str, Any] | None:
    """The local entry if there is one, otherwise the committed reference entry, otherwise None."""
    for root in (local, REFERENCE):
        try:
            entry = read(claim_id, scale, root)
        except ValueError:
            continue
        if entry is not None:
            return entry
    return None
