"""Writes the glossary's last table, each public class of the product in its room:
`python -m tests.house.glossary`."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.house.sources import ROOT, modules, tree_of

PAGE = ROOT / "companion" / "GLOSSARY.md"
BEGIN, END = "<!-- classes: written by tests/house/glossary.py -->", "<!-- end of classes -->"


def classes() -> dict[str, list[str]]:
    """The public classes of each folder, as the page names them."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in modules().values():
        folder = path.parent.relative_to(ROOT).as_posix()
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[folder].append(f"{node.name} ({path.stem})")
    return {folder: sorted(names) for folder, names in sorted(found.items())}


def page(text: str) -> str:
    """The glossary with its last table as the code has it."""
    lines = ["| room | classes (module) |", "|---|---|"]
    lines += [f"| `{folder}` | {', '.join(names)} |" for folder, names in classes().items()]
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + "\n".join([BEGIN, "", *lines, "", END]) + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
