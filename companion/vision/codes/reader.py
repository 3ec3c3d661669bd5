"""The reader: a grey picture in, the cards in it out. Composes localiser, known-deck decoder,
tracking and zxing-cpp.

Knows which numbers belong to this evening's deck. Knows no time: what was there a moment ago is
handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from card_printables.deck import DECKS, PUBLISHED_SIZE, word_for, words
from card_printables.marker import BACK_SYMBOL_MM, MODULES, SYMBOL_MM
from companion.vision.codes import localise, zxing_reader
from companion.vision.codes import rectified as flats
from companion.vision.codes.consensus import Claim, hinted, same_place, weigh
from companion.vision.codes.decode import Named, name, name_again, sigmas_for
from companion.vision.codes.detection import Box, Corners, Expected, Reading
from companion.vision.codes.plane_hypotheses import guesses
from companion.vision.codes.pose import Levels, corners_of, pose_of, refine
from companion.vision.codes.rectified import Flat, PlaneLike
from companion.vision.codes.tracking import confirm
from companion.vision.codes.word_templates import parts, word_at
from companion.vision.frame.grey import grey_of

__all__ = ["PlaneLike", "Reader", "grey_of"]

SMALLEST = 32
"""Pictures with a shorter side hold no code of ours."""

OWN, MARGIN = 0.42, 0.26
"""Likeness and lead that name a card nobody expected there. With a lead of 0.24, 44,000 places with
another code, cloud or dots gave no name, but one came to 0.238. With these values none of 17,444
places did, and 97 % of good, 93 % of typical, 52 % of hard cards were named, many of them glared
(`tests/benchmarks/reader_aligned.py`, seed 800000)."""

HINT_MARGIN = 0.18
"""The lead from which a place is a hint: pictures that agree on it name the card together
(`hints.Hints`)."""

BLIND_OWN, BLIND_MARGIN = 0.5, 0.28
"""The same without a plane: the size is a guess, and guesses are many."""

RATIO = 0.8
"""How much of a code's own part must show beside what all words share: a foreign code has the
finder patterns, too."""

BENT = 0.05
"""How far, in sides of the code, its corners may lie from a square of the printed size on the table
(rms). Codes stay below 0.03; what only looks like one is bent by 0.08 at the median."""

CURLED, PLAIN_OWN, PLAIN_MARGIN = 0.1, 0.55, 0.3
"""The same for a card named beyond doubt: paper curls, and its code is no flat square any more."""

STRAY = 2.5
"""Modules that a code may lie from where the localiser saw it."""

TRACKED_OWN, TRACKED_MARGIN = 0.33, 0.15
"""The same for a card where it lay a moment ago. With a lead of 0.1 foreign codes in its place were
taken for it 3 times in 49,000; with these values once in 124,752 (seeds from 11000000), and 99.7 %
of good, 98 % of typical, 80 % of hard cards that still lay there were confirmed (the run of `OWN`).
"""

MIRROR_LEAD = 0.1
"""Lead of a word upright over the same word mirrored, or the other way round, that tells which of
the two it is."""

FOUND = np.array([1.5, 1.5, 0.5, 1.0, 0.4, 0.4, 0.15, 0.15])
LOOSE = np.array([2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5])
"""How far poses may be off (see `pose.refine`): found on a known plane, and where the plane is
unknown."""

CLEAR, AGAIN = 0.65, 3
"""So many places that look so much like a code, but have no name, are tried again from other sizes.
"""

ROUNDS, AGAIN_FROM = 8, 12
"""A search that finds so many cards is run again beside them until it finds no more: a whole deck
lies in view."""

PLENTY = 16
"""So many different cards found without a plane give a plane to read the rest by; no more sizes are
tried."""

ZXING_FROM, ZXING_ENOUGH = 2.2, 5.0
"""Pixels a module from which zxing-cpp reads most whole pictures (half of all codes at 2; it still
confirms smaller ones one by one), and above which it is given a halved picture."""

ENLARGED_UP_TO = 2_200_000
"""Pictures of at most so many pixels are also given to zxing-cpp at twice the size while there is
no plane."""

Search = Callable[
    [Flat, np.ndarray, np.ndarray | None, np.ndarray | None, localise.Effort], localise.Spots
]


class Reader:
    """Reads the cards of one deck in single pictures."""

    def __init__(
        self,
        numbers: Iterable[int] = range(1, PUBLISHED_SIZE + 1),
        deck: str = DECKS[0],
        symbol_mm: float = SYMBOL_MM,
    ) -> None:
        """Take `numbers` of `deck` as this table's cards; every other word is foreign."""
        self.numbers = frozenset(numbers)
        self.deck = deck
        self.symbol_mm = symbol_mm
        self._kept: tuple[PlaneLike, tuple[int, int], Flat | None] | None = None

    def read(
        self,
        grey: np.ndarray,
        plane: PlaneLike | None = None,
        expected: Sequence[Expected] = (),
        region: Sequence[Box] | None = None,
        patient: bool = False,
    ) -> Reading:
        """All cards and backs in `grey` ((H, W) uint8), and what does not count; a frame that is no
        picture gives nothing.

        `plane` says how large a code is where. `expected` are confirmed first, where they lay.
        `region` are boxes (left, top, right, bottom px) where new cards may have come; None is
        everywhere, () nowhere. Without a plane and with `patient` codes of every size are looked
        for, which takes about half a second, in 4K pictures too.
        """
        picture = grey_of(grey)
        if picture is None or min(picture.shape) < SMALLEST:
            return Reading()
        levels = Levels(picture)
        known = self._tracked(levels, expected)
        if region is not None and not len(region):
            return weigh(known, [], self.deck, self.numbers)
        faint: list[Claim] = []
        if plane is not None:
            flat = self.prepare(plane, (picture.shape[1], picture.shape[0]))
            if flat is not None:
                found, faint = self._searched(levels, flat, plane, region, known)
                known += found
            zxing = _read(levels, known, flat.finest if flat is not None else 0.0, region)
        else:
            known += _blind(levels) if patient else []
            zxing = _read(levels, known, None, None)
        return hinted(weigh(known, zxing, self.deck, self.numbers), faint, self.deck, self.numbers)

    def _tracked(self, levels: Levels, expected: Sequence[Expected]) -> list[Claim]:
        places = [
            (e.card, np.asarray(e.corners_px, float))
            for e in expected
            if e.card is None or e.card in self.numbers
        ]
        places = [
            (card, corners)
            for card, corners in places
            if corners.shape == (4, 2) and np.isfinite(corners).all()
        ]
        if not places:
            return []
        indices = np.array([_index(0 if card is None else card, self.deck) for card, _ in places])
        named = confirm(levels, pose_of(np.array([corners for _, corners in places])), indices)
        sure = (
            (named.word >= 0)
            & (named.own >= TRACKED_OWN)
            & (named.margin >= TRACKED_MARGIN)
            & _inside(levels, named)
        )
        return _claims(named, sure, "tracked")

    def prepare(self, plane: PlaneLike, size: tuple[int, int]) -> Flat | None:
        """Make the flat map of pictures of `size` (width, height); kept as long as the plane is the
        same object."""
        if self._kept is None or self._kept[0] is not plane or self._kept[1] != size:
            flat = flats.flatten(plane, size, self.symbol_mm / MODULES)
            if flat is not None:
                localise.stencils(round(flat.pitch, 3))
            self._kept = (plane, size, flat)
        return self._kept[2]

    def _searched(
        self,
        levels: Levels,
        flat: Flat,
        plane: PlaneLike,
        region: Sequence[Box] | None,
        before: list[Claim],
    ) -> tuple[list[Claim], list[Claim]]:
        """New cards, then new backs, away from what is known already; and what is too faint to be
        named."""
        boxes = flats.boxes_on(flat, plane, region)
        part = flat if boxes is None else flats.cut(flat, boxes)
        if part is None:
            return [], []
        flat = part
        laid = flat.lay(levels)
        cards: list[Claim] = []
        for _ in range(ROUNDS):
            news, faint = _found(
                levels, flat, laid, plane, region, before + cards, localise.search, localise.CARDS
            )
            cards += news
            if not news or len(cards) < AGAIN_FROM:
                break
        glared, more = _found(
            levels, flat, laid, plane, region, before + cards, localise.search_burnt, localise.BURNT
        )
        cards += glared
        flat, laid = flats.coarser(flat, laid, BACK_SYMBOL_MM / MODULES)
        backs, _ = _found(
            levels, flat, laid, plane, region, before + cards, localise.search, localise.BACKS
        )
        named = [c for c in cards if c.word and not c.word.is_back] + [
            c for c in backs if c.word and c.word.is_back
        ]
        return named, faint + more


def _found(
    levels: Levels, flat: Flat, laid: np.ndarray, plane: PlaneLike, region: Sequence[Box] | None, before: list[Claim],
    search: Search, effort: localise.Effort,
) -> tuple[list[Claim], list[Claim]]:  # fmt: skip
    """New codes of the size that `flat` is made for, and those too faint to be named."""
    taken = plane.to_mm(np.array([claim.centre_px for claim in before]).reshape(-1, 2))
    spots = search(flat, laid, flats.boxes_on(flat, plane, region), taken, effort)
    if not len(spots.turns):
        return [], []
    poses = flats.poses_at(flat, spots.points, spots.turns, plane)
    named = name(levels, poses, FOUND)
    name_again(
        levels,
        poses,
        FOUND,
        named,
        np.flatnonzero((spots.scores >= CLEAR) & (named.margin < HINT_MARGIN))[:AGAIN],
    )
    bent, stray = flats.misfit(flat, plane, corners_of(named.poses), spots.points)
    plain = (named.own >= PLAIN_OWN) & (named.margin >= PLAIN_MARGIN)
    fits = _inside(levels, named) & (bent < np.where(plain, CURLED, BENT)) & (stray < STRAY)
    sure = _sure(named, OWN, MARGIN) & fits
    return _claims(named, sure, "known"), _claims(
        named, _sure(named, OWN, HINT_MARGIN) & fits & ~sure, "known"
    )


def _sure(named: Named, own: float, margin: float) -> np.ndarray:
    shared = named.common / np.sqrt(np.maximum(1 - named.common**2, 0.02))
    sure: np.ndarray = (named.own >= own) & (named.margin >= margin) & (named.own >= RATIO * shared)
    return sure


def _inside(levels: Levels, named: Named) -> np.ndarray:
    """Which codes lie in the picture with all but a module or two."""
    height, width = levels.at(0).shape
    corners = corners_of(named.poses)
    slack = 0.1 * np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)[:, None]
    x, y = corners[:, :, 0], corners[:, :, 1]
    inside: np.ndarray = (
        (x > -slack) & (x < width + slack) & (y > -slack) & (y < height + slack)
    ).all(axis=1)
    return inside


def _claims(named: Named, sure: np.ndarray, reader: str) -> list[Claim]:
    corners = corners_of(named.poses)
    claims = []
    for i in sorted(np.flatnonzero(sure), key=lambda i: -named.own[i]):
        word, mirrored = word_at(int(named.word[i]))
        shape = corners[i][[0, 3, 2, 1]] if mirrored else corners[i]
        claims.append(
            Claim(word, word.payload, _tuples(shape), float(named.own[i]), reader, mirrored)
        )
    return claims


def _tuples(points: np.ndarray) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _index(card: int, deck: str) -> int:
    return words().index(word_for(card, deck)) if card else 0


def _read(
    levels: Levels, known: list[Claim], finest: float | None, region: Sequence[Box] | None
) -> list[Claim]:
    """What zxing-cpp reads: in the whole picture or region, and round each code newly known that it
    has not read there.

    `finest` is the most pixels a module can have in this picture, None where nobody knows.
    """
    claims: list[Claim] = []
    for read in _read_all(levels, finest, region):
        rough = Claim(read.word, read.payload, _tuples(read.corners_px), 1.0, "zxing")
        if not any(same_place(rough, other) for other in claims):
            confirms = any(same_place(rough, other) for other in known)
            claims.append(rough if confirms else _settled(levels, read))
    news = [
        c
        for c in known
        if c.reader == "known" and not any(same_place(c, other) for other in claims)
    ]
    for claim in news:
        for read in zxing_reader.read_near(levels.at(0), np.array(claim.corners_px)):
            rough = Claim(read.word, read.payload, _tuples(read.corners_px), 1.0, "zxing")
            claims += [rough] if same_place(rough, claim) else []
    return claims


def _read_all(
    levels: Levels, finest: float | None, region: Sequence[Box] | None
) -> list[zxing_reader.Read]:
    """zxing-cpp's reads of the whole picture or region, at the size that suits it; nothing where
    codes are too small for it."""
    if finest is None:
        reads = zxing_reader.read_codes(levels.at(0))
        return reads + (
            zxing_reader.read_codes(levels.at(0), 2) if levels.at(0).size <= ENLARGED_UP_TO else []
        )
    if finest < ZXING_FROM:
        return []
    halvings = max(0, int(np.log2(finest / ZXING_ENOUGH)))
    picture = levels.at(halvings)
    factor = levels.at(0).shape[1] / picture.shape[1]
    left, top, right, bottom = 0, 0, picture.shape[1], picture.shape[0]
    if region is not None:
        bounds, around = np.array(region, float) / factor, 2 * MODULES * finest / factor
        left, top = (
            int(v) for v in np.clip(bounds[:, :2].min(axis=0) - around, 0, [right, bottom])
        )
        right, bottom = (
            int(v) for v in np.clip(bounds[:, 2:].max(axis=0) + around, 0, [right, bottom])
        )
    reads = zxing_reader.read_codes(picture[top:bottom, left:right])
    corner = np.array([left + 0.5, top + 0.5])
    return [replace(r, corners_px=(r.corners_px + corner) * factor - 0.5) for r in reads]


def _settled(levels: Levels, read: zxing_reader.Read) -> Claim:
    """A zxing read as a claim, its corners refined on the word's modules, else rough; none where it
    may be mirrored."""
    word = read.word
    if word is None:
        return Claim(None, read.payload, _tuples(read.corners_px), 1.0, "zxing")
    pose = pose_of(read.corners_px[None])
    sigma = float(sigmas_for(pose)[0])
    both = np.array([words().index(word), words().index(word) + len(words())])
    poses, patches = refine(levels, np.repeat(pose, 2, axis=0), both, sigma, LOOSE, rounds=8)
    common, scores = parts(patches, sigma)
    own = scores[np.arange(2), both]
    best = int(own.argmax())
    if own[best] < TRACKED_OWN:
        plain = word if own[best] - own[1 - best] > MIRROR_LEAD else None
        return Claim(plain, read.payload, _tuples(read.corners_px), TRACKED_OWN, "zxing", best == 1)
    named = Named(poses, both, own, common, own)
    return _claims(named, np.arange(2) == best, "zxing")[0]


def _blind(levels: Levels) -> list[Claim]:
    """Codes found without knowing how large they are, by trying sizes and foreshortenings until
    there are plenty."""
    claims: list[Claim] = []
    height, width = levels.at(0).shape
    for plane in guesses((width, height)):
        flat = flats.flatten(plane, (width, height), 1.0)
        if flat is not None:
            spots = localise.search(flat, flat.lay(levels))
            if not len(spots.turns):
                continue
            named = name(levels, flats.poses_at(flat, spots.points, spots.turns, plane), LOOSE)
            claims += _claims(
                named, _sure(named, BLIND_OWN, BLIND_MARGIN) & _inside(levels, named), "known"
            )
        if len({claim.payload for claim in claims}) >= PLENTY:
            break
    return sorted(claims, key=lambda claim: -claim.score)
