"""The house's storeys: imports go down only, and the pure rooms stay pure."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

STOREYS = ["card_printables", "calibration", "companion"]

LAYERS = [  # bottom first; a module may import from its own layer's package and from layers below
    ["companion.errors"],
    ["companion.table", "companion.game"],
    ["companion.dealing"],
    ["companion.referee"],
    ["companion.practice", "companion.vision", "companion.journal"],
]
"""The rooms of companion below the session; everything else (session, web, commands) stands above
them."""

PURE = ["companion/game", "companion/table", "companion/referee"]
IMPURE_MODULES = {"time", "datetime", "random", "threading", "multiprocessing", "os", "io", "pathlib", "sqlite3", "socket",
                  "subprocess", "cv2", "numpy", "flask", "secrets", "tempfile", "shutil"}  # fmt: skip


def _modules() -> list[Path]:
    return [p for storey in STOREYS for p in sorted((ROOT / storey).rglob("*.py"))]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.update({node.module} | {f"{node.module}.{alias.name}" for alias in node.names})
    return found


def _layer(module: str) -> int:
    for height, rooms in enumerate(LAYERS):
        if any(module == room or module.startswith(room + ".") for room in rooms):
            return height
    return len(LAYERS)


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_a_storey_imports_nothing_from_above(path: Path) -> None:
    """Paper knows no camera, the camera knows no game."""
    height = STOREYS.index(path.relative_to(ROOT).parts[0])
    above = [name for name in _imports(path) if name.split(".")[0] in STOREYS[height + 1 :]]
    assert not above


@pytest.mark.parametrize(
    "path", [p for p in _modules() if p.parts[len(ROOT.parts)] == "companion"], ids=_name
)
def test_a_room_imports_nothing_from_a_higher_layer(path: Path) -> None:
    """Inside companion the game, the table and the referee stand below vision, which stands below
    the session."""
    module = _name(path)
    own = _layer(module)
    higher = [n for n in _imports(path) if n.startswith("companion.") and _layer(n) > own]
    assert not higher


@pytest.mark.parametrize(
    "path", [p for room in PURE for p in sorted((ROOT / room).rglob("*.py"))], ids=_name
)
def test_the_rules_and_the_referee_touch_no_world(path: Path) -> None:
    """Game, table and referee import no clock, no randomness, no file, no thread, no picture
    library."""
    assert not {name.split(".")[0] for name in _imports(path)} & IMPURE_MODULES


def test_the_layer_test_sees_a_breach(tmp_path: Path) -> None:
    """A module that imports a clock is caught by the same reading of imports."""
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    import time\n    return time.time()\n")
    assert {name.split(".")[0] for name in _imports(bad)} & IMPURE_MODULES == {"time"}
