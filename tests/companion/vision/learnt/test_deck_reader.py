"""A deck learnt on the table and read by its pictures: from the first lay to the curtain."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.tags.find import find_tags
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.__main__ import main
from companion.dealing.curtain import Curtain
from companion.practice.lesson import lesson_pictures
from companion.practice.room import parlour
from companion.table.sighting import FIRST_STAND_IN, Attention, Glimpse, Point
from companion.vision.codes.detection import Expected
from companion.vision.eye import Eye
from companion.vision.learnt import deck_reader
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.deck_reader import LAST_TRY, DeckReader
from companion.vision.learnt.lesson import DeckLesson, Lay, SaysCard
from companion.vision.learnt.recognise import CardFound, PlaceView, Recogniser
from companion.vision.locate import locate

LEARNT, STRANGERS = range(1, 11), range(31, 33)
SMEARS = {True: (6.0, 41.0), False: (4.0, 60.0)}
"""How soft a smeared card is, px, and how far about its middle, mm: of a round one, and of a rectangular one,
which is only found where its sides are equally soft all along."""


@dataclass(frozen=True)
class Learnt:
    """What a lesson came to, and pictures of a later evening."""

    deck: LearntDeck
    lays: tuple[Lay, ...]
    printed: dict[int, int]
    plane: Plane
    evening: np.ndarray
    where: dict[int, Point]


@pytest.fixture(scope="module", params=[False, True], ids=["round", "rectangular"])
def learnt(request: pytest.FixtureRequest) -> Learnt:
    """Ten cards learnt in two lays; then six of them and two strangers lie there."""
    straight = request.param
    room = parlour(5)
    small = replace(
        room.camera, width_px=1280, height_px=720, focal_px=room.camera.focal_px * 2 / 3
    )
    room = replace(room, camera=small)
    lesson, lays, printed = DeckLesson(name="box"), [], {}
    plane: Plane | None = None
    for where, image in lesson_pictures(room, LEARNT, 3, looks=1, straight=straight):
        if plane is None:
            grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            plane = fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
        lay = lesson.observe_picture(image, plane)
        if lay.counted:
            lays.append(lay)
        for card in lay.cards if lay.counted else ():
            if card.number is not None:
                at = card.centre_mm
                printed[card.number] = min(where, key=lambda c: dist(where[c], at))
    assert plane is not None
    cards = [*list(LEARNT)[:6], *STRANGERS]
    where, evening = next(iter(lesson_pictures(room, cards, 8, looks=1, straight=straight)))
    return Learnt(lesson.deck, tuple(lays), printed, plane, evening, where)


def test_the_lesson_counts_every_card_once_and_measures_their_size(learnt: Learnt) -> None:
    """Ten cards, each learnt as itself; nobody was asked how large they are."""
    assert sorted(learnt.printed.values()) == list(LEARNT)
    assert [len(lay.numbers(SaysCard.NEW)) for lay in learnt.lays] == [8, 2]
    outline = learnt.deck.outline
    sides = (85, 85) if outline.round else (56, 87)
    assert (outline.width_mm, outline.height_mm) == pytest.approx(sides, abs=1.5)


def test_a_card_laid_again_is_known_and_not_counted_twice(learnt: Learnt) -> None:
    """The lesson goes on with a deck: the six are known, the two strangers are new."""
    lesson = DeckLesson(learnt.deck)
    lesson.observe_picture(learnt.evening, learnt.plane)
    lay = lesson.observe_picture(learnt.evening, learnt.plane)
    assert len(lay.numbers(SaysCard.KNOWN)) == 6
    assert lay.numbers(SaysCard.NEW) == (11, 12)
    assert len(lesson.deck.cards[lay.numbers(SaysCard.KNOWN)[0] - 1].looks) == 2


@dataclass(frozen=True)
class Seen:
    """The last look at that evening, nothing withheld, and all that passed the curtain."""

    unveiled: Glimpse
    passed: tuple[Glimpse, ...]


@pytest.fixture(scope="module")
def seen(learnt: Learnt) -> Seen:
    """Two seconds of the evening, in which eight of nine cards lie there."""
    reader = DeckReader(learnt.deck, SYMBOL_MM)
    eye = Eye(learnt.deck.numbers, reader=reader, outline=learnt.deck.outline)
    curtain = Curtain()
    attention = Attention(deal_size=9)
    passed = []
    for number in range(11):
        picture = _bare(learnt) if number == 0 else learnt.evening
        raw = eye.read_frame(Frame(picture, number / 5, number), attention).raw
        passed.append(curtain.draw_curtain(raw, attention, is_open=False))
    return Seen(raw.uncurtained, tuple(passed))


def test_cards_are_named_and_strangers_are_not_but_they_count(learnt: Learnt, seen: Seen) -> None:
    """Six names, and after a moment two cards without a name, each at its place."""
    sightings = seen.unveiled.sightings
    named = {s.card: s.centre_mm for s in sightings if s.card < FIRST_STAND_IN}
    assert sorted(learnt.printed[card] for card in named) == list(LEARNT)[:6]
    for card, at in named.items():
        assert dist(at, learnt.where[learnt.printed[card]]) < 12
    unnamed = [s.centre_mm for s in sightings if s.card >= FIRST_STAND_IN]
    assert len(unnamed) == 2
    for at in unnamed:
        assert min(dist(at, learnt.where[card]) for card in STRANGERS) < 12


def test_what_the_bare_table_shows_is_no_card_without_a_name(
    learnt: Learnt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disc that lay there from the start, and is found only when a hand has passed by, stays what
    it was; one that came since is a card."""
    reader = DeckReader(learnt.deck, SYMBOL_MM)
    eye = Eye(learnt.deck.numbers, reader=reader, outline=learnt.deck.outline)
    attention = Attention(deal_size=9)
    with monkeypatch.context() as dim:
        dim.setattr(deck_reader, "find_cards", lambda *_: [])
        eye.read_frame(Frame(_bare(learnt, but=STRANGERS[0]), 0.0, 0), attention)
    for number in range(1, 11):
        seen = eye.read_frame(Frame(learnt.evening, number / 5, number), attention)
    sightings = seen.raw.uncurtained.sightings
    unnamed = [s.centre_mm for s in sightings if s.card >= FIRST_STAND_IN]
    assert len(unnamed) == 1
    assert dist(unnamed[0], learnt.where[STRANGERS[1]]) < 12


@pytest.mark.parametrize("learnt", [False], indirect=True, ids=["round"])
def test_half_a_rim_is_no_card_without_a_name(learnt: Learnt) -> None:
    """What shows hardly more than half of a disc's rim, as a hand that rests or the gap between two cards
    does, is none; a whole disc beside it is."""
    picture = learnt.evening.copy()
    at = np.array(learnt.where[STRANGERS[0]])
    half = at + np.array([(-55.0, 8.0), (55.0, 8.0), (55.0, 55.0), (-55.0, 55.0)])
    cv2.fillConvexPoly(picture, learnt.plane.to_px(half).astype(np.int32), (70, 110, 150))
    reader = DeckReader(learnt.deck, SYMBOL_MM)
    eye = Eye(learnt.deck.numbers, reader=reader, outline=learnt.deck.outline)
    attention = Attention(deal_size=9)
    for number in range(14):
        shown = _bare(learnt) if number == 0 else picture
        seen = eye.read_frame(Frame(shown, number / 5, number), attention)
    sightings = seen.raw.uncurtained.sightings
    unnamed = [s.centre_mm for s in sightings if s.card >= FIRST_STAND_IN]
    assert len(unnamed) == 1
    assert dist(unnamed[0], learnt.where[STRANGERS[1]]) < 12


def test_no_name_passes_before_the_whole_round_lies_open(seen: Seen) -> None:
    """Eight of nine lie there, read by their pictures: they are counted, and nothing else is said."""
    assert len(seen.unveiled.sightings) == 8
    for glimpse in seen.passed:
        assert not glimpse.sightings
        assert not glimpse.places
        assert not glimpse.pictures
        assert glimpse.deal is None
    assert seen.passed[-1].unnamed == 8


def test_a_deck_is_learnt_read_handed_on_and_forgotten_by_commands(
    learnt: Learnt, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a film of one lay to the cards' names in a picture, and as one file to somebody else."""
    data, there, file = tmp_path / "data", tmp_path / "there", tmp_path / "box.deck"
    film = tmp_path / "film"
    film.mkdir()
    cv2.imwrite(str(film / "0.png"), learnt.evening)
    assert main(["learn-deck", "box", str(film), "--data", str(data)]) == 2
    assert "leave every lay for two pictures" in capsys.readouterr().err
    cv2.imwrite(str(film / "1.png"), learnt.evening)

    def say(*words: str) -> str:
        assert main([*words]) == 0
        return capsys.readouterr().out

    assert "8 cards" in say("learn-deck", "box", str(film), "--data", str(data))
    assert say("learn-deck", "--list", "--data", str(data)) == "box: 8 cards\n"
    (damaged := data / "decks" / "attic.deck").write_bytes(b"no zip")
    listed = say("learn-deck", "--list", "--data", str(data)).splitlines()
    assert "attic" in listed[0]
    assert "--forget" in listed[0]
    assert listed[1:] == ["box: 8 cards"], "a damaged file hides no other deck"
    damaged.unlink()
    say("learn-deck", "box", "--export", str(file), "--data", str(data))
    say("learn-deck", "--import", str(file), "--data", str(there))
    for again in (["--import", str(file)], ["box", "--export", str(file)]):  # nothing is laid over
        assert main(["learn-deck", *again, "--data", str(there)]) == 2
        assert "is here already" in capsys.readouterr().err.replace("there", "here")
    told = say("read", str(film / "0.png"), "--deck", "box", "--data", str(there), "--json")
    assert [card["card"] for card in json.loads(told)[0]["cards"]] == list(range(1, 9))
    say("learn-deck", "box", "--forget", "--data", str(data))
    assert main(["read", str(film / "0.png"), "--deck", "box", "--data", str(data)]) == 2
    assert "learn-deck" in capsys.readouterr().err


def _bare(learnt: Learnt, but: int | None = None) -> np.ndarray:
    """The table before the cards: the tokens alone, all else painted over, `but` one disc."""
    image = learnt.evening.copy()
    for card, at in learnt.where.items():
        if card == but:
            continue
        rim = np.radians(np.arange(0, 360, 10))
        edge = learnt.plane.to_px(np.stack([np.cos(rim), np.sin(rim)], 1) * 50 + np.array(at))
        cv2.fillConvexPoly(image, edge.astype(np.int32), (70, 110, 150))
    return image


def test_a_name_comes_later_from_a_better_look(learnt: Learnt) -> None:
    """A card that lies there blurred to a smear is counted without a name; once it shows clearly it
    keeps that number, and its name is told beside it."""
    card = LEARNT[2]
    number = next(n for n, printed in learnt.printed.items() if printed == card)
    smeared = _smeared(learnt, card)
    reader = DeckReader(learnt.deck, SYMBOL_MM)
    grey = np.zeros(smeared.shape[:2], np.uint8)
    reader.read_cards(_bare(learnt), grey, learnt.plane)
    reading = reader.read_cards(smeared, grey, learnt.plane)
    for _ in range(10):
        lying = [Expected(c, d.corners_px) for c, d in reading.cards.items()]
        reading = reader.read_cards(smeared, grey, learnt.plane, lying)
    assert number not in reading.cards
    assert not reading.names
    where = {c: locate(d, learnt.plane, MarkerPlace()).centre_mm for c, d in reading.cards.items()}
    stand_in = min(where, key=lambda c: dist(where[c], learnt.where[card]))
    assert stand_in >= FIRST_STAND_IN
    for _ in range(4):
        lying = [Expected(c, d.corners_px) for c, d in reading.cards.items()]
        reading = reader.read_cards(learnt.evening, grey, learnt.plane, lying)
    assert reading.names == ((stand_in, number),)
    assert stand_in in reading.cards
    assert number not in reading.cards


class _Counting(Recogniser):
    asked = 0

    def recognise(self, view: PlaceView, with_keypoints: bool = False) -> CardFound:
        self.asked += 1
        return super().recognise(view, with_keypoints)


@pytest.mark.parametrize("learnt", [True], indirect=True, ids=["rectangular"])
def test_where_the_table_was_not_seen_bare_no_rectangle_counts_without_a_name(
    learnt: Learnt,
) -> None:
    """Sides of cards and seams of the wood make some: those that are named are cards, and nothing else."""
    reader = DeckReader(learnt.deck, SYMBOL_MM)
    grey, rng = np.zeros(learnt.evening.shape[:2], np.uint8), np.random.default_rng(1)
    lying: list[Expected] = []
    for _ in range(2 * deck_reader.UNNAMED_AFTER):
        noise = rng.normal(0, 3, learnt.evening.shape)
        seen = np.clip(learnt.evening + noise, 0, 255).astype(np.uint8)
        reading = reader.read_cards(seen, grey, learnt.plane, lying)
        lying = [Expected(c, d.corners_px) for c, d in reading.cards.items()]
    assert sorted(learnt.printed[number] for number in reading.cards) == list(LEARNT)[:6]


@pytest.mark.parametrize("learnt", [False], indirect=True, ids=["round"])
def test_a_disc_that_stays_as_it_was_is_asked_about_no_more(learnt: Learnt) -> None:
    """What lay there from the start and has no name costs nothing while it looks the same, noise apart;
    a card that shows clearly at last is named."""
    card = LEARNT[2]
    number = next(n for n, printed in learnt.printed.items() if printed == card)
    known, smeared = _Counting(learnt.deck), _smeared(learnt, card)
    reader = DeckReader(learnt.deck, SYMBOL_MM, known)
    grey, rng = np.zeros(smeared.shape[:2], np.uint8), np.random.default_rng(1)
    lying: list[Expected] = []
    asked = []
    for _ in range(LAST_TRY + 4):
        noise = rng.normal(0, 3, smeared.shape)
        seen = np.clip(smeared + noise, 0, 255).astype(np.uint8)
        reading = reader.read_cards(seen, grey, learnt.plane, lying)
        lying = [Expected(c, d.corners_px) for c, d in reading.cards.items()]
        asked.append(known.asked)
    assert number not in reading.cards
    assert asked[LAST_TRY - 1] > asked[LAST_TRY - 2]
    assert asked[-1] == asked[LAST_TRY - 1]
    assert number in reader.read_cards(learnt.evening, grey, learnt.plane, lying).cards


def _smeared(learnt: Learnt, card: int) -> np.ndarray:
    """The evening with one card out of focus and a third of it under paper."""
    image = learnt.evening.copy()
    rim = np.radians(np.arange(0, 360, 5))
    ring = np.stack([np.cos(rim), np.sin(rim)], 1)
    at = np.array(learnt.where[card])
    smear_px, smeared_mm = SMEARS[learnt.deck.outline.round]
    disc = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(disc, learnt.plane.to_px(ring * smeared_mm + at).astype(np.int32), 255)
    paper = learnt.plane.to_px(ring * 24 + at).astype(np.int32)
    soft = cv2.GaussianBlur(image, (0, 0), smear_px)
    cv2.fillConvexPoly(soft, paper, (225, 225, 225))
    return np.where(disc[..., None] > 0, soft, image)
