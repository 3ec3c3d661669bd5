"""How soon the page follows a finger, whether it moves without a stutter, and how soon a newcomer sees
the practice table: a real server, Debian's chromium.

    python -m tests.benchmarks.screens.pages --rounds 12 --tables 3

A tap: from the finger (pointerdown) to the frame in which the column says something else. Motion: the
frames of the two seconds after "right", when the clouds travel and the sun walks, as chromium traces
them. The practice table: from the address being opened to its first picture, right after the terminal has
said the address. Load is that of the machine while it was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.tablet_in_chromium import ARGS, CHROMIUM, Table, quick

TAP = """
() => {
  window.tapped = new Promise((done) => {
    let began = 0;
    let before = "";
    const words = () => document.querySelector(".column").innerText;
    addEventListener("pointerdown", (event) => { began = event.timeStamp; before = words(); }, { capture: true, once: true });
    new MutationObserver((_, watcher) => {
      if (!began || words() === before) return;
      watcher.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - began);
        channel.port2.postMessage(0);
      });
    }).observe(document.getElementById("app"), { subtree: true, childList: true, characterData: true, attributes: true });
  });
}
"""
"""The time of the next tap is told once the frame with its answer is drawn; a function that gives
nothing back, for what a page is asked to evaluate is waited for."""

SHOWN = "() => { const image = document.querySelector('.practice-frame img'); return image && image.naturalWidth > 1; }"

ROUND = ("All cards lie open", "Wrong", "Right", "Next round")
"""What is tapped in a round."""

MOVES_MS = 2000
FRAMES = "disabled-by-default-devtools.timeline.frame"


def tap(page: Any, selector: str) -> float:
    """Tap what is there; the milliseconds until the screen has changed."""
    quick(page)
    page.evaluate(TAP)
    page.click(selector)
    return float(page.evaluate("window.tapped"))


def rounds_by_touch(table: Table, rounds: int) -> list[float]:
    """Every tap of so many rounds of one wrong and one right guess."""
    page = table.tablet()
    page.wait_for_selector(".phase-secret")
    took = []
    for _ in range(rounds):
        took += [tap(page, f"button:has-text('{words}')") for words in ROUND]
    return took


def frames_of_a_claim(table: Table) -> tuple[int, int]:
    """How many frames were drawn and how many were dropped while a claim was shown."""
    page = table.tablet()
    tap(page, f"button:has-text('{ROUND[0]}')")
    quick(page)
    table.browser.start_tracing(page=page, categories=["-*", FRAMES, "devtools.timeline"])
    page.click(f"button:has-text('{ROUND[2]}')")
    page.wait_for_timeout(MOVES_MS)
    events = json.loads(table.browser.stop_tracing())["traceEvents"]
    names = [event["name"] for event in events]
    return names.count("DrawFrame"), names.count("DroppedFrame")


def first_picture_s(chromium: Any, folder: Path) -> float:
    """From the address being opened to the practice table's first picture."""
    command = [sys.executable, "-m", "companion", "practice", "--port", "0", "--host", "127.0.0.1"]
    companion = subprocess.Popen(
        [*command, "--seed", "5", "--data", str(folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert companion.stdout is not None
        lines = iter(companion.stdout.readline, "")
        address = next(m.group() for line in lines if (m := re.search(r"http://\S+/in/\S+", line)))
        page = chromium.new_page()
        began = time.perf_counter()
        page.goto(address)
        page.wait_for_function(SHOWN, timeout=60_000, polling=20)
        took_s = time.perf_counter() - began
        page.close()
        return took_s
    finally:
        companion.send_signal(signal.SIGINT)
        companion.wait(20)


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--tables", type=int, default=3)
    add_json(parser)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        table = Table(chromium)
        table.serve(KeptEvening(NAMES[:5]).play(NAMES[:5], 0, phase="secret"))
        took = sorted(rounds_by_touch(table, options.rounds))
        drawn, dropped = frames_of_a_claim(table)
        table.close()
        shown_s = []
        for _ in range(options.tables):
            with tempfile.TemporaryDirectory() as folder:
                shown_s.append(first_picture_s(chromium, Path(folder)))
        chromium.close()
    load = f"load {os.getloadavg()[0]:.0f}"
    p95_ms = took[round(0.95 * (len(took) - 1))]
    figures = [
        Figure(
            "tap to changed screen",
            f"{statistics.median(took):.0f} ms (median), 95 % within {p95_ms:.0f} ms, {load}",
            "95 % within 60 ms",
            len(took),
            p95_ms < 60,
        ),
        Figure(
            "frames while a claim is shown",
            f"{drawn} drawn, {dropped} dropped, {load}",
            "none dropped",
            drawn + dropped,
            dropped == 0,
        ),
        Figure(
            "practice table: address opened to its first picture",
            f"{statistics.median(shown_s):.1f} s (median), {max(shown_s):.1f} s at most, {load}",
            "1 s",
            len(shown_s),
            statistics.median(shown_s) < 1,
        ),
    ]
    for figure in figures:
        print(f"{figure.what:52} {figure.value}", flush=True)
    record(options.json, figures)


if __name__ == "__main__":
    main()
