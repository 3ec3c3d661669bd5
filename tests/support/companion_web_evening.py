"""An evening for the tablet's tests: a small session that keeps a touch game by the contract of the
scoreboard.

It stands where the real session stands, so that the page can be tested in every state, also in
those a camera makes (practice, questions, notices), which a test sets by hand with `extra`.
"""

from __future__ import annotations

import copy
import math
import threading
from collections import deque
from functools import lru_cache
from typing import Any

from card_printables.artwork.clouds import picture

DRAW = {3: 4, 4: 6}
ATTEMPTS = {3: 2, 4: 4}
NAMES = ("Tomáš", "Ben", "Ida", "Oskar", "Mia", "Livia", "Anna", "Opa Karel")
LONG = (
    "Jo",
    "Oma Hannelore",
    "Wolfgang-Amadeus",
    "Kateřina Nováková",
    "Bartholomäus",
    "Přemysl Otakar",
    "Anne-Sophie-Charlotte",
    "Maximilian-Alexander",
)


class Screen:
    """One subscription."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._seen = -1
        self.closed = False

    def get(self, timeout_s: float) -> dict[str, Any] | None:
        """The next scoreboard."""
        with self._evening.changed:
            self._evening.changed.wait_for(lambda: self._evening.stamp != self._seen, timeout_s)
            if self._evening.stamp == self._seen:
                return None
            behind = self._evening.stamp - self._seen
            if self._seen < 0 or behind > len(self._evening.recent):
                behind = 1
                self._seen = self._evening.stamp - 1
            self._seen += 1
            return self._evening.recent[-behind]

    def close(self) -> None:
        """Nothing more is wanted."""
        self.closed = True


class Evening:
    """A game kept by touch; `extra` is laid over the scoreboard, `people` are known from other
    evenings."""

    def __init__(self, people: tuple[str, ...] = ()) -> None:
        self.changed = threading.Condition()
        self.version = 1
        self.stamp = 0
        self.recent: deque[dict[str, Any]] = deque(maxlen=32)
        self.people = people
        self.extra: dict[str, Any] = {}
        self.jpeg: bytes | None = None
        self.report: dict[str, Any] = {}
        self.in_view: list[int] | None = None
        self.begun: dict[str, Any] | None = None
        self.rounds: list[dict[str, Any]] = []
        self.flag: str | None = None
        self._past: list[tuple[dict[str, Any], tuple[Any, ...]]] = []
        self._undone: Any = None
        self._answers: dict[str, tuple[int, dict[str, Any]]] = {}
        self.screens: list[Screen] = []
        self.commands: list[dict[str, Any]] = []
        self.shown: dict[str, Any] = {}
        self.refresh()

    # what the web needs of a session

    def scoreboard(self) -> dict[str, Any]:
        """The present state."""
        return self.shown

    def subscribe(self) -> Screen:
        """A new screen."""
        self.screens.append(Screen(self))
        return self.screens[-1]

    def picture_jpeg(self, max_width: int) -> bytes | None:
        """The camera's picture, when the test set one."""
        return None if self.shown["phase"] == "secret" else self.jpeg

    def card_art(self, card: int) -> bytes:
        """One card's picture."""
        if not 1 <= card <= 99:
            raise ValueError(card)
        return art(card)

    def past_players(self) -> list[str]:
        """People from other evenings."""
        return list(self.people)

    def calibration(self) -> dict[str, Any]:
        """What the test set."""
        return self.report

    def cards_in_view(self) -> list[int]:
        """The numbers lying under the camera, when the test set some."""
        return self.in_view or []

    def history(self, number: int) -> list[dict[str, Any]]:
        """A round that the camera wrote and a person corrected."""
        line = {
            "number": 1,
            "at_s": 1.0,
            "author": None,
            "card": None,
            "attempt": None,
            "gone": False,
        }
        wrong = {
            **line,
            "number": 2,
            "source": "camera",
            "what": "wrong",
            "attempt": 1,
            "card": 7,
            "gone": True,
        }
        back = {**line, "number": 3, "source": "person", "author": "Tablet", "what": "back"}
        by_rule = {**line, "number": 4, "source": "rule", "what": "lookout"}
        return [{**line, "source": "camera", "what": "laid"}, wrong, back, by_rule]

    def export(self, kind: str) -> tuple[str, bytes]:
        """A tiny file."""
        return f"evening.{kind}", b"round,name\n" if kind == "csv" else b"{}"

    def command(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Do it once per id; 409 when the version is old."""
        with self.changed:
            if asked["id"] in self._answers:
                return self._answers[asked["id"]]
            if asked["version"] != self.version:
                return 409, {"error": "stale", "scoreboard": self.shown}
            before = copy.deepcopy((self.begun, self.rounds, self.flag))
            what = self._do(asked)
            if isinstance(what, str):
                return 422, {"error": "refused", "reason": what, "params": {}}
            if asked["do"] != "undo":
                self._past.append((what, before))
                self._undone = None
            self.commands.append(asked)
            self.version += 1
        self.refresh()
        self._answers[asked["id"]] = (200, {"ok": True, "scoreboard": self.shown})
        return self._answers[asked["id"]]

    def refresh(self) -> None:
        """Show the present state (after a test changed it) to every screen."""
        with self.changed:
            self.shown = self._scoreboard()
            self.recent.append(self.shown)
            self.stamp += 1
            self.changed.notify_all()

    # the game

    def _do(self, asked: dict[str, Any]) -> dict[str, Any] | str:
        step = getattr(self, "_do_" + asked["do"], None)
        return "unknown" if step is None else (step(asked) or {"what": asked["do"], "seat": None})

    def _do_begin(self, asked: dict[str, Any]) -> str | None:
        if not 3 <= len(asked["players"]) <= 8:
            return "players_count"
        self.begun = {
            k: asked[k] for k in ("players", "daydreamer", "edition", "deck_size", "handling")
        }
        self.rounds, self.flag = [_new_round()], None
        return None

    def _do_rematch(self, asked: dict[str, Any]) -> None:
        self.rounds, self.flag = [_new_round()], None

    def _do_laid(self, asked: dict[str, Any]) -> None:
        n = self._n()
        start = sum(len(r["cards"] or ()) for r in self.rounds)
        self.rounds[-1]["cards"] = asked.get("cards") or [start + i + 1 for i in range(n)]

    def _do_wrong(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._guess(asked, False)

    def _do_right(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._guess(asked, True)

    def _guess(self, asked: dict[str, Any], right: bool) -> dict[str, Any]:
        one = self.rounds[-1]
        seat = self._turn(one)
        one["guesses"].append({"card": asked.get("card"), "right": right})
        if right or len(one["guesses"]) == self._attempts():
            self.flag = "result"
        return {"what": "right" if right else "wrong", "seat": seat}

    def _do_next(self, asked: dict[str, Any]) -> None:
        self.flag = None if self._deck_left() >= self._n() else "over"
        if self.flag is None:
            self.rounds.append(_new_round())

    def _do_undo(self, asked: dict[str, Any]) -> str | None:
        if not self._past:
            return "nothing"
        self._undone = copy.deepcopy((self.begun, self.rounds, self.flag))
        _, (self.begun, self.rounds, self.flag) = self._past.pop()
        return None

    def _do_correct(self, asked: dict[str, Any]) -> None:
        one = self.rounds[asked["round"] - 1]
        one["guesses"] = [{"card": g.get("card"), "right": g["right"]} for g in asked["guesses"]]
        one["cards"] = asked.get("cards") or one["cards"]
        one["corrected"] = True

    def _do_redo(self, asked: dict[str, Any]) -> None:
        self.begun, self.rounds, self.flag = self._undone

    def _do_deck(self, asked: dict[str, Any]) -> None:
        self.begun = {**(self.begun or {}), "deck_size": asked["size"]}

    def _do_missing(self, asked: dict[str, Any]) -> None:
        self.begun = {
            **(self.begun or {}),
            "deck_size": self.shown["deck_size"] - len(asked["cards"]),
        }

    def _do_players(self, asked: dict[str, Any]) -> None:
        self.begun = {**(self.begun or {}), "players": asked["players"]}

    def _do_accept_count(self, asked: dict[str, Any]) -> None:
        seen = self.extra.pop("notices")[0]["params"]["seen"]
        self.rounds[-1]["cards"] = list(range(70, 70 + seen))

    def _do_insert(self, asked: dict[str, Any]) -> None:
        told = {
            **_new_round(),
            "cards": asked.get("cards") or [None] * self._n(),
            "guesses": asked["guesses"],
            "corrected": True,
        }
        self.rounds.insert(asked["round"] - 1, told)

    def _do_void(self, asked: dict[str, Any]) -> None:
        self.rounds[-1]["void"] = asked["cards"]
        self.rounds.append(_new_round())

    def _do_name(self, asked: dict[str, Any]) -> str | None:
        if len(asked["words"].split()) > 5:
            return "five_words"
        self.rounds[-1]["name"] = asked["words"]
        return None

    def _do_pause(self, asked: dict[str, Any]) -> None:
        self.flag = "paused"

    def _do_resume(self, asked: dict[str, Any]) -> None:
        self.flag = None

    def _do_end(self, asked: dict[str, Any]) -> None:
        self.flag = "over"

    def _do_camera(self, asked: dict[str, Any]) -> None:
        self.extra["camera"] = {"state": "live" if asked["on"] else "off", "notices": []}

    def _do_answer(self, asked: dict[str, Any]) -> None:
        self.extra["question"] = None

    def _n(self) -> int:
        players = len(self.begun["players"])  # type: ignore[index]
        return DRAW.get(players, players)

    def _attempts(self) -> int:
        players = len(self.begun["players"])  # type: ignore[index]
        return ATTEMPTS.get(players, players - 2)

    def _deck_left(self) -> int:
        return self.begun["deck_size"] - self._n() * sum(
            1 for r in self.rounds if r.get("void") != "back"
        )  # type: ignore[index]

    def _roles(self, number: int) -> tuple[int, int, list[int]]:
        n = len(self.begun["players"])  # type: ignore[index]
        daydreamer = (self.begun["daydreamer"] - (number - 1)) % n  # type: ignore[index]
        return daydreamer, (daydreamer - 1) % n, [(daydreamer + k) % n for k in range(1, n - 1)]

    def _turn(self, one: dict[str, Any]) -> int:
        spectators = self._roles(self.rounds.index(one) + 1)[2]
        return spectators[len(one["guesses"]) % len(spectators)]

    def _line(self, number: int) -> dict[str, Any]:
        one = self.rounds[number - 1]
        daydreamer, lookout, spectators = self._roles(number)
        players, cards = len(self.begun["players"]), one["cards"] or [None] * self._n()  # type: ignore[index]
        guesses = [
            {
                "seat": spectators[i % len(spectators)],
                "card": g["card"],
                "right": g["right"],
                "source": "camera",
                "at_s": 300.0 * number + 20 * i,
            }
            for i, g in enumerate(one["guesses"])
        ]
        wrong = sum(not g["right"] for g in guesses)
        claimer = next((g["seat"] for g in guesses if g["right"]), None)
        gains = [0] * players
        ending = "open"
        if one.get("void"):
            ending = "void"
        elif claimer is not None:
            ending = "claimed"
            gains[claimer] += len(cards) - wrong
            gains[daydreamer] += wrong
        elif wrong == self._attempts():
            ending = "lookout"
            gains[lookout] += len(cards)
        return {
            "number": number,
            "daydreamer": daydreamer,
            "lookout": lookout,
            "cards": cards,
            "guesses": guesses,
            "ending": ending,
            "claimer": claimer,
            "gains": gains,
            "name": one.get("name"),
            "corrected": one.get("corrected", False),
        }

    def _scoreboard(self) -> dict[str, Any]:
        board: dict[str, Any] = {
            "version": self.version,
            "phase": "setup",
            "edition": "en",
            "handling": "auto",
            "deck_size": 80,
            "players": [],
            "round": None,
            "rounds": [],
            "last": None,
            "deck_left": 80,
            "leftover": 0,
            "balanced": True,
            "question": None,
            "camera": {"state": "off", "notices": [], "tokens": 0, "fps": 0.0, "name": ""},
            "undo": None,
            "redo": False,
            "winners": None,
            "practice": False,
            "notices": [],
        }
        if self.begun is not None:
            self._fill(board)
        board.update(copy.deepcopy(self.extra))
        return board

    def _fill(self, board: dict[str, Any]) -> None:
        begun = self.begun or {}
        lines = [self._line(i + 1) for i in range(len(self.rounds))]
        totals = [
            sum(line["gains"][seat] for line in lines) for seat in range(len(begun["players"]))
        ]
        board.update(
            edition=begun["edition"],
            handling=begun["handling"],
            deck_size=begun["deck_size"],
            rounds=lines,
            deck_left=self._deck_left(),
            leftover=begun["deck_size"] % self._n(),
            undo=self._past[-1][0] if self._past else None,
            redo=self._undone is not None,
            players=[
                {"seat": i, "name": name, "cards": totals[i], "away": False}
                for i, name in enumerate(begun["players"])
            ],
        )
        board["round"] = self._open_round(lines[-1])
        board["phase"] = self.flag or ("guessing" if self.rounds[-1]["cards"] else "secret")
        ended = [line for line in lines if line["ending"] != "open"]
        board["last"] = _last(ended[-1]) if ended else None
        if self.flag == "over":
            board["winners"] = [i for i, t in enumerate(totals) if t == max(totals)]

    def _open_round(self, line: dict[str, Any]) -> dict[str, Any]:
        of = (self.begun or {})["deck_size"] // self._n()
        gone = {g["card"] for g in line["guesses"]}
        laid = self.rounds[-1]["cards"] is not None
        begun = self.begun or {}
        down = begun["handling"] == "face-down" or (
            begun["handling"] == "auto" and begun["edition"] == "de"
        )
        middle = (
            [
                {
                    "card": c,
                    "x": x,
                    "y": y,
                    "heading_deg": turn,
                    "seen": True,
                    "down": down and c in gone,
                }
                for c, (x, y, turn) in zip(line["cards"], places(len(line["cards"])), strict=True)
                if line["ending"] == "open" and (down or c not in gone)
            ]
            if laid
            else []
        )
        seats = self._roles(line["number"])[2]
        done = len(line["guesses"])
        return {
            "number": line["number"],
            "of": of,
            "more": of - line["number"],
            "daydreamer": line["daydreamer"],
            "lookout": line["lookout"],
            "spectators": seats,
            "draw": self._n(),
            "attempts": self._attempts(),
            "attempt": done + 1,
            "turn": self._turn(self.rounds[-1]) if laid and line["ending"] == "open" else None,
            "name": line["name"],
            "middle": middle,
            "tray": [{"card": g["card"]} for g in line["guesses"] if not g["right"]],
            "guesses": line["guesses"],
            "expected": self._n(),
            "seen": len(middle),
        }


@lru_cache(maxsize=99)
def art(card: int) -> bytes:
    """One card's picture, drawn once for all tests."""
    import cv2

    return cv2.imencode(".webp", picture(card, 256), [cv2.IMWRITE_WEBP_QUALITY, 82])[1].tobytes()


def _new_round() -> dict[str, Any]:
    return {"cards": None, "guesses": [], "name": None}


def _last(line: dict[str, Any]) -> dict[str, Any]:
    if line["ending"] == "void":
        return {"text_key": "void", "seat": None, "gain": 0, "guess": 0, "others": []}
    seat = line["claimer"] if line["claimer"] is not None else line["lookout"]
    others = [[i, g] for i, g in enumerate(line["gains"]) if g and i != seat]
    return {
        "text_key": "right" if line["ending"] == "claimed" else "nobody",
        "seat": seat,
        "gain": line["gains"][seat],
        "guess": len(line["guesses"]),
        "others": others,
    }


def places(count: int) -> list[tuple[float, float, float]]:
    """Where `count` cards lie, as a person lays them: two or three loose rows, a little turned."""
    rows = 2 if count <= 6 else 3
    per = math.ceil(count / rows)
    out = []
    for i in range(count):
        row, column = divmod(i, per)
        wide = min(per, count - row * per)
        x = (column - (wide - 1) / 2) * 0.62 + 0.05 * math.sin(i * 2.1)
        y = (row - (rows - 1) / 2) * 0.66 + 0.06 * math.cos(i * 1.7)
        out.append((x, y, 17 * math.sin(i * 1.3)))
    return out


def played(
    names: tuple[str, ...] = NAMES[:6],
    rounds: int = 4,
    wrong: int = 2,
    *,
    edition: str = "en",
    handling: str = "auto",
    phase: str = "guessing",
    daydreamer: int = 0,
) -> Evening:
    """An evening with `rounds` played and one open, with `wrong` wrong guesses in it."""
    evening = Evening(("Anna", "Opa Karel", *NAMES[:6]))
    called = (
        "a door left open",
        None,
        "grandmother’s lost slipper",
        "shy elephant on ice",
        "camel waiting for rain",
    )
    _send(
        evening,
        "begin",
        players=list(names),
        daydreamer=daydreamer,
        edition=edition,
        deck_size=80,
        handling=handling,
    )
    for number in range(rounds):
        most = evening.shown["round"]["attempts"]
        _play(evening, (number * 3 + 1) % (most + 1), called[number % 5])
        _send(evening, "next")
    if phase in ("guessing", "result"):
        _send(evening, "laid")
        _send(evening, "name", words=called[4])
        for i in range(wrong):
            _send(evening, "wrong", card=_cards(evening)[2 * i])
    if phase == "result":
        _send(evening, "right", card=_cards(evening)[-1])
    return evening


def finish(evening: Evening) -> None:
    """Play on to the end of the evening."""
    number = 0
    while evening.shown["phase"] != "over":
        if evening.shown["phase"] == "secret":
            _play(
                evening,
                number % (evening.shown["round"]["attempts"] + 1),
                None if number % 3 else "a whale on a bicycle",
            )
        number += 1
        _send(evening, "next")


def _cards(evening: Evening) -> list[int]:
    return [c["card"] for c in evening.shown["round"]["middle"] if not c["down"]]


def _play(evening: Evening, wrong: int, name: str | None) -> None:
    _send(evening, "laid")
    if name:
        _send(evening, "name", words=name)
    for _ in range(wrong):
        _send(evening, "wrong", card=_cards(evening)[0])
    if evening.shown["phase"] == "guessing":
        _send(evening, "right", card=_cards(evening)[-1])


def _send(evening: Evening, do: str, **more: Any) -> None:
    _send.count += 1  # type: ignore[attr-defined]
    status, answer = evening.command(
        {"id": f"script-{_send.count:06d}", "version": evening.version, "do": do, **more}
    )  # type: ignore[attr-defined]
    assert status == 200, answer


_send.count = 0  # type: ignore[attr-defined]
