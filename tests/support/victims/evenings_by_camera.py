"""One evening after the other at practice tables, kept by what a witness sees of them, in a hurry, with a
camera that is now and then away; for the soak."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

from companion.capture.live import LiveCamera
from companion.errors import CameraTrouble
from companion.evening.session import Session
from companion.practice.faults import NO_FAULTS
from companion.practice.script import write_script
from companion.practice.witness import Witness
from tests.support.camera_faults import open_faulty, switch

FPS = 2.5
ROUNDS = 12
"""An evening of five has as many."""

MOST_ENTRIES = 400
"""With so many, most of them of who taps beside the camera, another evening begins: a tap reads them all, and
no real evening has more."""

HASTE = 30.0
"""Faster than life."""

FAULTS = ("unplugged", "frozen", "block", "crash", "black", "well", "well")


def keep_evenings(session: Session, folder: Path) -> None:
    """Evening after evening, for ever."""
    dice = random.Random(1)
    faulty = folder / "camera"
    faulty.mkdir()
    switch(faulty, "well")
    camera = LiveCamera(open_faulty, str(faulty), "test camera")
    number = 0
    while True:
        number += 1
        _keep_one(session, number, camera, faulty, dice)


def _keep_one(
    session: Session, number: int, camera: LiveCamera, faulty: Path, dice: random.Random
) -> None:
    script = write_script(5, "en", ROUNDS, 900 + number % 7, "ordinary", "tray", NO_FAULTS)
    truth, witness = script.truth, Witness(script, 1)
    _ask(session, {"do": "begin", "players": list(truth.players), "daydreamer": truth.daydreamer})
    away_until = 0.0
    for n in range(int(script.duration_s * FPS)):
        time.sleep(1 / FPS / HASTE)
        if len(session.log.entries) > MOST_ENTRIES:
            break
        if n % 40 == 0:
            mode = dice.choice(FAULTS)
            switch(faulty, mode)
            away_until = n / FPS + (8.0 if mode != "well" else 0.0)
            with contextlib.suppress(CameraTrouble):
                camera.read()
        if n / FPS < away_until:
            continue
        raw = witness.read_moment(n / FPS)
        if raw is not None:
            session.observe_glimpse(session.draw_curtain(raw), 0.0)
    session.finish_footage(script.duration_s, 0.0)
    _ask(session, {"do": "end"})


def _ask(session: Session, asked: dict[str, object]) -> None:
    """One command; others change the evening meanwhile."""
    for _ in range(50):
        named = {"id": f"soak-{time.time_ns()}", "version": session.version}
        if session.command({**asked, **named})[0] != 409:
            return
