"""Pictures of rounds for the album: kept only where people want it, of the table alone, and gone when
they say so."""

from __future__ import annotations

import errno
import json
import os
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands import play
from companion.evening.table_pictures import TablePictures
from companion.game.rules import Refusal
from companion.journal.round_pictures import DAY_S, SETTINGS, RoundPictures, pictures_by_round
from companion.table.sighting import Glimpse
from companion.web import Door, Rule, create_app
from companion.years.persons import WAY_BACK_S
from tests.companion.evening.test_table_stills import Played
from tests.support.companion_web_client import JSON, enter
from tests.support.kept_evening import KeptEvening
from tests.support.stills.drawn_table import drawn, lying, straight_above, watched_round


def without_hands(glimpse: Glimpse) -> Glimpse:
    """The same, with nobody's hand over the table."""
    return Glimpse(glimpse.t_s, places=glimpse.places, table=glimpse.table)


def laid_round(past: tuple[str, ...] = ()) -> KeptEvening:
    """An open round without a guess, watched; pictures are kept."""
    evening = watched_round(KeptEvening(past=past))
    evening.session.pictures.switch(True)
    return evening


def look(evening: KeptEvening, gone: tuple[int, ...] = (), hand: bool = False) -> None:
    """One frame of the open round."""
    evening.now_s += 1.0
    glimpse = lying(evening, evening.now_s, gone)
    glimpse = glimpse if hand else without_hands(glimpse)
    evening.session.pictures.keep_picture(glimpse, drawn(glimpse), straight_above(), evening.now_s)


def moments(evening: KeptEvening) -> list[int]:
    """What lies there of the evening that is played."""
    number = evening.session.evening
    assert number is not None
    return evening.session.pictures.store.moments_ms(number)


def test_nothing_is_kept_unless_people_want_it() -> None:
    """Off by default, and no folder is made; on, it is for this evening: off again with its end, and
    not on for the next one; what was kept stays until somebody deletes it."""
    evening = watched_round(KeptEvening(past=()))
    look(evening)
    assert evening.board["pictures"] is False
    assert not evening.session.pictures.store.folder.exists()
    evening.session.pictures.switch(True)
    look(evening)
    assert evening.board["pictures"] is True
    kept = moments(evening)
    assert len(kept) == 1
    evening.do("end")
    assert evening.board["pictures"] is False
    evening.begin().play_round(1)
    assert evening.board["pictures"] is False
    assert evening.session.pictures.store.kept().pictures == 1
    evening.session.pictures.store.delete_all()
    assert evening.session.pictures.store.kept().pictures == 0


def test_the_fullest_picture_without_a_hand_is_kept() -> None:
    """While a hand is over the table nothing is taken; a picture with more of the round's cards takes the
    place of the one before; fewer, or as many, change nothing."""
    evening = laid_round()
    cards = evening.lying
    look(evening, hand=True)
    assert moments(evening) == []
    look(evening, gone=(cards[0], cards[1]))
    first = moments(evening)
    assert len(first) == 1
    look(evening, gone=(cards[0],))
    fuller = moments(evening)
    assert len(fuller) == 1
    assert fuller != first
    look(evening, gone=(cards[2],))
    assert moments(evening) == fuller
    look(evening)
    assert moments(evening)[0] > fuller[0]
    picture = cv2.imdecode(np.frombuffer(_read(evening), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 513  # the middle, its corners 70 mm further out


def _read(evening: KeptEvening) -> bytes:
    number = evening.session.evening
    assert number is not None
    jpeg = evening.session.pictures.store.read(number, moments(evening)[-1])
    assert jpeg is not None
    return jpeg


def test_a_round_laid_anew_has_the_newer_picture() -> None:
    """Undone and laid with other cards, the round keeps the picture of what lies there now and no
    other."""
    evening = laid_round()
    look(evening)
    (before,) = moments(evening)
    shift = evening.lying[0]
    evening.do("undo").lie(40).lie(8, *[card + 20 for card in range(shift, shift + 6)])
    look(evening)
    assert len(moments(evening)) == 1
    assert moments(evening)[0] > before


@pytest.mark.parametrize("seed", [3, 5])
def test_every_picture_is_of_a_round_that_lay_open(tmp_path: Path, seed: int) -> None:
    """Over an evening of the practice table: one picture a round at most, each taken between the moment
    when the round's last card lay and the one when its middle was empty, as the script knows."""
    played = Played.begin(tmp_path, seed)
    pictures: TablePictures = played.session.pictures
    played.watch.keep_stills = (pictures.keep_picture,)
    pictures.switch(True)
    while played.look():
        pass
    rounds = played.witness.script.truth.rounds
    taken_s = [ms / 1000 for ms in pictures.store.moments_ms(played.session.evening or 0)]
    assert len(taken_s) >= len(rounds) - 1
    of = [[at_s for at_s in taken_s if one.dealt_s <= at_s <= one.ended_s] for one in rounds]
    assert [len(one) for one in of if one] == [1] * len(taken_s)


def test_a_full_disk_ends_it_and_not_the_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is switched off and said why; nothing half is left."""
    evening = laid_round()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    look(evening)
    assert evening.session.pictures.trouble == "No space left on device"
    assert evening.board["pictures"] is False
    assert [
        file for file in evening.session.pictures.store.folder.rglob("*") if file.is_file()
    ] == []
    evening.do("set_aside", card=evening.lying[0])


def test_pictures_go_after_so_many_days(tmp_path: Path) -> None:
    """Only where people said so, only the older ones, and an empty evening's folder with them; what
    cannot be read as a number of days means that they stay."""
    store = RoundPictures(tmp_path)
    now_s = 1_800_000_000.0
    for evening, days_ago in ((1, 40), (1, 31), (2, 31), (2, 29), (3, 1)):
        store.keep(evening, round((now_s - days_ago * DAY_S) * 1000), b"\xff\xd8 picture")
    assert store.sweep(now_s) == 0
    store.keep_for(30)
    assert store.days == 30
    assert store.sweep(now_s) == 3
    assert not (tmp_path / "pictures" / "0001").exists()
    assert (store.kept().evenings, store.kept().pictures) == (2, 2)
    assert store.kept().size_bytes == 2 * len(b"\xff\xd8 picture")
    for damaged in ("", "[]", '{"days": true}', '{"days": 0}', "{", '{"days": "7"}'):
        (store.folder / SETTINGS).write_text(damaged, encoding="utf-8")
        assert store.days is None
        assert store.sweep(now_s + 1000 * DAY_S) == 0


def test_what_a_stop_left_of_a_picture_goes_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody saw it, and it stayed for good; whole pictures and whatever else lies there stay."""
    store = RoundPictures(tmp_path)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            store.keep(1, 1_800_000_000_000, b"\xff\xd8 picture")
    store.keep(1, 1_800_000_001_000, b"\xff\xd8 picture")
    store.keep_for(30)
    ended = threading.Event()
    ended.set()
    play._let_pictures_go(store, ended)
    assert sorted(file.name for file in store.folder.rglob("*") if file.is_file()) == [
        "1800000001000.jpg",
        SETTINGS,
    ]


def test_a_picture_belongs_to_the_round_that_lay_then() -> None:
    """Between two rounds nothing belongs to either; of several the newest counts."""
    lay = [(10.0, 20.0), (30.0, 40.0), (50.0, None)]
    assert pictures_by_round([12_000, 15_000, 25_000, 60_000], lay) == {0: 15_000, 2: 60_000}
    assert pictures_by_round([29_200], lay) == {1: 29_200}
    late = [(10.0, 70.0), (30.0, 60.0)]
    assert pictures_by_round([12_000, 35_000], late) == {0: 12_000, 1: 35_000}
    assert pictures_by_round([], lay) == {}


def test_over_http_they_are_the_tables_own(tmp_path: Path) -> None:
    """Who may tap switches, says for how long and deletes; who watches sees the pictures in the book;
    a deleted evening's are not to be had, and a minute later they are off the disk."""
    evening = laid_round(past=("Ada", "Ben", "Cleo"))
    look(evening)
    number = evening.session.evening
    evening.do("right", card=evening.lying[0]).do("next").do("end")
    app = create_app(evening.session, Door())
    tablet, watcher = enter(app), enter(app, Rule.WATCH)
    told = tablet.get("/api/pictures").get_json()
    assert (told["on"], told["days"], told["evenings"], told["pictures"]) == (False, None, 1, 1)
    shown = watcher.get(f"/api/book/{number}").get_json()["evening"]["pictures"]
    ((_, at_ms),) = shown.items()
    got = watcher.get(f"/api/book/{number}/picture/{at_ms}.jpg")
    assert got.data[:2] == b"\xff\xd8"
    assert got.headers["Cache-Control"] == "no-store"
    assert watcher.get(f"/api/book/{number}/picture/{at_ms + 1}.jpg").status_code == 404
    assert watcher.get("/api/pictures").status_code == 403
    assert app.test_client().get(f"/api/book/{number}/picture/{at_ms}.jpg").status_code == 401
    for bad in ({}, {"on": 1}, {"days": 0}, {"days": 99_999}, {"days": True}, {"delete": False}):
        assert (
            tablet.post("/api/pictures", data=json.dumps(bad).encode(), headers=JSON).status_code
            == 400
        ), bad
    said = tablet.post("/api/pictures", data=b'{"days": null}', headers=JSON).get_json()
    assert (said["days"], said["pictures"]) == (None, 1)
    evening.begin(("Ada", "Ben", "Cleo")).play_round(1)
    done = evening.session.book.act({"do": "delete", "evening": number}, None)
    assert not isinstance(done, Refusal)
    assert watcher.get(f"/api/book/{number}/picture/{at_ms}.jpg").status_code == 404
    assert evening.session.pictures.store.kept().pictures == 1
    evening.now_s += WAY_BACK_S + 1
    evening.session.book.page()
    assert evening.session.pictures.store.kept().pictures == 0


def test_the_days_are_counted_from_now(tmp_path: Path) -> None:
    """The page's own question lets go of what is too old."""
    evening = KeptEvening(past=())
    store = evening.session.pictures.store
    store.keep(1, round((time.time() - 8 * DAY_S) * 1000), b"\xff\xd8")
    tablet = enter(create_app(evening.session, Door()))
    assert tablet.get("/api/pictures").get_json()["pictures"] == 1
    told = tablet.post("/api/pictures", data=b'{"days": 7}', headers=JSON).get_json()
    assert (told["days"], told["pictures"]) == (7, 0)


def test_what_the_disk_does_not_let_go_of_is_not_called_deleted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pictures of rounds and recordings: all that goes is gone, the answer says that some stayed, and once
    the disk gives way it is deleted."""
    evening = KeptEvening(past=())
    store, recording = evening.session.pictures.store, evening.session.recording
    for number in (1, 2, 3):
        store.keep(number, 2_000_000_000_000 + number, b"\xff\xd8")
        folder = recording.folder / f"000{number}-001"
        folder.mkdir(parents=True)
        (folder / f"000000{number}.jpg").write_bytes(b"\xff\xd8")
    tablet = enter(create_app(evening.session, Door()))
    unlink = os.unlink

    def refuse(path: object, **more: object) -> None:
        if str(path).endswith("2.jpg"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        unlink(path, **more)

    asked = {"/api/pictures": b'{"delete": true}', "/api/recording": b'{"do": "delete"}'}
    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", refuse)
        for path, told in asked.items():
            answer = tablet.post(path, data=told, headers=JSON)
            assert answer.status_code == 503
            assert answer.get_json()["error"] == "cannot_delete"
            assert tablet.get(path).get_json()["pictures"] == 1, path
    for path, told in asked.items():
        assert tablet.post(path, data=told, headers=JSON).get_json()["pictures"] == 0
