"""The hall's pages in a real browser: a board of many tables, in three languages, and the host's."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TookTooLong
from playwright.sync_api import expect

from companion.web.app import pairing_address
from companion.web.guards.access import Rule
from companion.web.server import Server
from tests.support.hall.tables import as_letters, hall_on, let_in, played_log

TV = {"width": 1920, "height": 1080}


@pytest.mark.browser
def test_forty_tables_stand_on_a_television_at_once_and_the_host_sees_more(
    browser: Any, url: str
) -> None:
    """Every table has its window, no bar to scroll, nothing wrong in the console; a name of markup is
    text; a change arrives by itself; who looks on has no host's page; each language has its words."""
    with hall_on(url) as (shared, app):
        tables = [let_in(shared, app) for _ in range(40)]
        for at, table in enumerate(tables):
            assert table.send(as_letters(played_log(at % 5, 2).entries)).status_code == 200
        tables[0].post("/api/table/names", {"names": {"Ada": "<b>Ada</b>"}})
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        try:
            context = browser.new_context(viewport=TV, locale="de")
            page = context.new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
            page.goto(pairing_address(app, base))
            expect(page.locator(".table-window")).to_have_count(40)
            expect(page.locator("h1")).to_have_text("Die Halle")
            assert page.evaluate("document.documentElement.scrollHeight") <= TV["height"]
            new = let_in(shared, app)
            new.send(as_letters(played_log(1, 1).entries))
            expect(page.locator(".table-window")).to_have_count(41)
            expect(page.locator(".table-window b")).to_have_count(0)
            page.click("a[href='#season']")
            expect(page.locator("h1")).to_have_text("Saison")
            page.goto(f"{base}/#host")
            expect(page.locator(".device-list li")).to_have_count(41)
            page.get_by_role("button", name="Den Code zeigen").click()
            expect(page.locator(".address")).to_have_text(re.compile(r"/table/[\w-]{32}$"))
            assert not wrong
            context.close()
            watcher = browser.new_context(viewport={"width": 390, "height": 800}, locale="cs")
            looks = watcher.new_page()
            looks.goto(f"{base}/in/{shared.door.invite(Rule.WATCH)}")
            expect(looks.locator("h1")).to_have_text("Sál")
            looks.goto(f"{base}/#host")
            expect(looks.locator(".table-window").first).to_be_visible()
            assert looks.locator("a[href='#host']").count() == 0
            watcher.close()
        finally:
            server.stop()


OVERLAPS = """() => {
  const found = [];
  const box = (node) => {
    const { left, top, right, bottom, height } = node.getBoundingClientRect();
    const air = node.tagName === "text" ? height * 0.24 : 0;  // a line is taller than its letters
    return [left, top + air, right, bottom - air];
  };
  const meet = (a, b) =>
    Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 1 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1;
  const windows = Array.from(document.querySelectorAll(".table-window"));
  for (const one of windows) {
    const parts = Array.from(one.querySelectorAll(".board-score, .board-number, .board-round, .token, .role, .board-sun"));
    const boxes = parts.map(box);
    parts.forEach((part, a) => parts.forEach((other, b) => {
      const own = part.matches(".board-sun") && part.parentNode === other.closest(".board-seat") && other.matches(".token");
      if (a < b && !own && meet(boxes[a], boxes[b])) found.push(`${part.getAttribute("class")} on ${other.getAttribute("class")}`);
    }));
    const below = one.querySelector(".board-below");
    if (below && meet(box(below), box(one.querySelector("svg")))) found.push("the names below on the window");
    if (below && box(below)[3] > innerHeight) found.push("the names below are off the screen");
    if (below) windows.forEach((other) => other !== one && meet(box(below), box(other)) && found.push("names on another table"));
  }
  return found;
}"""


def busy_window(number: int) -> dict[str, Any]:
    """A table with long names, clouds of two digits, and everything that can stand in its window."""
    people = 3 + number % 6
    return {
        "table": number if number % 4 else 150 + number,
        "name": "The long table at the very end of the corner" if number % 3 == 0 else "",
        "phase": ("guessing", "result", "over", "secret")[number % 4],
        "round": 10,
        "of": 13,
        "changed_s": 1.0,
        "misfit": False,
        "players": [
            {
                "seat": seat,
                "name": f"Bartholomew {seat} of the Great Bank of Clouds",
                "cards": 10 + seat,
                "role": {number % people: "daydreamer", (number - 1) % people: "lookout"}.get(seat),
                "turn": seat == 1,
                "leads": seat < 4,
                "away": False,
            }
            for seat in range(people)
        ],
    }


def settle(page: Any) -> None:
    """Wait until nothing overlaps; what still does after some seconds is for the test to say."""
    with contextlib.suppress(TookTooLong):
        page.wait_for_function(f"() => ({OVERLAPS})().length === 0", timeout=5000)


@pytest.mark.browser
def test_nothing_lies_on_anything_else_on_a_television(browser: Any, url: str) -> None:
    """Names, clouds, roles and numbers of 3, 8, 30 and 84 tables, on a small and on a large one."""
    with hall_on(url) as (shared, app):
        server = Server(app, "127.0.0.1", 0).start()
        try:
            page = browser.new_context(viewport=TV).new_page()
            page.goto(pairing_address(app, f"http://127.0.0.1:{server.port}"))
            board = shared.floor.page(1)
            for number in (3, 8, 30, 84):
                windows = [busy_window(one) for one in range(number)]
                shown = {window["table"] for window in windows}
                board.publish(windows, [one for one in board.windows if one not in shown])
                for by in (1, 2):
                    page.set_viewport_size({name: side * by for name, side in TV.items()})
                    expect(page.locator(".table-window")).to_have_count(number)
                    page.wait_for_function("() => document.getAnimations().length === 0")
                    settle(page)
                    assert page.evaluate(OVERLAPS) == [], (number, by)
                    below = page.locator(".board-below").all_inner_texts()
                    # of four who are ahead none is left out as if three were
                    four = sum(len(one["players"]) > 3 for one in windows) if below else 0
                    assert sum(words.endswith(" +1") for words in below) == four
                    for words in below:
                        # nobody who is ahead stands beside what the table does as if it were theirs
                        _, phase, ahead = words.splitlines()
                        place = "won" if phase.startswith("finished") else "ahead"
                        assert ahead.startswith(f"{place}: Bartholomew 0")
        finally:
            server.stop()


@pytest.mark.browser
def test_who_stands_equal_in_the_season_shares_a_place(browser: Any, url: str) -> None:
    """By each of the orders, as the line itself tells it, and whoever comes next keeps the place they have."""
    people = [
        {
            "name": name,
            "rating": rating,
            "unsure": 16.1,
            "clouds": clouds,
            "found": 1,
            "evenings": 2,
        }
        for name, rating, clouds in (
            ("Ada", 27.9, 4),
            ("Ben", 23.6, 9),
            ("Cleo", 23.6, 4),
            ("Dan", 20.0, 0),
        )
    ]
    with hall_on(url) as (_shared, app):
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        try:
            page = browser.new_page()
            page.goto(pairing_address(app, base))
            page.route("**/api/season", lambda asked: asked.fulfill(json={"people": people}))
            page.goto(f"{base}/#season")
            for order, places in (
                ("By rating", "1224"),
                ("Clouds", "1224"),
                ("Clouds found", "1111"),
            ):
                page.get_by_role("button", name=order, exact=True).click()
                expect(page.locator(".season-table tbody td:first-child")).to_have_text(
                    list(places)
                )
            assert page.locator("th:text-is('')").count() == 0
        finally:
            server.stop()
