"""The house is one that others can carry on: small folders, classes that one can hold in mind, one
name for one thing, reasons that are in the repository, and a README in each room."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT, STOREYS, modules, tree_of

MOST_FILES = 18
MOST_ATTRIBUTES = 12
WHY_MANY = "Many attributes:"
"""Begins the line beside a class that says why it has more."""

SHARED_CONSTANTS = {"ROUTES", "FILE", "MODEL"}
"""Names that say the same of each module: its addresses, its file on disk, the numbers of its model."""

ROOMS = [
    ROOT / storey / room
    for storey, rooms in {
        "card_printables": ("", "artwork", "pages", "output"),
        "calibration": ("", "cameras", "geometry", "tags", "tracking", "check", "simulator", "lens"),
        "companion": (
            "", "game", "table", "dealing", "referee", "vision", "practice", "journal", "capture",
            "set_up", "outbox", "evening", "web", "hall", "commands",
        ),
    }.items()
    for room in rooms
]  # fmt: skip


def _none(kind: str, found: set[str]) -> None:
    assert not found, f"{kind}: {sorted(found)}"


@cache
def _files() -> tuple[Path, ...]:
    """Every file of the repository that is tracked or about to be."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(ROOT / line for line in told.stdout.splitlines() if (ROOT / line).is_file())


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _classes() -> list[tuple[str, Path, ast.ClassDef]]:
    return [
        (module, path, node)
        for module, path in modules().items()
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef)
    ]


def test_no_folder_is_a_corridor() -> None:
    """A folder has at most eighteen source files, so that it is seen at a glance."""
    count: dict[str, int] = defaultdict(int)
    for path in _files():
        if path.suffix in (".py", ".js", ".css") and path.relative_to(ROOT).parts[0] in (
            *STOREYS,
            "tests",
        ):
            count[_named(path.parent)] += path.name != "__init__.py"
    crowded = {folder for folder, files in count.items() if files > MOST_FILES}
    _none("crowded", crowded)


def attributes_of(node: ast.ClassDef) -> set[str]:
    """What a class keeps: its fields, its slots, and all that is assigned to `self`."""
    found = {
        item.target.id
        for item in node.body
        if isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and not ast.unparse(item.annotation).startswith("ClassVar")
    }
    for part in ast.walk(node):
        targets = (
            part.targets
            if isinstance(part, ast.Assign)
            else [part.target]
            if isinstance(part, ast.AnnAssign | ast.AugAssign)
            else []
        )
        for target in targets:
            for one in ast.walk(target):
                if (
                    isinstance(one, ast.Attribute)
                    and isinstance(one.value, ast.Name)
                    and one.value.id == "self"
                    and isinstance(one.ctx, ast.Store)
                ):
                    found.add(one.attr)
    return found


def _is_value(node: ast.ClassDef) -> bool:
    """A frozen value is read as one thing, however many numbers belong together in it."""
    return any("frozen=True" in ast.unparse(one) for one in node.decorator_list)


def test_a_class_can_be_held_in_mind() -> None:
    """State that changes: at most twelve attributes, or a line that says why there are more."""
    heavy = set()
    for module, path, node in _classes():
        text = "\n".join(
            path.read_text(encoding="utf-8").splitlines()[node.lineno - 1 : node.end_lineno]
        )
        if (
            len(attributes_of(node)) > MOST_ATTRIBUTES
            and WHY_MANY not in text
            and not _is_value(node)
        ):
            heavy.add(f"{module}.{node.name}")
    _none("heavy", heavy)


def test_no_class_name_means_two_things() -> None:
    """A public class has its name to itself in the whole product."""
    places: dict[str, set[str]] = defaultdict(set)
    for module, _, node in _classes():
        if not node.name.startswith("_"):
            places[node.name].add(module)
    twice = {name for name, where in places.items() if len(where) > 1}
    _none("twice", twice)


def test_no_constant_name_means_three_things() -> None:
    """A public constant is defined under its name in at most two modules."""
    places: dict[str, set[str]] = defaultdict(set)
    for module, path in modules().items():
        for node in tree_of(path).body:
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            for target in targets:
                if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z][A-Z0-9_]+", target.id):
                    places[target.id].add(module)
    often = {name for name, where in places.items() if len(where) > 2} - SHARED_CONSTANTS
    _none("often", often)


CITED = re.compile(r"[`\s(\"']((?:[\w.-]+/)*[\w-]+\.(?:md|py))\b")
ELSEWHERE = re.compile(r"\b(INCIDENTS|pitfall \d|the reference measurements|reference/)")


def test_no_reason_leads_nowhere() -> None:
    """A page or module that a text names is in the repository."""
    names = {path.name for path in _files()}
    whole = {_named(path) for path in _files()}
    lost = set()
    for path in _files():
        if path.suffix not in (".py", ".md", ".js", ".css", ".toml") or _named(path).startswith(
            ("tests/", "CHANGELOG")
        ):
            continue
        text = path.read_text(encoding="utf-8")
        if ELSEWHERE.search(text):
            lost.add(_named(path))
        for cited in CITED.findall(text):
            cited = cited.lstrip("./")
            known = (
                any(one == cited or one.endswith("/" + cited) for one in whole)
                if "/" in cited
                else cited in names
            )
            if not known:
                lost.add(f"{_named(path)}: {cited}")
    _none("lost", lost)


def test_no_storey_reaches_across_by_a_path() -> None:
    """A storey opens no file of another: no folder name of one stands as a path in another."""
    reaching = set()
    for module, path in modules().items():
        others = [storey for storey in STOREYS if storey != module.split(".")[0]]
        above = others if module.split(".")[0] != "companion" else []
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                parts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                if any(isinstance(part, str) and part.split("/")[0] in above for part in parts):
                    reaching.add(module)
            elif (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and any(re.search(rf"(^|/){other}/\w", node.value) for other in others)
                and "\n" not in node.value
                and " " not in node.value
            ):
                reaching.add(module)
    _none("reaching", reaching)


def test_each_room_says_what_it_is() -> None:
    """Each room has a README: its question, what comes in, what goes out, what it must not know,
    where to begin reading."""
    silent = set()
    for room in ROOMS:
        page = room / "README.md"
        text = page.read_text(encoding="utf-8").lower() if page.exists() else ""
        answers = (
            bool(re.search(r"\bin\b", text)),
            bool(re.search(r"\bout\b", text)),
            bool(re.search(r"\b(not|nothing|never|no)\b", text)),
            "begin" in text or "start" in text,
        )
        if (room.parent != ROOT and not all(answers)) or not text:
            silent.add(_named(room))
    _none("silent", silent)


def test_every_package_says_its_question() -> None:
    """A package's docstring says what it is for; none is "being built"."""
    mute = set()
    for module, path in modules().items():
        if (
            path.name == "__init__.py"
            and len(ast.get_docstring(tree_of(path)) or "Being built.") < 15
        ):
            mute.add(module)
    _none("mute", mute)
