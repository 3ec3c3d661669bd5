"""A table of tablets for the browser tests: chromium, one evening on a running server, and what a
finger does."""

from __future__ import annotations

import importlib.resources
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.web import Door, Rule, Server, create_app
from tests.support.kept_evening import KeptEvening

CHROMIUM = next(
    filter(
        None,
        (
            shutil.which("chromium-headless-shell"),
            shutil.which("chromium", path="/usr/bin"),
            shutil.which("chromium"),
            shutil.which("google-chrome"),
        ),
    ),
    None,
)
"""Debian's chromium, the one without windows where there is one: the tests take a sixth less time."""


def need_chromium() -> None:
    """Without it the tests say why they did not run, or fail where they were promised."""
    if CHROMIUM is None:
        if os.environ.get("COMPANION_REQUIRE_BROWSER"):
            pytest.fail(
                "COMPANION_REQUIRE_BROWSER is set, but there is no chromium: apt-get install chromium"
            )
        pytest.skip("no chromium here (Debian: apt-get install chromium)")


ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]


AXE = Path(str(importlib.resources.files("axe_playwright_python") / "axe.min.js"))

CLOUDS: dict[int, bytes] = {}
"""The cards' pictures that any table's screen has asked for, drawn once for all of them."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's chromium."""
    need_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()


class Table:
    """One evening on a running server, and the tablets opened on it; faults in any page fail the
    test at its end."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.faults: list[str] = []
        self.door = Door()
        self.server: Server | None = None
        self.contexts: list[Any] = []

    def serve(self, evening: KeptEvening, port: int | None = None) -> None:
        if port is None:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        self.evening = evening
        app = create_app(evening.session, self.door, stream_cap=6)
        app.extensions["companion"].art = CLOUDS
        self.server = Server(app, "127.0.0.1", port).start()
        self.base = f"http://127.0.0.1:{self.server.port}"

    def tablet(
        self,
        locale: str = "en-GB",
        size: tuple[int, int] = (1280, 800),
        role: Rule = Rule.CONTROL,
        **more: Any,
    ) -> Any:
        context = self.browser.new_context(
            locale=locale, viewport={"width": size[0], "height": size[1]}, **more
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)  # a state is waited for, however busy the machine
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console",
            lambda m: self.faults.append(m.text) if "Content Security" in m.text else None,
        )
        page.goto(f"{self.base}/in/{self.door.invite(role)}")
        page.wait_for_selector(".page")
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        if self.server is not None:
            self.server.stop()


@pytest.fixture
def table(browser: Any) -> Iterator[Table]:
    opened = Table(browser)
    yield opened
    opened.close()
    assert opened.faults == []


def quick(page: Any) -> None:
    """The page ignores a second tap of the same finger for a moment; a test has no such finger."""
    page.wait_for_selector(".page:not(.settling)")


def tap(page: Any, words: str) -> None:
    quick(page)
    page.click(f"button:has-text('{words}')")


def struck(page: Any, count: int, timeout_s: float = 30) -> None:
    """Wait until so many attempts are struck out."""
    for _ in range(round(timeout_s * 20)):
        if page.locator(".pips .past").count() == count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{page.locator('.pips .past').count()} attempts struck out, not {count}")


HELD = """node => {
  let held = false;
  node.heldThrough = new Promise((done) => new MutationObserver(() => {
    if (node.classList.contains('held')) held = true;
    else if (held) done();
  }).observe(node, { attributes: true }));
}"""


def hold(page: Any, selector: str) -> None:
    """A steady finger: it is lifted when the button has had its time, however slow the machine."""
    button = page.locator(selector)
    button.scroll_into_view_if_needed()
    button.hover()
    held = button.element_handle()
    held.evaluate(HELD)
    page.mouse.down()
    held.evaluate("node => node.heldThrough.then(() => 1)")
    page.mouse.up()


def still(page: Any) -> None:
    """Wait until the page is drawn as it is now, and nothing moves that comes to an end."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 1)"
    )
    page.wait_for_function(
        """() => document.getAnimations().every((one) => one.playState !== 'running' ||
          one.effect.getComputedTiming().endTime === Infinity)"""
    )


def drawn(image: Any) -> None:
    """Wait until a picture has come, with all its dots."""
    for _ in range(600):
        if image.evaluate("node => node.naturalWidth") == 496:
            return
        time.sleep(0.05)
    raise AssertionError("the page's picture did not come")


COUNT = "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
