"""A whole round through a browser's camera: the command with --https, a page set up by touch, the
film of a practice table."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.practice.evening import PracticeEvening
from companion.practice.room import parlour
from companion.practice.script import Script, write_script
from tests.support.tablet_in_chromium import CHROMIUM, need_chromium

PLAYERS, SEED, FPS, SIZE = 3, 5015, 5, (1280, 720)


def film(script: Script, path: Path) -> None:
    """The round from the last seconds of the deal to a few seconds after its end, as the raw film
    that chromium plays as a camera."""
    room, told = parlour(PLAYERS, SEED), script.truth.rounds[0]
    table = PracticeEvening(script, room.camera, room.cloth, SEED, FPS)
    table.seek(told.dealt_s - 3)
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420jpeg\n" % (*SIZE, FPS))
        while (frame := table.read()) is not None and frame.t_s < told.ended_s + 6:
            small = cv2.resize(frame.image, SIZE, interpolation=cv2.INTER_AREA)
            file.write(b"FRAME\n" + cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420).tobytes())


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The command as a person starts it, without a camera of its own."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "play",
        "--https",
        "--camera",
        "phone",
        "--port",
        "0",
    ]
    where = ["--host", "127.0.0.1", "--data", str(tmp_path / "data")]
    with subprocess.Popen([*command, *where], stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def address_of(process: subprocess.Popen[str]) -> str:
    """The address the terminal shows for the tablet."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Tablet:"):
            return line.split()[-1]
    raise AssertionError("the companion ended without an address")


@pytest.mark.browser
@pytest.mark.slow
def test_a_round_is_kept_through_a_browsers_camera(
    companion: subprocess.Popen[str], tmp_path: Path
) -> None:
    """From `--https --camera phone` to the ledger: the page is set up by touch, becomes the camera,
    and the round on the film stands there as it was played, written by the camera; loaded anew it
    is the camera again, on another page it is not."""
    need_chromium()
    from playwright.sync_api import sync_playwright

    room = parlour(PLAYERS, SEED)
    script = write_script(PLAYERS, "en", 1, SEED, "calm", layout=room.layout, haste=3.0)
    film(script, tmp_path / "table.y4m")
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    fake += [
        f"--use-file-for-fake-video-capture={tmp_path / 'table.y4m'}",
        "--no-sandbox",
        "--disable-gpu",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=fake)
        page = browser.new_page(
            ignore_https_errors=True, viewport={"width": 1280, "height": 800}, locale="en-GB"
        )
        page.goto(address_of(companion))
        set_up(page, script)
        page.evaluate("location.hash = 'lens'")
        page.click("button:has-text('Be the camera')")
        page.wait_for_selector("h1:has-text('This device is the camera')")
        line = finished_round(page)
        page.reload()
        page.wait_for_selector("h1:has-text('This device is the camera')")
        page.evaluate("location.hash = ''")
        page.wait_for_function(
            "fetch('/api/lens').then((answer) => answer.json()).then((camera) => !camera.mine)"
        )
        browser.close()
    told = script.truth.rounds[0]
    assert line["gains"] == list(told.gains(PLAYERS))
    assert sorted(line["cards"]) == sorted(told.cards)
    assert {guess["source"] for guess in line["guesses"]} == {"camera"}


def set_up(page: Any, script: Script) -> None:
    """Three new people and who looked at the sky last, by touch."""
    page.wait_for_selector(".page")
    page.click(".player-input")
    for name in script.truth.players:
        page.fill(".player-input", name)
        page.keyboard.press("Enter")
    page.click(f".seat >> nth={script.truth.daydreamer}")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".phase-secret")


def finished_round(page: Any) -> dict[str, Any]:
    """The first round of the scoreboard, once it is over."""
    for _ in range(240):
        board = page.evaluate("fetch('/api/scoreboard').then((answer) => answer.json())")
        if board["rounds"] and board["rounds"][0]["ending"] != "open":
            return dict(board["rounds"][0])
        time.sleep(0.25)
    raise AssertionError(f"the round was not kept: {board['rounds']}, {board['camera']}")
