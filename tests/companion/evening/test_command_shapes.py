"""Commands of any shape: read or refused by the one declared table, never a failure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.commands.shared.narrate import Narrator
from companion.evening import command_shapes, player_commands
from companion.evening.session import Session
from companion.journal import Journal
from companion.set_up import card_back_store

PLAYERS = ["Ada", "Ben", "Cleo", "Dan", "Eva"]
README = Path(command_shapes.__file__).with_name("README.md")


class Table:
    """A session whose entries are told in the terminal, as `companion play` does it."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self._narrator = Narrator()
        self.session = Session(Journal(folder), on_entry=self._tell)
        self.count = 0

    def _tell(self, entry: Any, keeper: Any) -> None:
        self.told += self._narrator.tell(entry, keeper)

    def ask(self, do: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """One command with the present version."""
        self.count += 1
        base = {"id": f"command-{self.count:05d}", "version": self.session.version, "do": do}
        return self.session.command({**more, **base})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Five players have sat down."""
    table = Table(tmp_path)
    assert table.ask("begin", players=PLAYERS, daydreamer=0)[0] == 200
    yield table
    table.session.close()


def test_the_documentation_tells_the_declared_shapes() -> None:
    """Each command's line stands in the room's README exactly as the table declares it."""
    told = [line for line in README.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    assert told == command_shapes.shape_lines()


def test_every_command_that_is_carried_out_has_a_shape() -> None:
    """No command without its declared shape, and no shape without its command."""
    carried_out = {*player_commands._CHANGES, "begin", "rematch", "accept_count", "camera"}
    carried_out |= set(card_back_store.COMMANDS)
    assert set(command_shapes.SHAPES) == carried_out


def test_a_refusal_names_the_field(table: Table) -> None:
    """The first field that is of another kind than declared stands in the refusal."""
    status, answer = table.ask("correct", round=1, guesses=[{"right": 1}])
    assert (status, answer["params"]) == (422, {"do": "correct", "field": "guesses"})


def test_a_name_for_round_0_is_refused(table: Table) -> None:
    """Rounds count from 1, also before the first one was dealt."""
    status, answer = table.ask("name", round=0, words="a cloud")
    assert (status, answer["reason"]) == (422, "command_shape")


@pytest.mark.parametrize("cards", [None, [], [None], [None] * 5, [1, 2, 3, 4, None], [1, 1, 2]])
@pytest.mark.parametrize("card", [None, 7, 99])
@pytest.mark.parametrize("dealt", [None, [1, 2, 3, 4, 5]])
def test_a_correction_with_a_card_nobody_dealt_is_an_answer(
    table: Table, cards: Any, card: int | None, dealt: list[int] | None
) -> None:
    """Where no round lies, or another card: accepted or refused in words, and taken back again."""
    if dealt:
        assert table.ask("laid", cards=dealt)[0] == 200
    guesses = [{"card": card, "right": False}]
    assert table.ask("correct", round=1, guesses=guesses, cards=cards)[0] in (200, 422)
    assert table.ask("undo")[0] in (200, 422)


def test_players_may_change_while_a_round_of_others_lies(table: Table) -> None:
    """The open round's Daydreamer leaves: what is tapped of the round is still entered."""
    table.ask("laid", cards=[1, 2, 3, 4, 5])
    assert table.ask("players", players=["Ben", "Cleo", "Eva"])[0] == 200
    assert table.ask("set_aside", card=2)[0] == 200


def test_a_fault_of_our_own_leaves_nothing_half_entered(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the board cannot be drawn the act is not stored, and memory does not keep it either."""
    before = table.session.log
    with monkeypatch.context() as broken:
        broken.setattr(table.session, "_store_command", _fail)
        with pytest.raises(ZeroDivisionError):
            table.ask("laid")
    assert table.session.log == before == table.session.journal.log
    assert table.ask("laid")[0] == 200


def _fail(*_: object) -> None:
    raise ZeroDivisionError


VALUES: tuple[Any, ...] = (
    None, 0, 1, 2, -1, 99, 10**14, 0.5, True, "", "x", "a b", "out", "en", {}, [], [None], [[1]],
    [1, 2, 3, 4, 5], [None] * 5, [1] * 5, ["Ada", "Ben", "Cleo"], [{"right": True}],
    [{"card": None, "right": False}], [{"card": 99, "right": False}, {"right": True}],
)  # fmt: skip
FIELDS = sorted({f for s in command_shapes.SHAPES.values() for f in (*s.must, *s.may)})


@pytest.mark.parametrize("seed", range(4))
def test_no_command_of_any_shape_fails(table: Table, seed: int) -> None:
    """150 commands with any value in any field: each is done, refused or out of date."""
    dice = random.Random(seed)
    for _ in range(150):
        do = dice.choice([*command_shapes.SHAPES, "fly"])
        if do in ("end", "begin", "rematch") and dice.random() < 0.8:
            continue
        more = {f: dice.choice(VALUES) for f in dice.sample(FIELDS, dice.randrange(6))}
        if dice.random() < 0.5:
            more |= {
                "round": dice.choice([0, 1, 2]),
                "guesses": dice.choice(VALUES),
                "words": "a b",
            }
        assert table.ask(do, **more)[0] in (200, 422)
    assert table.session.log == table.session.journal.log
