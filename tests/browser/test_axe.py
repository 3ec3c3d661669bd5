"""axe-core on every page, state and language, by night and by day."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.web import Rule, Server, create_app
from companion.web.guards.certificate_authority import open_authority
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.tablet_in_chromium import AXE, Table, still
from tests.support.tablet_states import LOOKS, stand

pytestmark = pytest.mark.browser


SPEAK = """language => Promise.all([import('/static/core/words.js'), import('/static/core/store.js')]).then(
  ([words, store]) => words.loadLanguage(language).then(store.redraw))"""


def test_axe_finds_nothing(table: Table) -> None:
    """axe-core (WCAG 2.0 to 2.2, A and AA) has no complaint about any page, state or language.
    Contrast, its slowest rule, is looked at in one language, there in every state by night and by
    day: colours do not change with the language."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet(color_scheme="dark", reduced_motion="reduce", bypass_csp=True)
    page.add_script_tag(path=str(AXE))
    for name in LOOKS:
        stand(page, evening, name)
        still(page)  # what fades in has its colours then
        assert complaints(page) == [], (name, "night")
        page.emulate_media(color_scheme="light")
        page.wait_for_selector("html.day", state="attached")
        assert complaints(page, rules=("color-contrast",)) == [], (name, "day")
        page.emulate_media(color_scheme="dark")
        for language in ("de", "cs"):
            page.evaluate(SPEAK, language)
            page.wait_for_selector(f"html[lang={language}]", state="attached")
            assert complaints(page, contrast=False) == [], (name, language)
        page.evaluate(SPEAK, "en")


@pytest.mark.parametrize("light", ["dark", "light"])
def test_axe_finds_nothing_on_a_watching_screen(table: Table, light: str) -> None:
    """A screen that only watches, as a TV does, has nothing for axe in any state of play."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet(
        role=Rule.WATCH,
        size=(1920, 1080),
        color_scheme=light,
        reduced_motion="reduce",
        bypass_csp=True,
    )
    page.add_script_tag(path=str(AXE))
    for name in ("set-up, empty", "secret", "eight", "question", "result", "over, shared"):
        stand(page, evening, name)
        still(page)
        assert complaints(page) == [], name


@pytest.mark.parametrize("path", ["/", "/in/nonsense", "/trust"])
def test_axe_finds_nothing_at_the_door(table: Table, path: str, tmp_path: Path) -> None:
    """The pages a stranger sees, the trust page among them, have nothing for axe either."""
    authority = open_authority(tmp_path / "https", [])
    server = Server(
        create_app(KeptEvening().session, authority=authority),
        "127.0.0.1",
        0,
        tls=authority.context,
    ).start()
    context = table.browser.new_context(bypass_csp=True, ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{server.port}{path}")
        page.add_script_tag(path=str(AXE))
        assert complaints(page) == []
    finally:
        context.close()
        server.stop()


WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def complaints(page: Any, contrast: bool = True, rules: tuple[str, ...] = WCAG) -> Any:
    """What axe-core has to say about the page as it stands, by these rules (or groups of rules)."""
    return page.evaluate(
        "([contrast, rules]) => axe.run({runOnly: rules, rules: {'color-contrast': {enabled: contrast}}}).then(r => "
        "r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ')))",
        [contrast, list(rules)],
    )
