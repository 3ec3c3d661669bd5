"""Text pictures of a table, turned into the glimpses an eye would make of it.

    players: Ada Ben Cleo Dan Eva      clockwise; the first is Daydreamer
    table: tray                        tray | away (no tray in view) | face-down
    0.0s  middle: 07 12 33 48 51   set aside: --
    4.2s  middle: 07 12 __ 48 51   set aside: 33
    9.8s  middle: __ __ __ __ __   set aside: 33
    => Ada +1, Ben +4

A line holds until the next one; glimpses come ten times a second. In the middle: `07` lies there
and is read, `__` the bare table, `##` something else is there, `~~` something moves, `??` cannot be
told, `vv` face down, `(7)` lies there unread (no report at all). "set aside" lists the cards read
in the tray. `=>` what the referee must hold by then: gains, or `asks: GAINS or GAINS`, or `open:
33` (shown as set aside while the round is open).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.game.rules import Ending
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import Glimpse, PlaceReport, PlaceState, Point, Sighting, TableView
from tests.support.curtained import CurtainedReferee

MIDDLE = ((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0))
TRAY = ((630.0, 205.0), (892.0, 205.0), (892.0, 395.0), (630.0, 395.0))
STATES = {
    "__": PlaceState.TABLE,
    "##": PlaceState.OTHER,
    "~~": PlaceState.MOVING,
    "??": PlaceState.UNKNOWN,
    "vv": PlaceState.BACK,
}
STEP_S = 0.1


@dataclass
class Picture:
    """One line: from when on, what each slot of the middle shows, which cards lie in the tray."""

    t_s: float
    middle: list[str]
    tray: list[int]


@dataclass
class Story:
    """A whole text: who plays, what happens, and after which picture what must hold."""

    players: list[str] = field(default_factory=list)
    table: str = "tray"
    pictures: list[Picture] = field(default_factory=list)
    expected: list[tuple[int, str]] = field(default_factory=list)


def slot_mm(index: int) -> Point:
    """Where slot number `index` of the middle is: rows of four."""
    return (120.0 + index % 4 * 120.0, 220.0 + index // 4 * 130.0)


def read(text: str) -> Story:
    """The story a text tells."""
    story = Story()
    for line in (raw.strip() for raw in text.splitlines()):
        if line.startswith("players:"):
            story.players = line.split()[1:]
        elif line.startswith("table:"):
            story.table = line.split()[1]
        elif line.startswith("=>"):
            story.expected.append((len(story.pictures), line[2:].strip()))
        elif line and not line.startswith("#"):
            story.pictures.append(_picture(line))
    return story


def _picture(line: str) -> Picture:
    time, rest = line.split("s", 1)
    middle, aside = rest.split("middle:")[1].split("set aside:")
    return Picture(
        float(time), middle.split(), [int(card) for card in aside.split() if card != "--"]
    )


def glimpses(story: Story, until_s: float = 6.0) -> Iterator[tuple[int, Glimpse]]:
    """Each glimpse with the number of pictures begun by then; the last picture lasts `until_s`."""
    owner: dict[int, int] = {}
    for number, picture in enumerate(story.pictures, 1):
        last = number == len(story.pictures)
        end_s = picture.t_s + until_s if last else story.pictures[number].t_s
        for index, word in enumerate(picture.middle):
            if word.isdigit():
                owner[index] = int(word)
        for step in range(round((end_s - picture.t_s) / STEP_S)):
            yield number, _glimpse(picture, owner, story.table, picture.t_s + step * STEP_S)


def _glimpse(picture: Picture, owner: dict[int, int], table: str, t_s: float) -> Glimpse:
    sightings, reports = [], []
    for index, word in enumerate(picture.middle):
        place = slot_mm(index)
        if word.isdigit():
            sightings.append(_sighting(int(word), place))
            reports.append(PlaceReport(int(word), place, PlaceState.MARKER))
        elif word in STATES and index in owner:
            reports.append(PlaceReport(owner[index], place, STATES[word]))
    for index, card in enumerate(picture.tray):
        sightings.append(_sighting(card, (680.0 + index % 3 * 80.0, 250.0 + index // 3 * 90.0)))
    view = TableView(MIDDLE, TRAY if table == "tray" else None)
    return Glimpse(t_s, tuple(sightings), tuple(reports), table=view)


def _sighting(card: int, place: Point) -> Sighting:
    return Sighting(card, place, 0.0, ((0.0, 0.0),) * 4, 1.0)


def told(ruling: Ruling, players: list[str]) -> str:
    """A ruling in the words of a story's `=>` line."""
    if ruling.question is not None:
        options = [gains(o.wrong_count, o.ending, ruling, players) for o in ruling.question.options]
        return "asks: " + " or ".join(sorted(options))
    if ruling.ending == "open":
        return "open: " + (
            " ".join(f"{card:02d}" for card in ruling.set_aside if card is not None) or "--"
        )
    return gains(len(ruling.set_aside), ruling.ending, ruling, players)


def gains(w: int, ending: Ending, ruling: Ruling, players: list[str]) -> str:
    """Who takes how many after `w` wrong guesses."""
    n, seats = len(ruling.dealt), len(players)
    dealer = -(ruling.round - 1) % seats
    if ending == "lookout":
        return f"{players[dealer - 1]} +{n}"
    spectator = players[(dealer + 1 + w % (seats - 2)) % seats]
    return (f"{players[dealer]} +{w}, " if w else "") + f"{spectator} +{n - w}"


def play(story: Story, handling: str = "") -> list[tuple[str, str]]:
    """What the story expects beside what the referee said, at each `=>`."""
    edition = "de" if story.table == "face-down" else "en"
    table = CurtainedReferee(
        Referee(len(story.players), handling or story.table, range(1, 81), edition)
    )
    said: dict[int, Ruling] = {}
    compared, due = [], dict(story.expected)
    at = 0
    for number, glimpse in glimpses(story):
        if number != at and at in due:
            compared.append((due.pop(at), _now(said, story)))
        at = number
        for ruling in table.observe(glimpse):
            said[ruling.round] = ruling
    return [*compared, *((text, _now(said, story)) for _, text in sorted(due.items()))]


def _now(said: dict[int, Ruling], story: Story) -> str:
    """The latest ruling that is not the mere deal of the next round."""
    return told(said[max(said)], story.players) if said else "nothing"
