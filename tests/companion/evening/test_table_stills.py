"""Looking again: what is kept of a round, how much of it, and that nothing secret is ever in it."""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from calibration.cameras.port import Frame
from companion.capture.frame_watch import FrameWatch
from companion.capture.jpeg import encode_jpeg
from companion.capture.table_area import small_table
from companion.evening import table_stills
from companion.evening.session import Session
from companion.evening.table_stills import (
    EVERY_S,
    HELD_S,
    MOST_HELD_BYTES,
    WIDTH_PX,
)
from companion.game.events import EveningBegun
from companion.journal import Journal
from companion.practice.script import write_script
from companion.practice.witness import Witness
from companion.web import Door, create_app
from tests.support.companion_web_client import JSON, enter
from tests.support.stills.drawn_table import SIZE, drawn, in_round, kept, lying, straight_above

PICTURE = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)


@dataclass
class Played:
    """An evening of the practice table without pictures, through the real frame watch and session."""

    session: Session
    watch: FrameWatch
    witness: Witness
    now_s: float = 0.0

    @classmethod
    def begin(cls, folder: Path, seed: int, rounds: int = 4) -> Played:
        script = write_script(players=4, rounds=rounds, seed=seed)
        session = Session(Journal(folder), clock=lambda: 0.0)
        eye = SimpleNamespace(
            plane_tracker=SimpleNamespace(plane=straight_above(), out_of_sight=False),
            memory=SimpleNamespace(last_corners=lambda t_s, within_s: {}),
            resting=False,
        )
        watch = FrameWatch(eye, lambda: played.now_s)
        watch.keep_stills = (session.stills.keep_still,)
        played = cls(session, watch, Witness(script))
        eye.read_frame = lambda frame, attention: SimpleNamespace(
            raw=played.witness.read_moment(frame.t_s), plane=straight_above()
        )
        truth = script.truth
        begun = EveningBegun(
            truth.players, truth.daydreamer, truth.edition, len(truth.deck), truth.handling
        )
        status, _ = session.command(
            {"id": "begin-000001", "version": session.version, "do": "begin",
             "players": list(begun.players), "daydreamer": begun.daydreamer, "edition": begun.edition,
             "deck_size": begun.deck_size, "handling": begun.handling}
        )  # fmt: skip
        assert status == 200
        return played

    def look(self) -> bool:
        """One frame; False once the script is through."""
        self.now_s += 1 / 6
        if self.now_s > self.witness.script.truth.rounds[-1].ended_s + 20:
            return False
        self.watch.watch_frame(Frame(PICTURE, self.now_s, 1), self.session)
        return True

    def shown(self) -> set[float]:
        """When each still was taken that can be looked at just now."""
        told = self.session.stills.told()
        looks = [self.session.stills.around_guess(at) for at in told.get("guesses", ())]
        looks.append(self.session.stills.around_question())
        return {still["at_s"] for look in looks if look for still in look["stills"]}


@pytest.mark.parametrize("seed", [3, 5])
def test_no_still_is_between_a_rounds_end_and_the_next_deal(tmp_path: Path, seed: int) -> None:
    """Over a whole evening, at every few frames: what can be looked at lies between the moment when a round's
    last card lay and the one when its middle was empty, as the script knows; and once a round has ended
    in the ledger nothing later is held at all."""
    played = Played.begin(tmp_path, seed)
    played.session.stills.switch(True)
    open_s = [(one.dealt_s, one.ended_s) for one in played.witness.script.truth.rounds]
    seen: set[float] = set()
    frames = 0
    while played.look():
        frames += 1
        shown = played.shown() if frames % 4 == 0 else set()
        seen |= shown
        for at_s in shown:
            assert any(from_s <= at_s <= to_s for from_s, to_s in open_s), at_s
        newest = played.session.keeper.ledger.last_round
        if newest is not None and played.session.keeper.ledger.open_round is None:
            held = [still.at_s for still in played.session.stills._stills]
            assert max(held, default=0.0) <= (newest.ended_at_s or 0.0)
    assert len(seen) > 20
    assert {at for at, (a, b) in enumerate(open_s) if any(a <= one <= b for one in seen)} == set(
        range(len(open_s))
    )


def test_nothing_is_kept_unless_people_want_it(tmp_path: Path) -> None:
    """Off by default: a whole round leaves nothing; switched off, all is gone at once; nothing is ever
    written into the folder."""
    played = Played.begin(tmp_path, 3, rounds=2)
    first = played.witness.script.truth.rounds[0]
    while played.now_s < first.guesses[0].at_s:
        played.look()
    assert played.session.scoreboard()["stills"] == {"on": False}
    assert not played.session.stills._stills
    played.session.stills.switch(True)
    while played.now_s < first.ended_s - 1:
        played.look()
    assert played.session.stills._stills
    assert not [file for file in tmp_path.rglob("*") if file.suffix in (".jpg", ".jpeg")]
    played.session.stills.switch(False)
    assert not played.session.stills._stills
    assert played.shown() == set()


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a round lasts, however many guesses it has, however often it is photographed and however
    badly its pictures can be packed: never more than 60 MB; what belongs to no entry goes first."""
    evening = in_round()
    stills = kept(evening, 3 * HELD_S)
    assert (
        len(stills._stills) <= HELD_S / EVERY_S + 1
    )  # of what nobody guessed only the last minute
    noise = np.random.default_rng(1).integers(0, 256, (2000, 2400, 3), dtype=np.uint8)
    seen = small_table(noise, straight_above((2400, 2000), 4.0), WIDTH_PX)
    assert seen is not None
    large = encode_jpeg(seen.image, WIDTH_PX, 95)
    assert large is not None
    monkeypatch.setattr(table_stills, "encode_jpeg", lambda *_: large)
    monkeypatch.setattr(table_stills, "small_table", lambda *_: seen)
    monkeypatch.setattr(table_stills, "EVERY_S", 0.05)
    most = taken = 0
    for _ in range(3):
        for _ in range(400):
            evening.now_s += 0.06
            glimpse = lying(evening, evening.now_s)
            stills.keep_still(glimpse, noise, straight_above((2400, 2000), 4.0), evening.now_s)
            held = sum(len(s.jpeg) + len(s.believed) + sys.getsizeof(s) for s in stills._stills)
            most = max(most, held)
            taken += len(large)
        evening.do("set_aside", card=evening.lying[0])
    assert taken > 2 * MOST_HELD_BYTES
    assert 0.9 * MOST_HELD_BYTES < most <= MOST_HELD_BYTES
    first_s = min(still.at_s for still in stills._stills)
    guessed = evening.board["rounds"][-1]["guesses"]
    assert first_s > guessed[0]["at_s"] - 24  # the oldest went


def test_what_is_kept_goes_with_the_next_round_and_with_the_evening() -> None:
    """A round's stills can be looked at until the next cards lie, or the evening ends; then the switch
    is off again too, and another evening begins without."""
    evening = in_round()
    kept(evening, 5.0)
    evening.do("set_aside", card=evening.lying[0])
    assert evening.board["stills"]["guesses"] == [0]
    evening.do("right", card=evening.lying[0])
    assert evening.board["stills"]["guesses"] == [0, 1]
    evening.do("next")
    assert evening.session.stills.around_guess(1) is not None
    evening.do("laid", cards=evening.fresh_cards)
    assert evening.session.stills.around_guess(0) is None
    assert not evening.session.stills._stills
    kept(evening, 5.0)
    evening.do("end")
    assert not evening.session.stills._stills
    assert evening.board["stills"] == {"on": False}
    evening.begin()
    assert evening.board["stills"] == {"on": False}
    evening.session.stills.switch(True)  # at set-up, before the first cards lie
    evening.do("laid", cards=evening.fresh_cards)
    assert evening.board["stills"]["on"]
    evening.do("undo")
    assert evening.board["stills"]["on"]


def test_a_round_opened_again_is_not_kept_any_further() -> None:
    """Once a round has ended, people may be looking at the next cards: where it is opened again by a
    word, nothing more of it is kept."""
    evening = in_round()
    stills = kept(evening, 5.0)
    evening.do("right", card=evening.lying[0])
    held = len(stills._stills)
    assert held
    evening.do("undo")
    assert evening.board["phase"] == "guessing"
    kept(evening, 5.0)
    assert len(stills._stills) == held


def test_a_still_shows_the_table_alone_with_what_was_believed() -> None:
    """People about the table are cut away; a card is drawn where it lies in the small picture; the card
    that was seen last before the guess is the likeliest."""
    area = small_table(np.full((SIZE[1], SIZE[0], 3), 200, np.uint8), straight_above(), 100)
    assert area is not None
    assert area.image.shape[1] == 100
    assert area.image[area.image.shape[0] // 2, 50].tolist() == [200, 200, 200]
    tilted = replace(
        straight_above(), middle_mm=((300.0, 150.0), (400.0, 250.0), (300.0, 350.0), (200.0, 250.0))
    )
    turned = small_table(np.full((SIZE[1], SIZE[0], 3), 200, np.uint8), tilted, 1000)
    assert turned is not None
    assert not turned.image[0, 0].any()
    assert not turned.image[-1, -1].any()
    (x, y), *_ = area.shares([(300.0, 250.0)])
    assert x == pytest.approx(0.5, abs=0.02)
    assert y == pytest.approx(0.5 * area.image.shape[0] / area.image.shape[1], abs=0.02)
    assert small_table(PICTURE, None, 100) is None
    evening = in_round()
    first = evening.lying[0]
    kept(evening, 5.0)
    kept(evening, 1.0, (first,))
    evening.do("set_aside", card=first)
    look = evening.session.stills.around_guess(0)
    assert look is not None
    assert look["left"] == [first]
    assert {card["card"] for card in look["stills"][0]["cards"]} >= {first}
    picture = cv2.imdecode(np.frombuffer(look["stills"][0]["jpeg"], np.uint8), cv2.IMREAD_COLOR)
    assert (
        picture.shape[1] == 513
    )  # the middle, its corners 70 mm further out, a pixel a millimetre


def test_beside_a_question_lie_the_moments_it_is_about() -> None:
    """While the camera asks whether the second cloud was a wrong guess or the first of the claimed ones, the
    moments up to the last cloud's leaving can be looked at, and nothing later; answered, there is no
    question to look at again."""
    evening = in_round()
    stills = evening.session.stills
    one, two, *rest = evening.lying

    def watch(seconds: float, *gone: int) -> float:
        """The camera sees all but the `gone` cards for so long; when that ended."""
        shown = [None if card in gone else card for card in (one, two, *rest)]
        for _ in range(round(seconds / EVERY_S)):
            evening.lie(EVERY_S, *shown)
            at_s = evening.now_s + evening._film_s
            if evening.session.keeper.ledger.open_round is not None:
                glimpse = lying(evening, at_s, gone)
                stills.keep_still(glimpse, drawn(glimpse), straight_above(), at_s)
        return evening.now_s + evening._film_s

    watch(6)
    watch(2.4, one)
    assert stills.around_question() is None
    assert not stills.told()["question"]
    evening.do("set_aside", card=one)
    watch(6, one)
    until_s = watch(2, one, two)
    watch(5, one, two, *rest)
    assert evening.board["question"] is not None
    assert stills.told()["question"]
    look = stills.around_question()
    assert look is not None
    assert len(look["stills"]) > 10
    assert look["round"] == len(evening.session.keeper.ledger.rounds)
    assert max(still["at_s"] for still in look["stills"]) <= until_s + 0.01
    assert two in look["left"]
    assert {card["card"] for card in look["stills"][-1]["cards"]} >= set(rest)
    answered = enter(create_app(evening.session, Door())).get("/api/stills")
    assert len(answered.get_json()["stills"]) == len(look["stills"])
    evening.do("answer", question=evening.board["question"]["id"], option=0)
    assert stills.around_question() is None


def test_a_question_can_be_looked_at_again_over_http(tmp_path: Path) -> None:
    """The switch and the stills are for who may tap; beside a question lie the moments it is about."""
    evening = in_round()
    app = create_app(evening.session, Door())
    tablet = enter(app)
    assert tablet.get("/api/stills?guess=0").status_code == 404
    assert tablet.get("/api/stills").status_code == 404
    kept(evening, 5.0)
    evening.do("set_aside", card=evening.lying[0])
    look = tablet.get("/api/stills?guess=0")
    assert look.status_code == 200
    assert look.headers["Cache-Control"] == "no-store"
    told = json.loads(look.data)
    assert base64.b64decode(told["stills"][0]["jpeg"])[:2] == b"\xff\xd8"
    assert tablet.get("/api/stills?guess=7").status_code == 404
    assert tablet.post("/api/stills", data=b'{"on": 1}', headers=JSON).status_code == 400
    assert tablet.post("/api/stills", data=b'{"on": false}', headers=JSON).get_json() == {
        "on": False
    }
    assert tablet.get("/api/stills?guess=0").status_code == 404
    assert app.test_client().get("/api/stills?guess=0").status_code == 401
