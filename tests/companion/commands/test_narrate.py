"""What the terminal tells of an evening, line by line, as `companion play` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.commands.shared.narrate import Narrator
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.log import Entry
from companion.journal import Journal
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.tablet_states import asked as asked_of_a_round

PLAYERS = ["Ada", "Ben", "Cleo", "Dan", "Eva"]


class Terminal:
    """An evening kept by touch, and what each act made the terminal say."""

    def __init__(self, folder: Path) -> None:
        self._lines: list[str] = []
        self._narrator = Narrator()
        self.session = Session(Journal(folder), on_entry=self._hear)
        self._count = 0

    def _hear(self, entry: Entry, keeper: Scorekeeper) -> None:
        self._lines += self._narrator.tell(entry, keeper)

    def after(self, do: str, **more: Any) -> list[str]:
        """The lines that one command leads to."""
        self._count += 1
        self._lines = []
        asked = {"id": f"command-{self._count:05d}", "version": self.session.version, "do": do}
        assert self.session.command({**asked, **more})[0] == 200
        return self._lines


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """Five players have sat down; Ada is the first Daydreamer."""
    terminal = Terminal(tmp_path)
    terminal.after("begin", players=PLAYERS, daydreamer=0)
    yield terminal
    terminal.session.close()


def play_round(terminal: Terminal, wrong: int) -> None:
    """A round by touch: so many are wrong, then somebody is right."""
    terminal.after("next") if terminal.session.scoreboard()["phase"] == "result" else None
    terminal.after("laid")
    for _ in range(wrong):
        terminal.after("set_aside")
    terminal.after("right")


def test_cards_that_nobody_read_are_left_out(terminal: Terminal) -> None:
    """By touch no card has a number; where some were read, those are told."""
    assert terminal.after("laid") == ["Round  1  Ada lays the cards; Lookout is Eva"]
    told = terminal.after("correct", round=1, guesses=[{"card": 7, "right": False}])
    assert told == ["         Ben is wrong with 07"]


def test_a_round_that_nobody_found_has_its_result_by_touch(terminal: Terminal) -> None:
    """The last wrong guess ends the round: the Lookout's clouds stand in its line."""
    terminal.after("laid")
    terminal.after("set_aside")
    terminal.after("set_aside")
    assert terminal.after("set_aside") == ["         Dan is wrong; nobody found it: Eva +5"]


def test_who_was_right_is_named_first(terminal: Terminal) -> None:
    """Also where the Daydreamer, who sits before them, gains something too."""
    terminal.after("laid")
    terminal.after("set_aside")
    assert terminal.after("right") == ["         Cleo is right: Cleo +4, Ada +1"]


def test_a_correction_names_its_round_and_what_holds_now(terminal: Terminal) -> None:
    """Round 1 is corrected in round 2: one line, with its number, and the whole round."""
    play_round(terminal, 1)
    play_round(terminal, 0)
    guesses = [{"right": False}, {"right": False}, {"right": True}]
    assert terminal.after("correct", round=1, guesses=guesses) == [
        "Round  1  corrected; now Ada lays the cards; Ben is wrong; Cleo is wrong; Dan is right: Dan +3, Ada +2"
    ]
    assert terminal.after("undo") == [
        "Round  1  taken back; now Ada lays the cards; Ben is wrong; Cleo is right: Cleo +4, Ada +1"
    ]


def test_an_undo_says_what_holds_now(terminal: Terminal) -> None:
    """A guess, then the cards: who guesses again, and that no cards lie; a redo brings them again."""
    terminal.after("laid")
    terminal.after("right")
    assert terminal.after("undo") == ["Round  1  taken back; now Ada lays the cards; Ben guesses"]
    assert terminal.after("undo") == ["Round  1  taken back; now no cards lie"]
    assert terminal.after("redo") == [
        "Round  1  entered again; now Ada lays the cards; Ben guesses"
    ]


def test_a_round_that_was_written_in_is_taken_out_again(terminal: Terminal) -> None:
    """Its own number goes; the round that has the number since is not told as if it were taken back."""
    play_round(terminal, 0)
    play_round(terminal, 1)
    told = terminal.after("insert", round=1, guesses=[{"right": True}])
    assert told == [
        "Round  1  Ada lays the cards; Lookout is Eva",
        "Round  1  Ben is right: Ben +5",
    ]
    assert terminal.after("undo") == [
        "The round that was written in as round 1 is taken out again."
    ]


def test_the_winners_are_told_once(terminal: Terminal) -> None:
    """A name that is written afterwards says nothing anew; a correction tells the new standings."""
    play_round(terminal, 0)
    ended = terminal.after("end")
    assert ended == ["The evening was ended.", "Ben wins: Ben 5, Ada 0, Cleo 0, Dan 0, Eva 0"]
    assert terminal.after("name", words="a whale", round=1) == []
    corrected = terminal.after("correct", round=1, guesses=[{"right": False}, {"right": True}])
    assert corrected[-1] == "Cleo wins: Cleo 4, Ada 1, Ben 0, Dan 0, Eva 0"
    assert terminal.after("undo")[-1] == "Ben wins: Ben 5, Ada 0, Cleo 0, Dan 0, Eva 0"


def test_the_end_of_a_game_that_is_over_says_no_winners_again(terminal: Terminal) -> None:
    """The practice table ends its game after the last card was won: the winners stand there already."""
    while terminal.session.scoreboard()["phase"] != "over":
        play_round(terminal, 0)
    assert terminal.after("end") == ["The evening was ended."]


def test_an_end_that_is_taken_back_goes_on(terminal: Terminal) -> None:
    """And the winners are told again when it ends again."""
    play_round(terminal, 0)
    ended = terminal.after("end")
    assert terminal.after("undo") == ["The evening goes on."]
    assert terminal.after("end") == ended


def test_a_set_up_that_is_taken_back_is_told(terminal: Terminal) -> None:
    """Begun anew before any cards lay: said before the new beginning; after a game it is none."""
    anew = terminal.after("begin", players=PLAYERS[:4], daydreamer=1)
    begins = "The evening begins: Ada, Ben, Cleo, Dan.  Ben is the first Daydreamer."
    assert anew == ["The set-up is taken back.", begins]
    play_round(terminal, 0)
    terminal.after("end")
    assert terminal.after("begin", players=PLAYERS[:4], daydreamer=1) == [begins]


def test_a_new_game_that_is_taken_back_is_told(terminal: Terminal) -> None:
    """Undo after the same people sat down again: the game before is on the table."""
    play_round(terminal, 0)
    terminal.after("end")
    terminal.after("rematch")
    told = terminal.after("undo")
    assert told == ["The new game is taken back; the one before is on the table again."]
    begins = "The evening begins: Ada, Ben, Cleo, Dan, Eva.  Eva is the first Daydreamer."
    assert terminal.after("rematch", daydreamer=4) == [begins]
    terminal.after("undo")
    assert terminal.after("undo") == ["The evening goes on."]


def test_an_answer_says_what_holds_now() -> None:
    """The camera asked how a round went: the line has its number and the story that was told."""
    evening = asked_of_a_round(KeptEvening(NAMES))
    question = evening.board["question"]
    before = len(evening.entries)
    evening.do("answer", question=question["id"], option=question["options"][0]["option"])
    keeper = evening.session.keeper
    narrator = Narrator()
    told = [line for entry in keeper.log.entries[before:] for line in narrator.tell(entry, keeper)]
    number = question["round"]
    round_ = keeper.ledger.rounds[number - 1]
    assert len(told) == 1
    assert told[0].startswith(f"Round {number:>2}  answered; now ")
    assert all(f"{card:02d}" in told[0] for card in round_.known_cards if card is not None)
    assert f"{keeper.ledger.names[round_.claimer or 0]} is right" in told[0]


def test_a_game_that_goes_on_after_all_says_so(terminal: Terminal) -> None:
    """The deck was said to be so small that the round before was the last; that is taken back."""
    play_round(terminal, 0)
    over = terminal.after("deck", size=5)
    assert over == ["Ben wins: Ben 5, Ada 0, Cleo 0, Dan 0, Eva 0"]
    assert terminal.after("undo") == ["The evening goes on."]
