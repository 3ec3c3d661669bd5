"""A person's phone: it checks in under a name, and is told where to sit.

An open door: whoever reads the code on the wall may knock, so the pace is bounded, by address and for
all together, as is the number of people; names are cleaned. A phone may change its own name and
nothing else. Knows HTTP and the tournament's book.
"""

from __future__ import annotations

import time
from typing import Any

from flask import Response, jsonify, render_template, request

from companion.errors import HallTrouble
from companion.hall.context import hall
from companion.hall.tournament import Participant, Tournament, TournamentRefusal, tournament_table
from companion.hall.tournament_book import new_phone
from companion.web.context import asked_object
from companion.web.guards.access import Rule
from companion.web.views.page_files import asked_language

CHECK_IN_COOKIE = "companion_check_in"
CHECK_IN_PATH = "/api/check-in"
KEPT_S = 2 * 86_400

Answered = Response | tuple[Response, int]


def check_in_page(code: str) -> str:  # noqa: ARG001 (the page reads it from its own address)
    """The phone's page: an empty shell, the same for every code."""
    language = asked_language()
    return render_template("check_in.html", language=language)


def check_in() -> Answered:
    """Check in under a name, or change it: 409 with the reason where that cannot be, 429 for too many
    knocks."""
    asked = asked_object()
    if (slow_down := _too_fast()) is not None:
        return slow_down
    shared = hall()
    try:
        token = shared.tournament.check_in(asked.get("code"), asked.get("name"), _token())
    except TournamentRefusal as refusal:
        return jsonify(error="refused", reason=refusal.reason), 409
    except HallTrouble as trouble:
        return _away(trouble)
    return _kept(_mine(token), token)


def checked_in() -> Answered:
    """Who this phone is, and where they sit. One that has no token is given it here, before it checks in:
    the answer to that may be lost."""
    token = _token()
    return _mine(token) if token else _kept(_mine(None), new_phone())


def _kept(answer: Answered, token: str) -> Answered:
    """The answer, with the token that the phone keeps."""
    (answer[0] if isinstance(answer, tuple) else answer).set_cookie(
        CHECK_IN_COOKIE,
        token,
        max_age=KEPT_S,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path=CHECK_IN_PATH,
    )
    return answer


def leave_tournament() -> Answered:
    """The person leaves, or is back."""
    asked = asked_object()
    if (slow_down := _too_fast()) is not None:
        return slow_down
    try:
        hall().tournament.leave_by_phone(_token(), asked.get("gone") is not False)
    except TournamentRefusal as refusal:
        return jsonify(error="refused", reason=refusal.reason), 409
    except HallTrouble as trouble:
        return _away(trouble)
    return _mine(_token())


def _token() -> str | None:
    token = request.cookies.get(CHECK_IN_COOKIE)
    return token[:200] if token else None


def _too_fast() -> Answered | None:
    shared, now_s = hall(), time.monotonic()
    if shared.knocks.may(request.remote_addr or "", now_s) and shared.knocks_of_all.may("", now_s):
        return None
    answer = jsonify(error="refused", reason="slow")
    answer.headers["Retry-After"] = "10"
    return answer, 429


def _away(trouble: HallTrouble) -> Answered:
    answer = jsonify(error="away", reason=str(trouble))
    answer.headers["Retry-After"] = "5"
    return answer, 503


def _mine(token: str | None) -> Answered:
    try:
        told = hall().tournament.tournament()
        me = hall().tournament.holder_of(token)
    except HallTrouble as trouble:
        return _away(trouble)
    if told is None:
        return jsonify(tournament=None, me=None)
    if me is None:  # who neither has the code nor is in hears no name
        return jsonify(tournament="", open=told.code is not None, ended=told.ended, me=None)
    return jsonify(
        tournament=told.name,
        open=told.code is not None,
        ended=told.ended,
        me=_about(told, me),
    )


def _about(told: Tournament, me: Participant) -> dict[str, Any]:
    line = next(one for one in tournament_table(told) if one.id == me.id)
    about: dict[str, Any] = {
        "name": me.name,
        "gone": me.gone,
        "place": line.place if any(heat.closed for heat in told.heats) else None,
        "of": len(told.people),
        "points": round(float(line.points), 1),
        "heats": line.heats,
        "heat": len(told.heats),
        "seat": None,
    }
    heat = told.open_heat
    if heat is None:
        return about
    about["bye"] = me.id in heat.byes
    for table in heat.tables:
        ids = [person.id for person in table.people]
        if me.id in ids:
            known = hall().register.table(table.id)
            about["seat"] = {
                "table": table.number,
                "name": known.name if known is not None else "",
                "people": [person.name for person in table.people],
                "mine": ids.index(me.id),
            }
    return about


ROUTES = (
    ("/check-in/<code>", "GET", Rule.OPEN, check_in_page),
    (CHECK_IN_PATH, "POST", Rule.OPEN, check_in),
    (f"{CHECK_IN_PATH}/mine", "GET", Rule.OPEN, checked_in),
    (f"{CHECK_IN_PATH}/leave", "POST", Rule.OPEN, leave_tournament),
)
