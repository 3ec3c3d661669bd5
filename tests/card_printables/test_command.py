"""`python -m card_printables`: what it writes, and what it says when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from card_printables.__main__ import main
from card_printables.order import CannotPrint, Order, cards_from
from card_printables.output.pixels import page_bgr
from card_printables.pages import lens_target
from card_printables.print_job import pages, pdf
from card_printables.token import TAG_FAMILY, TOKENS, TRAY
from companion.__main__ import main as companion
from tests.support.printed_pages import page_grey

ROOT = Path(__file__).parents[2]


def _says(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(list(argv)) == 2
    spoken = capsys.readouterr().err.strip()
    assert spoken.count("\n") == 0
    return spoken


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (("cards", "--marker-mm", "60"), "6 to 43.9 mm"),
        (("cards", "--marker-mm", "2"), "6 to 43.9 mm"),
        (("cards", "--marker-mm", "nan"), "6 to 43.9 mm"),
        (("cards", "--diameter-mm", "500"), "40 to 120 mm"),
        (("cards", "--cards", ""), "7,12,40-44"),
        (("cards", "--cards", "0"), "1 to 99"),
        (("cards", "--cards", "9-3"), "write 3-9"),
        (("cards", "--dpi", "1"), "36 to 600"),
        (("cards", "--deck", "XX"), "CM1"),
        (("cards", "--backs", "fold", "--diameter-mm", "110"), "long, short or none"),
        (("cards", "--measured-mm", "50"), "fit to page"),
        (("cards", "--shift-mm", "50,0"), "paper size"),
        (("stickers", "--sheet", "nosuch"), "rayfilm-5003"),
        (("ruler", "--format", "png"), "pdf"),
        (("cards", "--bleed-mm", "3"), "--format png"),
        (("stickers", "--sheet", "25 6x11 16,9 20,25"), "at least 25 mm"),
        (("stickers", "--sheet", "5 6x11 16,9 20,25"), "too small"),
        (("table", "--out", "no/such/folder/table.pdf"), "no folder"),
    ],
)
def test_an_odd_order_gets_one_sentence_and_exit_code_2(
    argv: tuple[str, ...],
    word: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It says what to choose instead, in one line, and writes nothing."""
    monkeypatch.chdir(tmp_path)
    assert word in _says(capsys, *argv)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_kind_is_never_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A text file under the chosen name is left as it is."""
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary")
    assert "left alone" in _says(capsys, "table", "--out", str(diary))
    assert diary.read_text() == "dear diary"


def test_a_file_where_the_folder_should_be_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """PNG files need a folder."""
    taken = tmp_path / "taken"
    taken.write_text("x")
    assert "cannot write" in _says(capsys, "table", "--format", "png", "--out", str(taken))


def test_without_out_the_file_has_a_plain_name_and_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Printing again replaces the product's own file and leaves nothing else behind."""
    monkeypatch.chdir(tmp_path)
    assert main(["cards", "--cards", "1"]) == 0
    first = (tmp_path / "cloud-mine-cards.pdf").read_bytes()
    assert main(["cards", "--cards", "2"]) == 0
    assert (tmp_path / "cloud-mine-cards.pdf").read_bytes() != first
    assert [path.name for path in tmp_path.iterdir()] == ["cloud-mine-cards.pdf"]
    assert "100 %" in capsys.readouterr().out


def test_a_folder_as_out_gets_the_pdf_inside(tmp_path: Path) -> None:
    """`--out FOLDER` with PDF writes the usual name into it."""
    assert main(["table", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "cloud-mine-table.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_shift_to_the_left_needs_no_tricks(tmp_path: Path) -> None:
    """`--shift-mm -1,0.5` is a shift, not an option."""
    plain, moved = tmp_path / "plain.pdf", tmp_path / "moved.pdf"
    assert main(["ruler", "--out", str(plain)]) == 0
    assert main(["ruler", "--shift-mm", "-1,0.5", "--out", str(moved)]) == 0
    assert plain.read_bytes() != moved.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["cards", "--cards", "7", "--backs", "fold", "--shift-mm", "-1,0.5"],
        ["stickers", "--cards", "1-3", "--sheet", "25round 7x10 8.5,10 28,28", "--start", "68"],
        ["table", "--paper", "letter"],
    ],
)
def test_companion_print_is_the_same_program(words: list[str], tmp_path: Path) -> None:
    """The same words give the same bytes by either door."""
    ours, theirs = tmp_path / "module.pdf", tmp_path / "companion.pdf"
    assert main([*words, "--out", str(ours)]) == 0
    assert companion(["print", *words, "--out", str(theirs)]) == 0
    assert ours.read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        [],
        ["cards", "--measured-mm", "wide"],
        ["cards", "--shift-mm", "1,2,3"],
        ["cards", "--dpi", "fine"],
    ],
)
def test_both_doors_refuse_in_the_same_single_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Words that argparse cannot take: exit code 2, one line, the same line."""
    said = []
    for door in (main, lambda told: companion(["print", *told])):
        with pytest.raises(SystemExit) as left:
            door(words)
        assert left.value.code == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert said[0].count("\n") == 1


def test_card_numbers_are_read_as_people_write_them() -> None:
    """Single numbers, ranges, spaces; each card once, in the order written."""
    assert cards_from("7,12, 40-44,12") == (7, 12, 40, 41, 42, 43, 44)


@pytest.mark.parametrize("text", ["", "a", "1;2", "1-", "-3", "100", "1,,2"])
def test_card_numbers_that_mean_nothing_are_refused(text: str) -> None:
    """No guessing what was meant."""
    with pytest.raises(CannotPrint):
        cards_from(text)


def _tags(grey: np.ndarray, family: str) -> dict[int, np.ndarray]:
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, family))
    corners, ids, _ = cv2.aruco.ArucoDetector(words).detectMarkers(grey)
    flat = [] if ids is None else np.asarray(ids).reshape(-1)
    return {int(i): np.asarray(c).reshape(4, 2) for i, c in zip(flat, corners, strict=True)}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_table_set_is_two_pages_with_every_tag_at_its_size(paper: str) -> None:
    """Tokens of 60 mm on the first page, the tray's tags on the second, their sides within 0.2 mm."""
    document = pypdfium2.PdfDocument(pdf(Order(kind="table", paper=paper)))
    assert len(document) == 2
    for number, pieces in ((1, TOKENS), (2, (TRAY,))):
        tags = _tags(page_grey(document, number, 200), TAG_FAMILY)
        want = {tag.id: tag.size_mm for piece in pieces for tag in piece.tags}
        assert set(tags) == set(want)
        for name, corners in tags.items():
            sides = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1) / 200 * 25.4
            assert sides == pytest.approx(want[name], abs=0.25)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_lens_sheet_is_the_board_that_opencv_expects(paper: str) -> None:
    """All 70 inner corners are found with the board that `target.board` describes, 22 mm apart."""
    document = pypdfium2.PdfDocument(pdf(Order(kind="test-sheet", paper=paper)))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_target.board()).detectBoard(
        page_grey(document, 1, 150)
    )
    assert len(np.asarray(ids).reshape(-1)) == 70
    points = np.asarray(corners).reshape(-1, 2) / 150 * 25.4
    assert np.linalg.norm(points[1] - points[0]) == pytest.approx(22.0, abs=0.1)


@pytest.mark.parametrize("kind", ["cards", "table", "stickers", "test-sheet", "ruler"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_preview_shows_the_page_that_the_pdf_prints(kind: str, paper: str) -> None:
    """Preview and rasterised PDF are the same picture but for soft edges, snapped edges and dashes."""
    order = Order(kind=kind, paper=paper, cards=(7,))
    document = pypdfium2.PdfDocument(pdf(order))
    for number, page in enumerate(pages(order), 1):
        printed = cv2.GaussianBlur(page_grey(document, number, 75), (0, 0), 3).astype(int)
        shown = cv2.GaussianBlur(
            cv2.cvtColor(page_bgr(page, 75), cv2.COLOR_BGR2GRAY), (0, 0), 3
        ).astype(int)
        height, width = min(printed.shape[0], shown.shape[0]), min(printed.shape[1], shown.shape[1])
        alike = np.corrcoef(printed[:height, :width].ravel(), shown[:height, :width].ravel())[0, 1]
        assert alike > 0.96


def test_a_folder_for_pictures_is_made_with_those_above_it(tmp_path: Path) -> None:
    """PNG pieces go into the folder that was named, also when the folders above it are not there
    yet."""
    folder = tmp_path / "evening" / "pieces"
    assert main(["table", "--format", "png", "--dpi", "72", "--out", str(folder)]) == 0
    assert (folder / "tray.png").exists()


@pytest.mark.parametrize(
    ("argv", "left"),
    [
        (("table", "--deck", "CM2", "--start", "5"), ("deck", "first label")),
        (("cards", "--sheet", "ol5425", "--cards", "7"), ("label sheet",)),
        (("stickers", "--sheet", "ol5425", "--paper", "letter", "--cards", "7"), ("paper",)),
        (("stickers", "--sheet", "ol5425", "--cards", "7", "--start", "5"), ()),
    ],
)
def test_a_choice_that_is_not_used_is_said(
    argv: tuple[str, ...], left: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an order asks for and its kind of print has no use for is named, one line each, and the
    rest is printed."""
    assert main([*argv, "--out", str(tmp_path / "it.pdf")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == len(left)
    assert all(f"the {name} was left aside" in line for name, line in zip(left, said, strict=True))
    assert (tmp_path / "it.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_file_that_was_there_is_said_to_be_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The second print of one order takes the place of the first, and says so."""
    argv = ["table", "--out", str(tmp_path / "table.pdf")]
    said = []
    for _ in range(2):
        assert main(argv) == 0
        said.append("in place of the one before" in capsys.readouterr().out)
    assert said == [False, True]


@pytest.mark.skipif(os.name == "nt", reason="its users' homes are told in another way")
def test_pages_are_drawn_where_the_user_has_no_home(tmp_path: Path) -> None:
    """And nothing that lies in a home is run: the PDF library looks there for a file to run."""
    (tmp_path / ".reportlab_mods").write_text("raise SystemExit('run')")
    for home in ("/dev/null", str(tmp_path)):
        drawn = tmp_path / "ruler.pdf"
        done = subprocess.run(
            [sys.executable, "-m", "card_printables", "ruler", "--out", str(drawn)],
            cwd=ROOT, env=os.environ | {"HOME": home}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        drawn.unlink()
