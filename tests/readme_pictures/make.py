"""The README's pictures, made from the real product: a practice evening that is served, watched and
photographed.

    uv run python -m tests.readme_pictures.make            some three minutes; writes into this folder
    uv run python -m tests.readme_pictures.make --kept DIR keeps the single shots there, or goes on from them

It runs `companion practice`, opens its page in Chromium as a tablet would, and takes what the camera
sees (`/api/picture`) and what the tablet shows at the same moment, over and over. Knows commands and
addresses only.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
TABLET_PX = (1280, 800)
HIGH_PX, GAP_PX, CORNER_PX = 340, 16, 12
PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eva")
EVENING = ("practice", "--rounds", "6", "--players", "5", "--seed", "12", "--temper", "calm")
ROUNDS, LEDGER_WITHIN_S = 3, 1500
"""The ledger is shown after so many rounds; a busy machine takes its time to play them."""
AFTER = 8
"""Pairs after the round's end, so that its result can be read."""
MOST_PAIRS = 56
MOVED_GREY = 14.0
"""More than a camera's noise at a point of the shrunk picture."""
FRAME_MS, LAST_MS = 380, 3000
"""How long each pair stays, some three times as fast as the evening, and the last one."""


def main() -> None:
    """Take the shots, then make the pictures of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=HERE, help="where the pictures go")
    parser.add_argument("--kept", type=Path, help="folder of the single shots")
    args = parser.parse_args()
    with contextlib.ExitStack() as stack:
        shots = args.kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        shots.mkdir(parents=True, exist_ok=True)
        if not (shots / "ledger.png").exists():
            take_shots(shots)
        write_pictures(shots, args.out)


@contextlib.contextmanager
def companion(*words: str) -> Iterator[str]:
    """Run a command of the companion on a free port; gives the address to open on the tablet."""
    with tempfile.TemporaryDirectory() as data:
        running = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "companion",
                *words,
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--data",
                data,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert running.stdout is not None
        told = ""
        while (found := re.search(r"http://[^\s]+/in/[^\s]+", told)) is None:
            told += running.stdout.readline()
            assert running.poll() is None, told
        try:
            yield found[0]
        finally:
            running.terminate()
            running.wait(20)


def take_shots(folder: Path) -> None:
    """The set-up page; a round as numbered pairs of table and tablet; the ledger some rounds later."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        with companion("play", "--camera", "off") as address:
            page = _tablet(browser, address)
            page.click(".player-input")
            for name in PLAYERS:
                page.keyboard.type(name)
                page.keyboard.press("Enter")
            page.wait_for_timeout(1500)
            page.screenshot(path=str(folder / "set-up.png"))
        with companion(*EVENING) as address:
            page = _tablet(browser, address)
            number = 0
            while (seen := _phase(page)) != "result":
                number = _pair(page, folder, number) if seen else number
                page.wait_for_timeout(250)
            for _ in range(AFTER):
                number = _pair(page, folder, number)
                page.wait_for_timeout(250)
            page.evaluate("location.hash = 'ledger'")
            standing = f".line.sum:has-text('{ROUNDS} rounds')"
            page.wait_for_selector(standing, timeout=LEDGER_WITHIN_S * 1000)
            page.wait_for_timeout(1000)
            page.screenshot(path=str(folder / "ledger.png"))
        browser.close()


def _tablet(browser: Any, address: str) -> Any:
    page = browser.new_page(
        viewport={"width": TABLET_PX[0], "height": TABLET_PX[1]}, locale="en-GB"
    )
    page.goto(address)
    page.wait_for_selector(".page")
    return page


def _phase(page: Any) -> str:
    found = re.search(r"phase-(\w+)", page.get_attribute(".page", "class") or "")
    return found[1] if found else ""


def _pair(page: Any, folder: Path, number: int) -> int:
    """One shot of both; nothing where the camera's picture is kept back, as while cards are chosen
    in secret."""
    answer = page.request.get(page.url.split("/in/")[0].split("#")[0].rstrip("/") + "/api/picture")
    if answer.status != 200:
        return number
    page.screenshot(path=str(folder / f"tablet-{number:03d}.png"))
    (folder / f"table-{number:03d}.jpg").write_bytes(answer.body())
    (folder / f"phase-{number:03d}.txt").write_text(_phase(page))
    return number + 1


def write_pictures(shots: Path, out: Path) -> None:
    """The animated pair and the four steps of an evening."""
    out.mkdir(parents=True, exist_ok=True)
    numbers = [int(path.stem.split("-")[1]) for path in sorted(shots.glob("tablet-*.png"))]
    frames = [_beside(shots, number) for number in _told(shots, numbers)]
    frames[0].save(
        out / "evening.webp",
        save_all=True,
        append_images=frames[1:],
        duration=[FRAME_MS] * (len(frames) - 1) + [LAST_MS],
        loop=0,
        quality=72,
        method=2,
    )
    guessing = [n for n in numbers if (shots / f"phase-{n:03d}.txt").read_text() == "guessing"]
    _small(_printed_sheet(), out / "sheet.webp")
    _small(Image.open(shots / "set-up.png"), out / "set-up.webp")
    _small(Image.open(shots / f"tablet-{guessing[-1]:03d}.png"), out / "round.webp")
    _small(Image.open(shots / "ledger.png"), out / "ledger.webp")


def _told(shots: Path, numbers: list[int]) -> list[int]:
    """The pairs in which something happens, then the result; not more than `MOST_PAIRS`."""
    small = {
        n: np.asarray(Image.open(shots / f"table-{n:03d}.jpg").convert("L").resize((96, 54)), float)
        for n in numbers
    }
    last = [n for n in numbers if (shots / f"phase-{n:03d}.txt").read_text() == "result"][-1]
    moving = [n for n, m in pairwise(numbers) if np.abs(small[m] - small[n]).max() > MOVED_GREY]
    told = [n for n in moving if n < last]
    step = max(1.0, len(told) / (MOST_PAIRS - 2))
    return [*(told[round(i * step)] for i in range(int(len(told) / step))), last]


def _beside(shots: Path, number: int) -> Image.Image:
    """What the camera sees and what the tablet shows, side by side on nothing."""
    table = _rounded(Image.open(shots / f"table-{number:03d}.jpg"))
    tablet = _rounded(Image.open(shots / f"tablet-{number:03d}.png"))
    both = Image.new("RGBA", (table.width + GAP_PX + tablet.width, HIGH_PX))
    both.paste(table, (0, 0))
    both.paste(tablet, (table.width + GAP_PX, 0))
    return both


def _rounded(picture: Image.Image) -> Image.Image:
    wide = round(picture.width * HIGH_PX / picture.height)
    small = picture.convert("RGBA").resize((wide, HIGH_PX), Image.Resampling.LANCZOS)
    mask = Image.new("L", (wide * 4, HIGH_PX * 4))
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, wide * 4 - 1, HIGH_PX * 4 - 1), CORNER_PX * 4, fill=255
    )
    small.putalpha(mask.resize((wide, HIGH_PX), Image.Resampling.LANCZOS))
    return small


def _printed_sheet() -> Image.Image:
    """The first page of cards, as it leaves the printer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.pdf"
        subprocess.run(
            [sys.executable, "-m", "companion", "print", "cards", "--out", str(path)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        document = pypdfium2.PdfDocument(io.BytesIO(path.read_bytes()))
        return document[2].render(scale=1.5).to_pil().convert("RGB")


def _small(picture: Image.Image, path: Path) -> None:
    """A still of at most 640 px each way, some tens of kB."""
    picture = picture.convert("RGB")
    picture.thumbnail((640, 640), Image.Resampling.LANCZOS)
    picture.save(path, quality=80, method=6)


if __name__ == "__main__":
    main()
