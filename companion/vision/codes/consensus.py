"""Who is believed: what the known-deck decoder and zxing-cpp say about the same picture, weighed
into one reading.

Knows words and the evening's numbers, no pictures. The rule is to freeze rather than guess: where
the two readers differ, or one card lies twice, nothing is reported but the conflict.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

from card_printables.deck import Word
from companion.vision.codes.detection import (
    MOST_PAYLOAD_BYTES,
    Conflict,
    Corners,
    Detection,
    Expected,
    Foreign,
    Reading,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One reader's word about one place: `word` is None for a code that is not of ours (`payload`
    says what it read)."""

    word: Word | None
    payload: bytes
    corners_px: Corners
    score: float
    reader: str
    mirrored: bool = False

    @property
    def centre_px(self) -> tuple[float, float]:
        """The mean of the corners."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners_px
        return ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)

    @property
    def size_px(self) -> float:
        """Length of the longer diagonal."""
        (a, b, c, d) = self.corners_px
        return max(math.dist(a, c), math.dist(b, d))


def same_place(one: Claim, other: Claim) -> bool:
    """True when two claims are about one code: their middles are near, or one's middle lies inside
    the other."""
    here, there, reach = one.centre_px, other.centre_px, (one.size_px, other.size_px)
    apart = math.dist(here, there)
    if apart > max(reach):
        return False
    return (
        apart < 0.3 * min(reach) or _holds(one.corners_px, there) or _holds(other.corners_px, here)
    )


def _holds(corners: Corners, point: tuple[float, float]) -> bool:
    """Whether a convex four-cornered shape holds the point, whichever way round it goes."""
    x, y = point
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


def reader_consensus(
    known: list[Claim], zxing: list[Claim], deck: str, numbers: frozenset[int]
) -> Reading:
    """The reading of one picture from what the two readers claim; earlier claims of a reader go
    first at one place."""
    places: list[Claim] = []
    conflicts: list[Conflict] = []
    spent: set[int] = set()
    for claim in _first_at_each_place(known):
        rivals = [z for z in zxing if same_place(claim, z)]
        spent.update(id(z) for z in rivals)
        against = [z for z in rivals if z.payload != claim.payload]
        if not against:
            places.append(_both(claim) if rivals else claim)
        elif any(z.word is None for z in against):
            places.extend(against[:1])
        else:
            conflicts.append(_differ(claim, against[0]))
    places += _first_at_each_place([z for z in zxing if id(z) not in spent])
    return _reading(places, conflicts, deck, numbers)


def with_faint_cards(
    reading: Reading, claims: list[Claim], deck: str, numbers: frozenset[int]
) -> Reading:
    """The reading with faint `claims` as candidates of a vote: upright cards of this table, none
    that was read, each but once."""
    known = {d.card for d in reading.detections} | {
        card for conflict in reading.conflicts for card in conflict.cards
    }
    ours = [
        c
        for c in claims
        if c.word is not None and not c.mirrored and _is_ours(c.word, deck, numbers)
    ]
    places = [
        Expected(c.word.card, c.corners_px)
        for c in ours
        if c.word is not None and c.word.card not in known
    ]
    cards = Counter(place.card for place in places)
    faint = [place for place in places if place.card is not None and cards[place.card] == 1]
    return replace(reading, faint=tuple(faint))


def _first_at_each_place(claims: list[Claim]) -> list[Claim]:
    kept: list[Claim] = []
    for claim in claims:
        if not any(same_place(claim, other) for other in kept):
            kept.append(claim)
    return kept


def _both(claim: Claim) -> Claim:
    reader = claim.reader if claim.reader == "tracked" else "both"
    return Claim(claim.word, claim.payload, claim.corners_px, claim.score, reader, claim.mirrored)


def _differ(one: Claim, other: Claim) -> Conflict:
    cards = tuple(
        c.word.card for c in (one, other) if c.word is not None and c.word.card is not None
    )
    return Conflict("readers", cards, (one.corners_px,))


def _reading(
    places: list[Claim], conflicts: list[Conflict], deck: str, numbers: frozenset[int]
) -> Reading:
    """Sort the claims into what counts and what does not."""
    ours = [c for c in places if c.word is not None and _is_ours(c.word, deck, numbers)]
    foreign = tuple(
        Foreign(c.payload[:MOST_PAYLOAD_BYTES], c.corners_px) for c in places if c not in ours
    )
    upright: dict[int, list[Claim]] = {}
    for claim in ours:
        if claim.word is not None and claim.word.card is not None and not claim.mirrored:
            upright.setdefault(claim.word.card, []).append(claim)
    twice = {card: claims for card, claims in upright.items() if len(claims) > 1}
    conflicts += [
        Conflict("twice", (card,), tuple(c.corners_px for c in claims))
        for card, claims in twice.items()
    ]
    kept = [c for c in ours if not c.mirrored and c.word is not None and c.word.card not in twice]
    mirrored = tuple(_detection(c) for c in ours if c.mirrored)
    return Reading(tuple(_detection(c) for c in kept), tuple(conflicts), foreign, mirrored)


def _is_ours(word: Word, deck: str, numbers: frozenset[int]) -> bool:
    return word.is_back or (word.deck == deck and word.card in numbers)


def _detection(claim: Claim) -> Detection:
    assert claim.word is not None
    word = claim.word
    return Detection(
        word.card,
        word.deck,
        word.is_back,
        claim.corners_px,
        claim.score,
        claim.reader,
        claim.mirrored,
    )
