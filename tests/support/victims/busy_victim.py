"""An evening in a process that is killed while it does something beside the score: a file to print, a
set-up to keep, a count of the deck, devices to let in, the evening to take home.

`busy(activity)` is the work for a fork (see `camera_evening_victim.lived`); `check_busy` looks at what
it left.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient

from calibration.check.profile import Profile, load_profile, path_for, save_profile
from calibration.geometry.plane import Plane
from companion.evening.session import Session
from companion.journal import Journal
from companion.web import Door, Rule, create_app
from companion.web.app import shared_by

HOME = {"Origin": "http://localhost", "Content-Type": "application/json"}
CAMERA = "Camera"

MOST_DEVICES = 40
"""When so many were let in, the oldest guest is sent away for the next one."""

Tell = Callable[[str], object]


@cache
def photo() -> bytes:
    """A deck photograph of noise, 0.4 million pixels."""
    image = np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8)
    return cv2.imencode(".jpg", cv2.resize(image, (800, 600)))[1].tobytes()


def profile(number: int) -> Profile:
    """The set-up number so and so; its map tells it, and makes it as long as a real one."""
    plane = Plane(1280, 720, np.eye(3) * (number + 1), 0.0, 0.0, (640.0, 360.0), 900.0, (0.0, 0.0, -700.0), 1.0)  # fmt: skip
    spot = {"n": number, "px_per_module": 3.0, "blur_px": 0.5}
    return Profile(CAMERA, "2026-11-21 20:00", plane, "ready", (spot,) * 150)


def _printing(folder: Path, app: Flask, client: FlaskClient, tell: Tell) -> None:
    client.post("/api/print", data=json.dumps({"kind": "cards", "cards": "1-9"}), headers=HOME)


def _calibration(folder: Path, app: Flask, client: FlaskClient, tell: Tell) -> None:
    for number in itertools.count():
        save_profile(profile(number), path_for(folder, CAMERA))
        tell(f"kept {number}\n")


def _deck_check(folder: Path, app: Flask, client: FlaskClient, tell: Tell) -> None:
    while True:
        client.post("/api/deck/photo", data=photo(), headers=HOME)


def _pairing(folder: Path, app: Flask, client: FlaskClient, tell: Tell) -> None:
    door = shared_by(app).door
    tapping = door.devices[-1].key
    while True:
        code = door.invite(Rule.WATCH)
        guest = app.test_client()
        answer = guest.get(f"/in/{code}")
        assert answer.status_code == 303
        tell(f"let-in {answer.headers['Set-Cookie'].split(';')[0].partition('=')[2]}\n")
        if len(door.devices) > MOST_DEVICES:
            door.revoke(next(device.key for device in door.devices if device.key != tapping))


def _export(folder: Path, app: Flask, client: FlaskClient, tell: Tell) -> None:
    while True:
        for kind in ("csv", "json"):
            assert client.get(f"/api/export/{kind}").status_code == 200


ACTIVITIES: dict[str, Callable[[Path, Flask, FlaskClient, Tell], None]] = {
    "print": _printing,
    "calibration": _calibration,
    "deck check": _deck_check,
    "pairing": _pairing,
    "export": _export,
}


def keep_busy(folder: Path, activity: str, tell: Tell) -> int:
    """Tap and tap, telling each tap that was acknowledged, while a thread does the activity; never
    comes back."""
    session = Session(Journal(folder))
    app = create_app(session, Door(folder / "devices.json"))
    client = app.test_client()
    client.get(f"/in/{shared_by(app).door.invite(Rule.CONTROL)}")
    setting = activity == "deck check"  # which is done before an evening
    if not session.log.entries and not setting:
        begin = {"players": ["Ada", "Ben", "Cleo"], "daydreamer": 0}
        assert _tap(client, session, "begin", "begin", begin) == 200
    work = threading.Thread(
        target=_until_it_fails, args=(activity, folder, app, client, tell), daemon=True
    )
    work.start()
    begun = len(session.log.entries)
    number = begun
    while True:
        if setting:
            threading.Event().wait(0.002)
            tell("waits\n")
        else:
            assert (
                _tap(client, session, f"tap-{number:06d}", "name", {"words": f"c {number}"}) == 200
            )
            tell(f"tapped {number}\n")
            number += 1


def _until_it_fails(
    activity: str, folder: Path, app: Flask, client: FlaskClient, tell: Tell
) -> None:
    try:
        ACTIVITIES[activity](folder, app, client, tell)
    except BaseException as fault:
        tell(f"fault {fault!r}\n")


def _tap(client: FlaskClient, session: Session, name: str, do: str, more: dict[str, Any]) -> int:
    body = {"id": f"{name}-of-it", "version": session.version, "do": do, **more}
    return client.post("/api/command", data=json.dumps(body), headers=HOME).status_code


def check_busy(folder: Path, told: list[str]) -> int:
    """How many entries the folder holds.

    Raises AssertionError when something that was told is lost or there twice, or a file beside the
    evenings is half written.
    """
    words = [line.partition(" ") for line in told]
    faults = [line for line in told if line.startswith("fault")]
    assert not faults, faults
    tapped = [int(rest) for word, _, rest in words if word == "tapped"]
    with Journal(folder) as journal:
        assert journal.kept is None
        assert not journal.notices, journal.notices
        said = [getattr(entry.event, "words", None) for entry in journal.log.entries[1:]]
    assert said == [f"c {number}" for number in range(1, len(said) + 1)], "an entry twice or none"
    assert not tapped or tapped[-1] <= len(said) <= tapped[-1] + 1, f"lost: {tapped[-1]}, {said}"
    door = Door(folder / "devices.json")
    assert door.set_aside is None, "the devices were half written"
    let_in = [rest for word, _, rest in words if word == "let-in"]
    if let_in:
        assert door.device(let_in[-1]) is not None, "a device that was let in is out"
    assert len({device.token_hash for device in door.devices}) == len(door.devices)
    kept = [int(rest) for word, _, rest in words if word == "kept"]
    if kept:
        found = load_profile(path_for(folder, CAMERA))
        assert found is not None, "the set-up was half written"
        assert found.map[0]["n"] in (kept[-1], kept[-1] + 1)
    return len(said)
