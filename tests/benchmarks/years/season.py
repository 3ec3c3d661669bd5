"""A season at the practice table, kept by the camera: forty evenings from pictures to the book, recounted,
and taken to a table for spreadsheets and back.

    python -m tests.benchmarks.years.season [--evenings 40] [--rounds 2] [--eye camera or witness] [--folder DIR]

`--rounds 0` plays each evening to the end of its deck. Every evening goes through the session as at home: it begins with a command, the camera keeps the score, a
question is answered with what really happened, and the evening is ended. With `--eye witness` the script
is seen without pictures. `--folder` keeps the evenings there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from calibration.geometry.plane import Plane
from companion.__main__ import main as companion
from companion.evening.session import Session
from companion.findings.played import played_evening
from companion.journal import Journal
from companion.practice.room import Room
from companion.practice.script import Script
from companion.practice.table import PracticeTable
from companion.practice.witness import Witness, moments_of
from companion.table.sighting import Attention, RawGlimpse
from companion.vision.eye import Eye
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.evening_played import Order, begun, judge, written
from tests.support.years.recount import recount

FIRST_S = 1_700_000_000.0
WEEK_S = 7 * 86_400.0
FPS, IDLE_FPS = 4.0, 1.34
EDITIONS = ("en", "de", "cs")


@dataclass
class Kept:
    """What became of the season: verdicts of rounds, questions, and each evening's true clouds."""

    verdicts: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    pictures: int = 0
    truth: dict[str, dict[str, int]] = field(default_factory=dict)


class Looks:
    """The glimpses of one evening, from pictures or from the script, each with its picture."""

    def __init__(self, order: Order, script: Script, room: Room) -> None:
        self.image = None
        self.plane: Plane | None = None
        self._witness = moments_of(Witness(script, order.seed), FPS)
        self._table = (
            None
            if order.eye == "witness"
            else PracticeTable(
                script, room.camera, room.cloth, order.seed, order.fps, order.idle_fps, True
            )
        )
        self._eye = Eye()

    def read_next(self, attention: Attention) -> RawGlimpse | None:
        """The next one; None at the end."""
        if self._table is None:
            seen = self._witness(attention)
            assert seen is None or isinstance(seen, RawGlimpse)
            return seen
        frame = self._table.read()
        if frame is None:
            return None
        result = self._eye.read_frame(frame, attention)
        self.image, self.plane = frame.image, result.plane
        return result.raw


def order_of(at: int, rounds: int, eye: str) -> Order:
    """The `at`-th evening of the season: three to eight players, all editions, the tray."""
    return Order(
        seed=7000 + at, rounds=rounds, players=3 + at % 6, edition=EDITIONS[at % 3], handling="tray",
        temper="ordinary", camera="1080p", faults="none", rate=1.0, fps=FPS, idle_fps=IDLE_FPS, eye=eye,
    )  # fmt: skip


def play(session: Session, now: list[float], order: Order, kept: Kept) -> None:
    """One evening at the table of `session`, whose clock is `now`."""
    script, room = written(order)
    began_s = now[0]
    first = begun(script.truth, order.handling)
    send(session, f"begin-{order.seed}", do="begin", players=list(first.players), daydreamer=first.daydreamer,
         edition=first.edition, deck_size=first.deck_size, handling=first.handling)  # fmt: skip
    session.pictures.switch(True)
    looks = Looks(order, script, room)
    while (raw := looks.read_next(session.attention)) is not None:
        glimpse = session.draw_curtain(raw)
        now[0] = began_s + glimpse.t_s
        if looks.image is not None and session.curtain_open:
            session.pictures.keep_picture(glimpse, looks.image, looks.plane, now[0])
        session.observe_glimpse(glimpse, began_s)
        kept.answered += answer(session, script)
    session.finish_footage(now[0] - began_s, began_s)
    kept.answered += answer(session, script)
    kept.verdicts.update(
        judge(session.keeper, script, line).verdict for line in script.truth.rounds
    )
    log = session.log
    names, players = script.truth.players, len(script.truth.players)
    piles = Counter(dict.fromkeys(names, 0))
    for line in script.truth.rounds:
        piles.update(dict(zip(names, line.gains(players), strict=True)))
    kept.truth[played_evening(log).id] = dict(piles)
    if not session.keeper.ledger.over:
        send(session, f"end-{order.seed:05d}", do="end")


def answer(session: Session, script: Script) -> int:
    """Answer a question with what really happened, as the people at the table would; 1 where there was
    one."""
    question = session.scoreboard()["question"]
    if question is None:
        return 0
    number = question["round"]
    line = script.truth.rounds[number - 1]
    aside = sum(not guess.right for guess in line.guesses)
    for option in question["options"]:
        claimed = option["key"] in ("claimed", "set_aside_then_claimed")
        if option["set_aside"] == aside and claimed == (line.ending == "claimed"):
            send(
                session,
                f"answer-{question['id']}",
                do="answer",
                question=question["id"],
                option=option["option"],
            )
            return 1
    return 0


def send(session: Session, command: str, **asked: object) -> None:
    """One command that must be taken."""
    status, told = session.command(
        {"id": command[:64].ljust(8, "0"), "version": session.version, **asked}
    )
    assert status == 200, told


def season(folder: Path, evenings: int, rounds: int, eye: str) -> Kept:
    """Play all evenings into `folder`, a week apart."""
    cv2.setNumThreads(1)
    kept, now = Kept(), [FIRST_S]
    session = Session(Journal(folder, lambda: now[0]), clock=lambda: now[0])
    try:
        for at in range(evenings):
            now[0] = FIRST_S + at * WEEK_S
            play(session, now, order_of(at, rounds, eye), kept)
            print(f"evening {at + 1}: {dict(kept.verdicts)}", flush=True)
        kept.pictures = session.pictures.store.kept().pictures
    finally:
        session.close()
    return kept


def typed(*words: object) -> str:
    """A command of the companion, typed in a shell; what it said."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = companion([str(word) for word in words])
    assert code == 0, told.getvalue()
    return told.getvalue()


def there_and_back(folder: Path, apart: Path) -> tuple[str, bool]:
    """The table of the season; and whether a companion that reads it writes the same table again."""
    table, again, other = apart / "season.csv", apart / "again.csv", apart / "other"
    typed("export", table, "--data", folder)
    typed("import", table, "--data", other)
    typed("export", again, "--data", other)
    return table.read_text(encoding="utf-8"), again.read_bytes() == table.read_bytes()


def main() -> int:
    """Play, recount, take along; print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--eye", choices=("camera", "witness"), default="camera")
    parser.add_argument("--folder", type=Path)
    add_json(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as apart:
        folder = asked.folder or Path(apart) / "kept"
        kept = season(folder, asked.evenings, asked.rounds, asked.eye)
        text, same = there_and_back(folder, Path(apart))
    counted = recount(text)
    right = sum(counted.get(key) == piles for key, piles in kept.truth.items())
    told = ", ".join(f"{n} {verdict}" for verdict, n in sorted(kept.verdicts.items()))
    n, rounds = asked.evenings, sum(kept.verdicts.values())
    seen = f"season by {asked.eye}"
    figures = [
        Figure(f"{seen}: rounds in the book", f"{told}; {kept.answered} questions answered", "0 wrong", rounds),
        Figure(f"{seen}: evenings whose table, recounted, has everybody's true clouds", f"{right} of {n}", "all", n),
        Figure(f"{seen}: read back from the table and written again", "the same bytes" if same else "other bytes", "the same", n),
    ]  # fmt: skip
    if asked.eye == "camera":
        said = f"{kept.pictures} of {rounds} rounds"
        figures.append(Figure(f"{seen}: pictures kept for the album", said, "", rounds))
    for figure in figures:
        print(f"{figure.what:80} {figure.value:50} {figure.goal}")
    record(asked.json, figures, 7000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
