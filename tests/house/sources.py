"""What the tests of the house read: the product's modules, their trees and what they import.

Knows syntax only; imports nothing of the product.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STOREYS = ("card_printables", "calibration", "companion")
"""Bottom first: a storey imports from itself and from those before it."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the product by its dotted name; a package goes by its own name."""
    found = {}
    for storey in STOREYS:
        for path in sorted((ROOT / storey).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, lazily or not: of the product by its exact module, of
    others by all that may be one."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in modules() else node.module)
    return found


def within(module: str, room: str) -> bool:
    """Whether a module is a room or lies in it."""
    return module == room or module.startswith(room + ".")


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of nodes from which each reaches each other, by walking; none in a clean house."""
    reach = {node: _reached(node, arrows) for node in arrows}
    groups = {
        tuple(sorted({node, *(other for other in reach[node] if node in reach.get(other, ()))}))
        for node in arrows
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def _reached(start: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        for node in arrows.get(left.pop(), set()) - found:
            found.add(node)
            left.append(node)
    return found
