"""Small stills of the table, to look again at what is disputed: in memory only, and only of a round that
lies open.

People switch it on for one evening. Kept is the table alone (people about it are cut away), small, for the
last minute and around each entry of the newest round; all of it is gone with the next round and with
the evening's end. Nothing secret is ever in it: a still counts only once a later frame shows that the
round still lay there, and when the round ends, or is asked about, what came after its end goes too.
Knows glimpses, pictures and the ledger; must not know files, screens or HTTP.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.geometry.plane import Plane
from card_printables.marker import DISC_MM
from companion.capture.jpeg import encode_jpeg
from companion.capture.table_area import TableArea, small_table
from companion.evening.questions import PendingQuestion
from companion.evening.scorekeeper import Scorekeeper
from companion.game.log import Log
from companion.game.rules import Round
from companion.table.sighting import Glimpse, PlaceState
from companion.table.zones import Zone, zone_of

EVERY_S = 0.4
"""Between two stills (chosen): a card that is taken is seen on the way."""

WIDTH_PX = 640
"""So wide at most (chosen): a card's picture is told at arm's length."""

BEFORE_S, AFTER_S = 24.0, 6.0
"""Around an entry so much is kept: 30 s."""

HELD_S = 60.0
"""What has no entry yet is kept so long, for the camera may need that long to be sure of one."""

MOST_HELD_BYTES = 60_000_000
"""All stills together hold at most so much; the oldest that belong to no entry go first."""

STILL_BYTES = 1_000
"""What a still takes beside its picture and what was believed: generously."""

LYING_CARDS = 2
"""So many of its cards lie in the middle until a round ends: it has two guesses fewer than cards."""


@dataclass(frozen=True, slots=True)
class Still:
    """One small picture of the table with its time by the wall clock; `believed` is what the camera
    held to be there, as JSON: cards, backs and hands, each where it lies as shares of the width."""

    at_s: float
    jpeg: bytes
    believed: bytes

    @property
    def size_bytes(self) -> int:
        """How much memory it takes, or less."""
        return len(self.jpeg) + len(self.believed) + STILL_BYTES


class TableStills:
    """The stills of one table. `keep_still` is the watching thread's; all else any thread's.

    Many attributes: what people said, what is held, and of which round.
    """

    def __init__(
        self, keeper: Callable[[], Scorekeeper], on_change: Callable[[], None] = lambda: None
    ) -> None:
        """`keeper` gives the scorekeeper of the evening; `on_change` hears when it is switched."""
        self._keeper = keeper
        self._on_change = on_change
        self._lock = threading.Lock()
        self._on = False
        self._said_for: float | None = None
        self._round: tuple[float, int] | None = None
        self._closed_s = math.inf
        self._lay_s = -math.inf
        self._stills: list[Still] = []
        self._bytes = 0

    # --- what people decide

    @property
    def on(self) -> bool:
        """Whether people want it, of the evening that is played or of the first one to begin."""
        self.follow()
        return self._on

    def switch(self, on: bool) -> None:
        """People want it for one evening, or not any more: then all is gone at once."""
        with self._lock:
            self._on, self._said_for = on, _evening(self._keeper())
            if not on:
                self._forget(None)
        self._on_change()

    # --- the camera's side

    def keep_still(
        self, glimpse: Glimpse, image: np.ndarray, plane: Plane | None, at_s: float
    ) -> None:
        """Keep a still of this frame, where one is due, while an open round lies there and nothing about
        it can be secret."""
        if not self._on:
            return
        keeper = self._keeper()
        now = keeper.ledger.open_round
        if not self.on or now is None or not (keeper.curtain_open and keeper.nothing_secret):
            return
        with self._lock:
            if at_s >= self._closed_s:
                return
            if lying_cards(glimpse, now) >= LYING_CARDS:
                self._lay_s = max(self._lay_s, at_s)
            due = not self._stills or not 0 <= at_s - self._stills[-1].at_s < EVERY_S
            of = self._round
        area = small_table(image, plane, WIDTH_PX) if due else None
        jpeg = encode_jpeg(area.image, WIDTH_PX, 72) if area is not None else None
        if area is None or jpeg is None:
            return
        still = Still(
            at_s, jpeg, json.dumps(_believed(glimpse, area), separators=(",", ":")).encode()
        )
        with self._lock:
            if self._on and of == self._round and at_s < self._closed_s:
                self._stills.append(still)
                self._bytes += still.size_bytes
                self._drop_oldest([guess.at_s for guess in now.guesses], at_s)

    def follow(self) -> None:
        """Let go of what is another round's, of what came after the round's end, and of all once the
        evening is over."""
        keeper = self._keeper()
        evening = _evening(keeper)
        if not self._on:
            return
        with self._lock:
            if self._said_for is None:
                self._said_for = evening
            elif keeper.ledger.over or evening not in (None, self._said_for):
                self._on = False
            rounds = keeper.ledger.rounds
            now = (evening, len(rounds)) if evening is not None and self._on else None
            if now != self._round:
                self._forget(now)
            if now is not None:
                self._close(_closed_s(keeper, rounds[-1]))

    def _forget(self, now: tuple[float, int] | None) -> None:
        self._round, self._stills, self._bytes = now, [], 0
        self._closed_s, self._lay_s = math.inf, -math.inf

    def _close(self, at_s: float) -> None:
        """The round ended, or was asked about, at `at_s`: what came then, and what nothing proved to be
        before it, goes. Where the round is opened again it stays so."""
        if at_s < self._closed_s:
            self._closed_s = at_s
            self._keep(lambda still: still.at_s <= min(self._closed_s, self._lay_s))

    def _drop_oldest(self, moments: list[float], now_s: float) -> None:
        self._keep(lambda still: now_s - still.at_s < HELD_S or _is_around(still, moments))
        for counts in (False, True):
            for still in list(self._stills):
                if self._bytes <= MOST_HELD_BYTES:
                    return
                if counts or not _is_around(still, moments):
                    self._stills.remove(still)
                    self._bytes -= still.size_bytes

    def _keep(self, wanted: Callable[[Still], bool]) -> None:
        self._stills = [still for still in self._stills if wanted(still)]
        self._bytes = sum(still.size_bytes for still in self._stills)

    # --- the people's side

    def told(self) -> dict[str, Any]:
        """What a screen is told: whether it is on, and which guesses of the newest round, and whether
        the question about it, can be looked at again."""
        if not self.on:
            return {"on": False}
        keeper = self._keeper()
        number = len(keeper.ledger.rounds)
        pending = keeper.book.question
        guesses = keeper.ledger.rounds[-1].guesses if number else ()
        return {
            "on": True,
            "round": number,
            "guesses": [at for at, one in enumerate(guesses) if self._around(one.at_s)],
            "question": pending is not None
            and pending.round == number
            and bool(self._around(_asked_about_s(keeper.log, pending))),
        }

    def around_guess(self, index: int) -> dict[str, Any] | None:
        """The stills around a guess of the newest round (from 0); None where there are none."""
        rounds = self._keeper().ledger.rounds
        guesses = rounds[-1].guesses if rounds else ()
        return self._look(guesses[index].at_s) if 0 <= index < len(guesses) else None

    def around_question(self) -> dict[str, Any] | None:
        """The stills around what the question about the newest round is about; None where there are
        none."""
        keeper = self._keeper()
        pending = keeper.book.question
        if pending is None or pending.round != len(keeper.ledger.rounds):
            return None
        return self._look(_asked_about_s(keeper.log, pending))

    def _look(self, at_s: float) -> dict[str, Any] | None:
        stills = self._around(at_s)
        if not stills:
            return None
        rounds = self._keeper().ledger.rounds
        cards = rounds[-1].known_cards if rounds else ()
        told = [(still.at_s, json.loads(still.believed)) for still in stills]
        return {
            "round": len(rounds),
            "at_s": at_s,
            "stills": [
                {"at_s": round(when_s, 2), "jpeg": still.jpeg, **believed}
                for still, (when_s, believed) in zip(stills, told, strict=True)
            ],
            "left": _left_about(at_s, [card for card in cards if card is not None], told),
        }

    def _around(self, at_s: float) -> list[Still]:
        """What may be shown of the 30 seconds around a moment."""
        self.follow()
        with self._lock:
            until_s = min(self._closed_s, self._lay_s)
            return [s for s in self._stills if _is_around(s, [at_s]) and s.at_s <= until_s]


def _evening(keeper: Scorekeeper) -> float | None:
    """Which evening is being played, by when it began; None before its first round."""
    playing = bool(keeper.ledger.rounds) and not keeper.ledger.over
    return keeper.log.entries[0].at_s if playing else None


def _closed_s(keeper: Scorekeeper, newest: Round) -> float:
    """From when on nothing of this round may be kept."""
    pending = keeper.book.pending_questions.get(newest.number)
    asked_s = math.inf if pending is None else _asked_about_s(keeper.log, pending)
    ended_s = math.inf if newest.ended_at_s is None else newest.ended_at_s
    return min(asked_s, math.inf if newest.ending == "open" else ended_s)


def _asked_about_s(log: Log, pending: PendingQuestion) -> float:
    """When the last of what a question is about was seen, by the wall clock."""
    since_s = pending.question.at_s - pending.ruling.evidence.to_s
    return log.entry(pending.entry).at_s - max(0.0, since_s)


def _is_around(still: Still, moments: list[float]) -> bool:
    return any(-BEFORE_S <= still.at_s - at_s <= AFTER_S for at_s in moments)


def lying_cards(glimpse: Glimpse, now: Round) -> int:
    """How many cards of the round are read in the middle just now."""
    if glimpse.table is None or not glimpse.usable:
        return 0
    table, wanted = glimpse.table, set(now.known_cards) - {None}
    read = {one.card: one.centre_mm for one in glimpse.sightings}
    read |= {p.card: p.centre_mm for p in glimpse.places if p.state is PlaceState.MARKER}
    return sum(
        card in wanted and zone_of(at_mm, table) is Zone.MIDDLE for card, at_mm in read.items()
    )


def _believed(glimpse: Glimpse, area: TableArea) -> dict[str, Any]:
    """What the camera held to be there, for a screen that draws it over the still."""
    places = [(p.card, p.centre_mm, str(p.state)) for p in glimpse.places]
    told = {card for card, _, _ in places}
    places += [
        (s.card, s.centre_mm, str(PlaceState.MARKER))
        for s in glimpse.sightings
        if s.card not in told
    ]
    at = area.shares(at_mm for _, at_mm, _ in places)
    edges = area.shares((x + DISC_MM / 2, y) for _, (x, y), _ in places)
    hands = area.shares(hand.tip_mm for hand in glimpse.hands)
    return {
        "height": round(area.image.shape[0] / area.image.shape[1], 4),
        "cards": [
            {"card": card, "x": x, "y": y, "r": round(math.dist((x, y), edge), 4), "state": state}
            for (card, _, state), (x, y), edge in zip(places, at, edges, strict=True)
        ],
        "backs": [{"x": x, "y": y} for x, y in area.shares(glimpse.backs_mm)],
        "hands": [
            {"x": x, "y": y, "from_deg": hand.from_deg}
            for hand, (x, y) in zip(glimpse.hands, hands, strict=True)
        ],
    }


def _left_about(
    at_s: float, cards: list[int], told: list[tuple[float, dict[str, Any]]]
) -> list[int]:
    """The cards that left in these stills, the one first that was seen lying last nearest to `at_s`:
    the likeliest that a guess then was about."""
    lay_s: dict[int, float] = {}
    for when_s, believed in told:
        for one in believed["cards"]:
            if one["state"] == PlaceState.MARKER:
                lay_s[one["card"]] = when_s
    left = [card for card in cards if card in lay_s and lay_s[card] < told[-1][0]]
    return sorted(left, key=lambda card: abs(lay_s[card] - at_s))
