"""From ink to ledger: the printed PDF, rasterised by an outside program, photographed, scored."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from card_printables.__main__ import main as print_main
from card_printables.pages.sheet import page_of
from companion.__main__ import main
from companion.practice import things
from companion.practice.film import film
from companion.practice.room import parlour
from companion.practice.script import write_script
from companion.practice.table import PracticeTable

DPI = 200
A4_MM = (210.0, 297.0)
pytestmark = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is not installed"
)


def _rasterised(folder: Path, cards: tuple[int, ...]) -> dict[int, np.ndarray]:
    """The discs of these cards cut out of the PDF's pages as poppler draws them: BGRA, 85 mm wide."""
    pdf = folder / "cards.pdf"
    numbers = ",".join(str(card) for card in cards)
    assert print_main(["cards", "--cards", numbers, "--backs", "none", "--out", str(pdf)]) == 0
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", str(pdf), str(folder / "page")], check=True)
    pages = sorted(folder.glob("page-*.png"))
    found = {}
    for card in cards:
        placed = page_of(card, cards, 85.0, A4_MM, "none")
        assert placed is not None
        found[card] = _cut(cv2.imread(str(pages[placed[0] - 1])), placed[1])
    return found


def _cut(page: np.ndarray, centre_mm: tuple[float, float]) -> np.ndarray:
    scale = DPI / 25.4
    side = round(85.0 * scale)
    x, y = (round(v * scale - side / 2) for v in centre_mm)
    disc = page[y : y + side, x : x + side]
    rows, columns = np.ogrid[:side, :side]
    inside = (rows - side / 2 + 0.5) ** 2 + (columns - side / 2 + 0.5) ** 2 <= (side / 2) ** 2
    return np.dstack([disc, np.where(inside, 255, 0).astype(np.uint8)])


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "seed"), [("en", 311), ("de", 7)])
def test_footage_of_the_printed_pdf_gives_the_true_ledger(
    edition: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round with cards cut from the rasterised PDF, filmed, is scored by `companion score`
    exactly and without a question."""
    room = parlour(4, seed)
    script = write_script(4, edition, 1, seed, "calm", "auto", layout=room.layout, haste=2.0)
    printed = _rasterised(tmp_path, tuple(sorted(script.truth.rounds[0].cards)))
    monkeypatch.setattr(things, "card_image", lambda deck, card, dpi: printed[card])
    film(PracticeTable(script, room.camera, room.cloth, seed, fps=5.0), tmp_path / "evening.avi")
    truth = script.truth
    out = tmp_path / "ledger.json"
    options = [
        "--players",
        ",".join(truth.players),
        "--daydreamer",
        truth.players[truth.daydreamer],
        "--edition",
        edition,
    ]
    assert main(["score", str(tmp_path / "evening.avi"), *options, "--json", str(out)]) == 0
    ledger = json.loads(out.read_text(encoding="utf-8"))
    happened = truth.rounds[0]
    assert len(ledger["rounds"]) == 1
    kept = ledger["rounds"][0]
    assert kept["cards"] == sorted(happened.cards)
    assert [g["card"] for g in kept["guesses"] if not g["right"]] == [
        g.card for g in happened.guesses if not g.right
    ]
    assert kept["gains"] == dict(zip(truth.players, happened.gains(4), strict=True))
    assert kept["questions"] == []
