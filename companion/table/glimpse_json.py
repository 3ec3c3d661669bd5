"""Glimpses as plain values and back: the line a recorded evening keeps for each frame.

A deal is written as keys among the notices ("revealed", "card_unread", "missed_round"), as the
seconds for which each card was unread, and as a score of 0 for a card that had left already. This
is the only module that knows of that: in memory a deal is a `Deal`.

Pure: builds and reads dicts of strings and numbers; files are other people's business.
"""

from __future__ import annotations

from typing import Any

from companion.table.sighting import (
    AFTER_MISSED_ROUND,
    ONE_UNREAD,
    REVEALED,
    Deal,
    DealtCard,
    Glimpse,
    Hand,
    PictureReport,
    PictureSays,
    PlaceReport,
    PlaceState,
    Point,
    Polygon,
    Sighting,
    TableView,
    TrayReport,
)

FORMAT = 1
"""Raised when the meaning of a line changes; older lines stay readable."""

HAD_LEFT_SCORE = 0.0
"""Written as the score of a card that had left already when its deal was found."""

DEAL_NOTICES = frozenset((REVEALED, ONE_UNREAD, AFTER_MISSED_ROUND))


def _point(point: Point) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]


def _polygon(polygon: Polygon | None) -> list[list[float]] | None:
    return None if polygon is None else [_point(p) for p in polygon]


def glimpse_to_dict(glimpse: Glimpse) -> dict[str, Any]:
    """The glimpse as a JSON-ready dict; millimetres and pixels are kept to a hundredth, empty
    fields left out."""
    line: dict[str, Any] = {"v": FORMAT, "t": round(glimpse.t_s, 4)}
    had_left = glimpse.deal.had_left if glimpse.deal is not None else ()
    if glimpse.sightings:
        line["seen"] = [
            [
                s.card,
                *_point(s.centre_mm),
                round(s.heading_deg, 1),
                HAD_LEFT_SCORE if s.card in had_left else round(s.score, 3),
                _polygon(s.corners_px),
            ]
            for s in glimpse.sightings
        ]
    if glimpse.places:
        line["places"] = [[p.card, *_point(p.centre_mm), p.state.value] for p in glimpse.places]
    if glimpse.backs_mm:
        line["backs"] = [_point(p) for p in glimpse.backs_mm]
    if glimpse.hands:
        line["hands"] = [[*_point(h.tip_mm), h.from_deg] for h in glimpse.hands]
    if glimpse.table:
        line["table"] = [_polygon(glimpse.table.middle), _polygon(glimpse.table.tray)]
    unread_s = glimpse.deal.unread_s if glimpse.deal is not None else {}
    unread = [[card, round(seconds, 2)] for card, seconds in unread_s.items()]
    extras = {"unnamed": glimpse.unnamed, "notices": list(glimpse.all_notices), "unread": unread}
    line.update({key: value for key, value in extras.items() if value})
    if glimpse.tray is not None:
        tray = glimpse.tray
        line["tray"] = [
            round(tray.in_view, 2),
            int(tray.quiet),
            tray.version,
            round(tray.covered_mm2),
        ]
    if glimpse.pictures:
        line["pictures"] = [
            [
                p.says.value,
                p.card,
                *_point(p.centre_mm),
                round(p.heading_deg, 1),
                round(p.evidence, 2),
            ]
            for p in glimpse.pictures
        ]
    if glimpse.names:
        line["names"] = [list(pair) for pair in glimpse.names]
    if not glimpse.usable:
        line["unusable"] = True
    return line


FARTHEST = 1e12
"""No time in seconds, no millimetre, pixel, degree or square millimetre of a recorded evening is larger."""

FEWEST_CORNERS = 3


def _number(value: Any) -> float:
    """A measured number; ValueError for one that nobody measures (infinite, none at all, past
    `FARTHEST`): the line may be a stranger's, and whoever reckons with it would fail far from here."""
    number = float(value)
    if not abs(number) <= FARTHEST:
        raise ValueError(f"{number} is no measure")
    return number


def _whole(value: Any) -> int:
    """A count or a card's number, whole and no larger than any is."""
    return int(_number(value))


def _read_point(x: Any, y: Any) -> Point:
    return _number(x), _number(y)


def _read_polygon(value: Any) -> Polygon | None:
    return None if value is None else tuple(_read_point(x, y) for x, y in value)


def _read_direction(value: Any) -> float | None:
    return None if value is None else _number(value)


def _read_zone(value: Any) -> Polygon | None:
    """A part of the table, which has corners."""
    polygon = _read_polygon(value)
    if polygon is not None and len(polygon) < FEWEST_CORNERS:
        raise ValueError("a part of the table has three corners or more")
    return polygon


def _read_sighting(value: list[Any]) -> Sighting:
    card, x, y, heading, score, corners = value
    return Sighting(
        _whole(card),
        _read_point(x, y),
        _number(heading),
        _read_polygon(corners) or (),
        _number(score),
    )


def _read_deal(line: dict[str, Any], sightings: tuple[Sighting, ...]) -> Deal | None:
    """The deal that a line reveals; lines older than the "unread" key name its cards by their
    sightings alone."""
    notices = line.get("notices", ())
    if REVEALED not in notices:
        return None
    read = {s.card: s for s in sightings}
    unread_s = {_whole(card): _number(seconds) for card, seconds in line.get("unread", ())}
    cards = tuple(
        DealtCard(
            card, read[card].centre_mm, unread_s.get(card, 0.0), read[card].score == HAD_LEFT_SCORE
        )
        for card in (unread_s or read)
        if card in read
    )
    return Deal(cards, ONE_UNREAD in notices, AFTER_MISSED_ROUND in notices) if cards else None


def _read_tray(value: list[Any] | None) -> TrayReport | None:
    if value is None:
        return None
    in_view, quiet, version, covered_mm2 = value
    return TrayReport(_number(in_view), bool(quiet), _whole(version), _number(covered_mm2))


def _read_picture(value: list[Any]) -> PictureReport:
    says, card, x, y, heading_deg, evidence = value
    return PictureReport(
        PictureSays(says),
        None if card is None else _whole(card),
        _read_point(x, y),
        _number(heading_deg),
        _number(evidence),
    )


def glimpse_from_dict(line: dict[str, Any]) -> Glimpse:
    """The glimpse of one recorded line.

    Raises:
        ValueError: the line is of a newer format or not a glimpse.
    """
    try:
        if line["v"] > FORMAT:
            raise ValueError("this recording was made by a newer companion: update this one")
        table = line.get("table")
        sightings = tuple(_read_sighting(s) for s in line.get("seen", ()))
        return Glimpse(
            t_s=_number(line["t"]),
            sightings=sightings,
            places=tuple(
                PlaceReport(_whole(c), _read_point(x, y), PlaceState(s))
                for c, x, y, s in line.get("places", ())
            ),
            backs_mm=_read_polygon(line.get("backs", ())) or (),
            hands=tuple(
                Hand(_read_point(x, y), _read_direction(d)) for x, y, d in line.get("hands", ())
            ),
            table=None if table is None else TableView(_read_zone(table[0]), _read_zone(table[1])),
            usable=not line.get("unusable", False),
            unnamed=_whole(line.get("unnamed", 0)),
            notices=tuple(n for n in line.get("notices", ()) if n not in DEAL_NOTICES),
            deal=_read_deal(line, sightings),
            tray=_read_tray(line.get("tray")),
            pictures=tuple(_read_picture(p) for p in line.get("pictures", ())),
            names=tuple(
                (_whole(stand_in), _whole(card)) for stand_in, card in line.get("names", ())
            ),
        )
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
        raise ValueError("this line is not a recorded glimpse") from error
