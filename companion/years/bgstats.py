"""An evening for BG Stats, an app many people keep their plays with: as a link and as a file.

Pure. The link opens the app on this very tablet; the form of it that goes through a web address is
not used, because where the app is missing that would carry everybody's names to a server. What the
app demands: every truth value is there, `bggId` is a number or absent, `playDate` is the end in UTC,
and the ids of source, play, player and game never change, so that matches made once stay made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid5

from companion.findings.played import PlayedEvening
from companion.years.persons import SOMEBODY, Persons, is_guest

SOURCE = "Cloud Mine Companion"
GAME_NAME = "Cloud Mine"
GAME_ID = "cloud-mine"
LINK = "bgstats://app.bgstatsapp.com/createPlay.html?data="
SPACE = UUID("5b0f6b3e-3f0a-5a53-9b64-3c1cbb1f2a10")
"""Chosen once: the ids in files are made of it."""


def play_date(ended_s: float) -> str:
    """The end of an evening as the app writes it."""
    return datetime.fromtimestamp(ended_s, UTC).strftime("%Y-%m-%d %H:%M:%S")


def play(evening: PlayedEvening, place: str, persons: Persons) -> dict[str, Any]:
    """The play as the link carries it."""
    return {
        "sourceName": SOURCE,
        "sourcePlayId": evening.id,
        "playDate": play_date(evening.ended_s),
        "durationMin": _minutes(evening),
        "location": place,
        "board": "",
        "comments": "",
        "game": {
            "name": GAME_NAME,
            "sourceGameId": GAME_ID,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": persons.person(written).id,
                "score": str(evening.totals[seat]),
                "rank": _rank(evening, seat),
                "winner": seat in evening.winners,
                "startPlayer": bool(evening.rounds) and seat == evening.rounds[0].daydreamer,
                "role": "",
            }
            for seat, (written, name) in enumerate(
                zip(evening.names, persons.names(evening.names), strict=True)
            )
        ],
    }


def link(evening: PlayedEvening, place: str, persons: Persons) -> str:
    """The address that opens the app with the play."""
    told = json.dumps(play(evening, place, persons), ensure_ascii=False, separators=(",", ":"))
    return LINK + quote(told, safe="")


def play_file(
    evenings: Iterable[tuple[PlayedEvening, str]], persons: Persons, now_s: float
) -> Iterator[str]:
    """Plays as the app's own file (`.bgsplay`) has them, piece by piece: each play as it comes, and
    then the people and places that were in them."""
    players: dict[str, dict[str, Any]] = {}
    locations: dict[str, dict[str, Any]] = {}
    yield f'{{"about": {_written(f"Plays of {SOURCE}")}, "plays": [\n'
    first = True
    for evening, place in evenings:
        told = play(evening, place, persons)
        scores = []
        for seat, one in enumerate(told["players"]):
            known = players.setdefault(
                one["sourcePlayerId"], _player(len(players) + 1, one["name"], one["sourcePlayerId"])
            )
            scores.append(
                {
                    "playerRefId": known["id"],
                    "score": one["score"],
                    "rank": one["rank"],
                    "winner": one["winner"],
                    "startPlayer": one["startPlayer"],
                    "newPlayer": False,
                    "role": one["role"],
                    "seatOrder": seat + 1,
                }
            )
        one_play = {
            "uuid": _uuid("play", evening.id),
            "sourceName": SOURCE,
            "sourcePlayId": evening.id,
            "playDate": told["playDate"],
            "entryDate": play_date(now_s),
            "modificationDate": play_date(now_s),
            "durationMin": told["durationMin"],
            "gameRefId": 1,
            "board": "",
            "comments": "",
            "rounds": len(evening.finished),
            "usesTeams": False,
            "manualWinner": False,
            "ignored": False,
            "playerScores": scores,
        }
        if place:
            at = locations.setdefault(place, _location(len(locations) + 1, place))
            one_play["locationRefId"] = at["id"]
        yield ("" if first else ",") + _written(one_play) + "\n"
        first = False
    game = {
        "id": 1,
        "uuid": _uuid("game", GAME_ID),
        "sourceGameId": GAME_ID,
        "name": GAME_NAME,
        "highestWins": True,
        "noPoints": False,
        "cooperative": False,
        "usesTeams": False,
    }
    rest = {
        "games": [game],
        "players": list(players.values()),
        "locations": list(locations.values()),
        "userInfo": {"meRefId": 0},
    }
    yield "], " + _written(rest)[1:]


def _written(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False)


def _player(number: int, name: str, key: str) -> dict[str, Any]:
    anonymous = name.startswith(SOMEBODY) or is_guest(name)
    return {
        "id": number,
        "uuid": _uuid("player", key),
        "sourcePlayerId": key,
        "name": name,
        "isAnonymous": anonymous,
    }


def _location(number: int, place: str) -> dict[str, Any]:
    return {"id": number, "uuid": _uuid("location", place), "name": place}


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(SPACE, f"{kind}/{key}"))


def _minutes(evening: PlayedEvening) -> int:
    return max(1, round(evening.played_s / 60))


def _rank(evening: PlayedEvening, seat: int) -> int:
    return 1 + sum(total > evening.totals[seat] for total in evening.totals)
