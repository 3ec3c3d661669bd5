"""The practice table waits for somebody to look, and its people give their clouds names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from companion.commands import play
from companion.commands.shared import practice_names
from companion.commands.shared.practice_names import CLOUD_NAMES, PracticeNames
from companion.commands.shared.stopping import Stopping
from companion.game.events import MOST_WORDS, RoundDealt
from companion.game.log import Entry
from tests.support.kept_evening import played


def test_every_name_can_be_kept() -> None:
    """Five words at most, sixteen of them in each language, no two the same."""
    for names in CLOUD_NAMES.values():
        assert len(set(names)) == 16
        assert all(len(name.split()) <= MOST_WORDS for name in names)


def test_a_name_follows_the_deal_that_the_camera_saw(monkeypatch: Any) -> None:
    """A moment after the cards lie it stands with its round; cards laid by touch are people's own."""
    monkeypatch.setattr(practice_names, "TYPED_AFTER_S", 0.0)
    evening = played(phase="secret").do("laid")
    names = PracticeNames()
    names.session = evening.session
    number = evening.board["round"]["number"]
    for source in ("person", "camera"):
        names.hear(Entry(1, 0.0, source, RoundDealt(number, (None,) * 6)), evening.session.keeper)
        if names._timer is not None:
            names._timer.join()
        said = evening.board["round"]["name"]
        assert said == (None if source == "person" else CLOUD_NAMES["en"][number - 1])


def test_the_practice_table_begins_when_somebody_looks(monkeypatch: Any) -> None:
    """At once where a screen is there; else after its minute; told to stop, it waits no longer."""
    stopping = Stopping()
    slept: list[float] = []
    monkeypatch.setattr("companion.commands.play.time.monotonic", lambda: float(len(slept)))
    monkeypatch.setattr("companion.commands.shared.stopping.time.sleep", slept.append)
    server: Any = SimpleNamespace(running=lambda: True, looked_at=True)
    play._await_screen(server, stopping)
    assert slept == []
    server.looked_at = False
    play._await_screen(server, stopping)
    assert len(slept) == play.FIRST_SCREEN_S
    stopping.told = True
    play._await_screen(server, stopping)
    assert len(slept) == play.FIRST_SCREEN_S
