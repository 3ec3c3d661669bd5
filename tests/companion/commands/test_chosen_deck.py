"""The deck that people chose on the tablet: found at the next start, and never what stops it."""

from __future__ import annotations

import argparse
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from companion.capture.watching import Watching
from companion.commands import play
from companion.commands.shared.decks import PlayedDeck, learnt_deck
from companion.commands.shared.sources import Source
from companion.errors import BadInput
from companion.evening.session import Session
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.set_up import deck_store
from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LearntCard, LearntDeck, check_name, look_size
from companion.vision.second_reader.zxing import decode


class AnySession:
    """A session that plays with whatever it is given, or refuses."""

    refuses = False
    numbers: frozenset[int] = frozenset()

    learnt_deck: str = ""

    def play_with(
        self, eye: object, numbers: frozenset[int], learnt_deck: str = ""
    ) -> Refusal | None:
        """Keep what is played with."""
        if self.refuses:
            return Refusal("evening_begun")
        self.numbers, self.learnt_deck = numbers, learnt_deck
        return None


def asked(folder: Path) -> argparse.Namespace:
    """`companion play` with nothing said of a deck."""
    parser = argparse.ArgumentParser()
    play.configure(parser)
    return parser.parse_args(["--data", str(folder)])


def kept(folder: Path, cards: int) -> None:
    """A deck called Box, of cards that differ."""
    size, _ = look_size(CardOutline.disc(85.0))
    looks = [np.full((size, size, 3), 10 + 5 * n, np.uint8) for n in range(cards)]
    deck = LearntDeck("Box", CardOutline.disc(85.0), tuple(LearntCard((look,)) for look in looks))
    deck_store.keep_deck(folder, deck)


def test_the_chosen_deck_is_played_at_the_next_start(tmp_path: Path) -> None:
    """Until printed codes are chosen again."""
    kept(tmp_path, 12)
    assert learnt_deck(asked(tmp_path)) is None
    session = AnySession()
    played = PlayedDeck(asked(tmp_path), None, decode, tmp_path)
    assert played.choose("Box", session) is None
    assert session.numbers == frozenset(range(1, 13))
    args = asked(tmp_path)
    deck = learnt_deck(args)
    assert deck is not None
    assert (deck.name, args.deck_size) == ("Box", 12)
    assert session.learnt_deck == "Box"
    assert played.choose(None, session) is None
    assert learnt_deck(asked(tmp_path)) is None


def test_a_choice_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    """Neither for this evening nor for the next start."""
    kept(tmp_path, 12)
    session = AnySession()
    session.refuses = True
    played = PlayedDeck(asked(tmp_path), None, decode, tmp_path)
    assert played.choose("Box", session) == Refusal("evening_begun")
    assert played.name is None
    assert deck_store.played_deck(tmp_path) is None


def test_a_camera_that_comes_while_a_deck_is_chosen_reads_that_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes seconds to make an eye for many cards: the phone's was still for the codes."""
    kept(tmp_path, 12)
    args = asked(tmp_path)
    session = Session(Journal(tmp_path / "evenings"))
    played = PlayedDeck(args, None, decode, tmp_path)
    choosing = threading.Thread(target=played.choose, args=("Box", session))
    attach = session.attach

    def attach_late(watching: Watching) -> None:
        choosing.start()
        choosing.join(1.0)
        attach(watching)

    monkeypatch.setattr(session, "attach", attach_late)
    lease = play._phone_lease(session, Source(None, ""), args, None, played)
    assert lease is not None
    lease.take_over("a", "Phone")
    choosing.join(30)
    assert session.camera.watching is not None
    assert session.camera.watching.eye.reader.deck == session.learnt_deck == "Box"
    session.close()


def test_until_it_is_played_a_chosen_deck_is_not_told(tmp_path: Path) -> None:
    """Or a camera that comes meanwhile would read it, in an evening that refuses it."""
    kept(tmp_path, 12)
    told: list[str | None] = []

    class Asking(AnySession):
        def play_with(self, *_: object) -> Refusal | None:
            told.append(played.name)
            return Refusal("evening_begun")

    played = PlayedDeck(asked(tmp_path), None, decode, tmp_path)
    played.choose("Box", Asking())
    assert told == [None]


@pytest.mark.parametrize("harm", ["damaged", "gone", "small", "pipe", "folder", "no text"])
def test_no_chosen_deck_stops_the_start(
    harm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever became of it, codes are read; where a deck was chosen that cannot be played, it is
    said."""
    if harm == "pipe" and not hasattr(os, "mkfifo"):
        pytest.skip("has no pipes in the file system")
    kept(tmp_path, 3 if harm == "small" else 12)
    deck_store.choose_deck(tmp_path, "Box")
    file, choice = tmp_path / "decks" / "Box.deck", tmp_path / "decks" / "played"
    if harm == "damaged":
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 0x55
        file.write_bytes(data)
    elif harm == "gone":
        file.unlink()
    elif harm != "small":
        choice.unlink()
        if harm == "pipe":
            os.mkfifo(choice)
        elif harm == "folder":
            choice.mkdir()
        else:
            choice.write_bytes(b"\xff" * 1000)
    assert learnt_deck(asked(tmp_path)) is None
    said = capsys.readouterr().out
    assert ("Until another deck is chosen" in said) == (harm in ("damaged", "gone", "small"))


@pytest.mark.parametrize("name", ["CM2", "cm1", "con", "nul.txt", "LPT1.deck", "a/b", "x" * 41])
def test_a_deck_has_a_name_of_its_own(name: str) -> None:
    """Not a printed deck's, none that a system keeps for itself."""
    with pytest.raises(BadInput):
        check_name(name)


@pytest.mark.parametrize(("name", "by"), [("CM1", "a printed deck"), ("con", "Windows")])
def test_who_has_a_name_already_is_said(name: str, by: str) -> None:
    """Its letters are in order."""
    with pytest.raises(BadInput, match=f"taken by {by}"):
        check_name(name)


def test_a_letter_and_its_accent_are_one_name() -> None:
    """However a keyboard sends it."""
    assert check_name("Cafe\u0301") == check_name("Caf\u00e9") == "Caf\u00e9"


def test_the_practice_table_is_read_by_its_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever deck was chosen on the tablet: its cards do not lie there."""
    kept(tmp_path, 12)
    deck_store.choose_deck(tmp_path, "Box")
    played: list[tuple[LearntDeck | None, str, int]] = []

    def keep(_source: object, _folder: Path, args: argparse.Namespace, *more: object) -> int:
        deck = more[-1]
        assert deck is None or isinstance(deck, LearntDeck)
        played.append((deck, args.deck, args.deck_size))
        return 0

    for practice in (True, False):
        monkeypatch.setattr(play, "open_source", lambda *_, p=practice: Source(None, "", p))
        monkeypatch.setattr(play, "keep_evening", keep)
        assert play.run(asked(tmp_path)) == 0
    (deck, name, size), (own, *_) = played
    assert (deck, name, size) == (None, "CM1", 80)
    assert own is not None
    assert own.name == "Box"
