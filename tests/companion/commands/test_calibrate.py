"""`companion calibrate` in the languages of the game."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.__main__ import main as calibration_main
from calibration.check.sentences import sentences_in
from calibration.simulator.photograph import CameraModel, Sheet
from card_printables.marker import DISC_MM
from card_printables.output.piece_pictures import face_rgba
from card_printables.token import TOKEN_NAMES
from companion.__main__ import main
from tests.support.calibration_scene import framed, laid_by_eye, picture_of

KEYS = [
    "ready",
    "glare",
    "dim",
    "soft",
    "steep",
    "nearer",
    "smaller-table",
    "more-pixels",
    "token-hidden",
    "token-burnt",
    "mirrored",
    "dark",
    "blank",
    "no-tokens",
    "two-sets",
    "swapped",
    "outside",
    "wrong-scale",
    "all-small",
    "trimmed",
    "curled",
    "token-unread",
    "screen",
    "unlike",
    "token-faint",
    "dirty",
    "shaky",
    "flicker",
]

LAYOUT = laid_by_eye(np.random.default_rng(3), 420, 250, tray=False)


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture from too far away."""
    file = tmp_path_factory.mktemp("far") / "far.jpg"
    camera = framed(CameraModel(1280, 720, 940, tilt_deg=10), LAYOUT, spare_mm=520)
    cv2.imwrite(str(file), picture_of(LAYOUT, camera))
    return file


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Move the camera"), ("de", "Die Kamera"), ("cs", "Posuňte kameru")],
)
def test_the_advice_is_said_in_the_language_asked_for_with_its_number(
    far: Path, language: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence that the engine tells in English comes out of the catalogue, its centimetres in
    it."""
    told = tmp_path / "told.json"
    assert main(["calibrate", "--from", str(far), "--language", language, "--json", str(told)]) == 0
    said, report = capsys.readouterr().out, json.loads(told.read_text(encoding="utf-8"))
    assert report["advice_key"] == "nearer"
    assert words in said
    assert f"{report['params']['cm']} cm" in said
    assert "{" not in said


@pytest.mark.parametrize("language", ["de", "cs"])
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_every_advice_has_its_words(language: str, key: str, n: int) -> None:
    """Each key that the engine may give is told with its numbers; no English word of a place or
    piece is left."""
    params = {
        "where": "top left",
        "contrast": 41,
        "blur_px": 2.1,
        "tilt_deg": 52,
        "cm": 12,
        "symbol_mm": 22.0,
        "percent": 7,
        "piece": "token-top-left",
        "pieces": list(TOKEN_NAMES[:n]),
        "n": n,
        "mm": 4,
        "px": 2.5,
    }
    report = {
        "tokens": [{"seen": True}] * 3 + [{"seen": False}],
        "verdict": "poor",
        "advice_key": key,
        "params": params,
    }
    said = sentences_in(language).of_report(report)
    assert "{" not in said
    assert "top" not in said.split()
    assert "token" not in said


def test_a_language_nobody_made_is_refused_in_one_sentence(
    far: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what it takes."""
    with pytest.raises(SystemExit) as left:
        main(["calibrate", "--from", str(far), "--language", "fr"])
    assert left.value.code == 2
    assert "--language" in capsys.readouterr().err


def test_the_lower_storey_speaks_the_same_languages(
    far: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m calibration --language de` says the same sentence as `companion calibrate
    --language de`."""
    assert calibration_main(["--from", str(far), "--language", "de"]) == 0
    alone = capsys.readouterr().out
    assert main(["calibrate", "--from", str(far), "--language", "de"]) == 0
    assert capsys.readouterr().out == alone


def test_pictures_of_several_sizes_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but those like the first were left out without a word."""
    for name, width in (("one.png", 320), ("two.png", 640)):
        cv2.imwrite(str(tmp_path / name), np.full((240, width, 3), 90, np.uint8))
    files = [str(tmp_path / name) for name in ("one.png", "two.png")]
    assert main(["calibrate", "--from", *files]) == 2
    assert "several sizes (320 x 240, 640 x 240)" in capsys.readouterr().err


def test_cards_in_the_pictures_prove_their_places(tmp_path: Path) -> None:
    """Two cards lie in a sharp picture: the places nearest to their markers are proved, and no
    others."""
    camera = framed(CameraModel(1280, 720, 940, tilt_deg=10), LAYOUT)
    cards = tuple(
        Sheet(face_rgba(n, dpi=200), DISC_MM, place)
        for n, place in ((7, (-90.0, 0.0)), (21, (80.0, 10.0)))
    )
    picture, told = tmp_path / "cards.png", tmp_path / "told.json"
    cv2.imwrite(str(picture), picture_of(LAYOUT, camera, more=cards))
    assert main(["calibrate", "--from", str(picture), "--json", str(told)]) == 0
    assert (
        2
        <= sum(place["read"] for place in json.loads(told.read_text(encoding="utf-8"))["places"])
        <= 8
    )
