"""The house's storeys and rooms: imports go down only, never in a circle, and the pure rooms stay
pure."""

from __future__ import annotations

from pathlib import Path

from tests.house.sources import STOREYS, circles, imported, modules, within

LAYERS = {  # bottom first; a room imports from its own row and from the rows before it
    "card_printables": (
        ("card_printables",),  # deck, marker, token, paper, order
        ("card_printables.artwork",),
        ("card_printables.pages",),
        ("card_printables.output",),
        ("card_printables.print_job", "card_printables.workshop", "card_printables.previews"),
        ("card_printables.__main__",),
    ),
    "calibration": (
        ("calibration",),
        ("calibration.cameras", "calibration.geometry", "calibration.simulator"),
        ("calibration.tags",),
        ("calibration.tracking", "calibration.check"),
        ("calibration.lens",),
        ("calibration.__main__",),
    ),
    "companion": (
        ("companion",),  # errors, child_process, limited_process
        ("companion.table", "companion.game"),
        ("companion.dealing",),
        ("companion.referee",),
        ("companion.findings",),
        ("companion.practice", "companion.vision", "companion.journal"),
        ("companion.years",),
        ("companion.capture", "companion.outbox"),
        ("companion.set_up",),
        ("companion.evening",),
        ("companion.web",),
        ("companion.hall",),
        ("companion.commands",),
        ("companion.__main__",),
    ),
}

PURE = (
    "companion.game",
    "companion.table",
    "companion.dealing",
    "companion.referee",
    "companion.findings",
)
IMPURE_MODULES = {"time", "datetime", "random", "threading", "multiprocessing", "os", "io", "pathlib", "sqlite3", "socket",
                  "subprocess", "cv2", "numpy", "flask", "secrets", "tempfile", "shutil"}  # fmt: skip


def _place(module: str) -> tuple[int, str]:
    """How high a module stands in its storey, and the name of its room."""
    rows = LAYERS[module.split(".")[0]]
    room, height = max(
        ((room, height) for height, row in enumerate(rows) for room in row if within(module, room)),
        key=lambda place: len(place[0]),
    )
    return height, room


def test_a_storey_imports_nothing_from_above() -> None:
    """Paper knows no camera, the camera knows no game."""
    above = [
        (module, name)
        for module, path in modules().items()
        for name in imported(path)
        if name.split(".")[0] in STOREYS[STOREYS.index(module.split(".")[0]) + 1 :]
    ]
    assert not above


def test_every_folder_is_a_room_with_its_place() -> None:
    """No room is left out of the order: a new one is written into it."""
    rooms = {".".join(name.split(".")[:2]) for name, path in modules().items() if "." in name}
    packages = {room for room in rooms if modules()[room].name == "__init__.py"}
    assert packages == {room for room in packages if _place(room)[1] == room}


def test_a_room_imports_nothing_from_a_higher_layer() -> None:
    """Inside a storey the rooms stand in one order, and imports go down it."""
    higher = []
    for module, path in modules().items():
        height, _ = _place(module)
        for name in imported(path) & modules().keys():
            same_storey = name.split(".")[0] == module.split(".")[0]
            if same_storey and _place(name)[0] > height:
                higher.append((module, name))
    assert not higher


def test_rooms_of_one_layer_are_in_no_circle() -> None:
    """Two rooms that stand side by side do not lean on each other."""
    arrows: dict[str, set[str]] = {}
    for module, path in modules().items():
        own = _place(module)
        for name in imported(path) & modules().keys():
            if _place(name) != own and _place(name)[0] == own[0]:
                arrows.setdefault(own[1], set()).add(_place(name)[1])
    assert not circles(arrows)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not through others, and not lazily."""
    arrows = {
        module: imported(path) & modules().keys() - {module} for module, path in modules().items()
    }
    assert not circles(arrows)


def test_the_rules_and_the_referee_touch_no_world() -> None:
    """Game, table, dealing and referee import no clock, no randomness, no file, no thread, no
    picture library."""
    impure = [
        (module, name)
        for module, path in modules().items()
        if any(within(module, room) for room in PURE)
        for name in imported(path)
        if name.split(".")[0] in IMPURE_MODULES
    ]
    assert not impure


def test_the_layer_test_sees_a_breach(tmp_path: Path) -> None:
    """A module that imports a clock, though only within a function, is caught by the same reading
    of imports; so is a circle of three."""
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    import time\n    return time.time()\n")
    assert {name.split(".")[0] for name in imported(bad)} & IMPURE_MODULES == {"time"}
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
