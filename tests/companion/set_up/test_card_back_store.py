"""Teaching the box's own back from the tablet: one look at a card lying face down, kept for the
next evening."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.simulator.photograph import CameraModel, Exposure, Sheet, Studio
from calibration.tags.find import find_tags
from card_printables.output.piece_pictures import back_rgba, face_rgba, token_rgba
from card_printables.token import TOKEN_NAMES, TOKENS
from companion.capture.watching import Watching
from companion.evening.session import Session
from companion.journal import Journal
from companion.set_up import card_back_store
from companion.vision.eye import Eye
from companion.vision.places import backs
from tests.support.calibration_scene import framed, in_table_frame, laid_by_eye

LAYOUT = laid_by_eye(np.random.default_rng(3), tray=False)
CAMERA = framed(CameraModel(1280, 720, tilt_deg=22.0, focal_px=1000.0), LAYOUT)
SPOT, OTHER = (-60.0, 40.0), (150.0, -30.0)


class NoCamera:
    """Never asked for a picture here."""

    name = "none"

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        pass


@cache
def many_colours() -> np.ndarray:
    rng = np.random.default_rng(8)
    art = cv2.resize(
        rng.uniform(30, 225, (5, 5, 3)).astype(np.float32),
        (400, 400),
        interpolation=cv2.INTER_CUBIC,
    )
    y, x = np.mgrid[:400, :400] - 199.5
    return np.dstack([np.clip(art, 0, 255), 255 * (np.hypot(x, y) < 200)]).astype(np.uint8)


@cache
def studio() -> Studio:
    return Studio(CAMERA, "woven", 5)


@cache
def tokens() -> list[Sheet]:
    return [Sheet(token_rgba(t, 100), t.width_mm, (LAYOUT[n].x_mm, LAYOUT[n].y_mm), LAYOUT[n].turn_deg)
            for n, t in zip(TOKEN_NAMES, TOKENS, strict=True)]  # fmt: skip


def table(*cards: tuple[np.ndarray, tuple[float, float], float], gain: float = 1.0) -> np.ndarray:
    """The picture of a woven cloth with four tokens and these cards (picture, centre, turn)."""
    return studio().shoot(
        [*tokens(), *(Sheet(art, 85.0, at, turn) for art, at, turn in cards)], Exposure(gain=gain)
    )


def plane_of(picture: np.ndarray) -> Plane:
    return fit_plane(find_tags(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), (1280, 720))


def evening(folder: Path, picture: np.ndarray | None) -> Session:
    """A session whose camera has just seen this picture."""
    session, eye = Session(Journal(folder)), Eye()
    watching = Watching(NoCamera(), eye)
    watching.frames.picture = picture
    eye.plane_tracker.plane = plane_of(picture) if picture is not None else None
    session.attach(watching)
    return session


def ask(session: Session, do: str, name: str = "a") -> tuple[int, dict[str, Any]]:
    return session.command(
        {"id": f"command-about-a-back-{name}", "version": session.version, "do": do}
    )


def known(session: Session) -> backs.Back | None:
    assert session.camera.watching is not None
    return next(
        (back for back in session.camera.watching.eye.watch.backs if back.name != backs.PRINTED),
        None,
    )


def test_a_back_learnt_in_one_look_is_known_after_a_restart(tmp_path: Path) -> None:
    """A many-coloured back is learnt from one picture, kept, and known elsewhere, turned, in less
    light, next evening."""
    first = evening(tmp_path, table((many_colours(), SPOT, 20.0)))
    assert ask(first, "learn_back")[0] == 200
    first.close()
    second = evening(tmp_path, None)
    back = known(second)
    assert back is not None
    later = table((many_colours(), OTHER, 200.0), (face_rgba(7, dpi=100), SPOT, 0.0), gain=0.6)
    plane = plane_of(later)
    small, shrink = backs.softened_for_places(later, plane)
    there, face = (tuple(in_table_frame(np.array([at]), LAYOUT)[0]) for at in (OTHER, SPOT))
    assert backs.is_back(back, backs.polar_colours(small, shrink, plane, there))
    assert not backs.is_back(back, backs.polar_colours(small, shrink, plane, face))
    assert ask(second, "forget_back", "b")[0] == 200
    assert known(second) is None
    assert card_back_store.stored_back(tmp_path) is None
    second.close()


@pytest.mark.parametrize(
    ("cards", "gain", "reason"),
    [
        ((), 1.0, "back_no_card"),
        (((face_rgba(7, dpi=100), SPOT, 0.0),), 1.0, "back_face_up"),
        (((back_rgba(dpi=100), SPOT, 0.0),), 1.0, "back_printed"),
        (((back_rgba(dpi=100, drawing="square"), SPOT, 0.0),), 1.0, "back_printed"),
        (((many_colours(), SPOT, 0.0), (many_colours(), OTHER, 50.0)), 1.0, "back_many_cards"),
        (((many_colours(), SPOT, 0.0),), 6.0, "back_too_bright"),
    ],
)
def test_what_cannot_be_learnt_is_said_in_words(
    tmp_path: Path, cards: Any, gain: float, reason: str
) -> None:
    """No card, one face up, our own back, two cards and a burnt-out picture each have their own
    sentence; nothing is kept."""
    session = evening(tmp_path, table(*cards))
    assert session.camera.watching is not None
    session.camera.watching.frames.picture = table(*cards, gain=gain)
    status, answer = ask(session, "learn_back")
    assert (status, answer.get("reason")) == (422, reason)
    assert known(session) is None
    session.close()


def test_without_a_camera_or_tokens_nothing_is_learnt(tmp_path: Path) -> None:
    """Without a picture, and without tokens in it, the refusal says which is missing."""
    session = evening(tmp_path, None)
    assert ask(session, "learn_back")[1]["reason"] == "no_camera"
    assert session.camera.watching is not None
    session.camera.watching.frames.picture = np.full((720, 1280, 3), 90, np.uint8)
    assert ask(session, "learn_back", "b")[1]["reason"] == "back_no_table"
    session.close()


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"l": [[1]]}', '{"l": null, "u": 3, "v": "x"}', "\x00", f'{{"l": {10**400}}}'],
)
def test_a_torn_file_is_no_back(tmp_path: Path, text: str) -> None:
    """A file that holds no back is passed over."""
    (tmp_path / card_back_store.FILE).write_text(text, encoding="utf-8")
    assert card_back_store.stored_back(tmp_path) is None
