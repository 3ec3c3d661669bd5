"""Every state of the tablet that the browser tests look at, each as the evening that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.companion_web_evening import LONG, NAMES, Evening, finish, played
from tests.support.tablet_in_chromium import quick

MIXED = (
    "نور الدين عبد الرحمن",
    "דניאלה",
    "👩‍👩‍👧 Tři",
    "Jo",
    "Anne-Sophie-Charlotte",
    "Ďáblice Žížalová",
    "🦊",
    "Wolfgang",
)


def live(evening: Evening) -> Evening:
    evening.extra["camera"] = {
        "state": "live",
        "notices": [],
        "tokens": 4,
        "fps": 9.9,
        "name": "Webcam",
    }
    evening.refresh()
    return evening


OPTIONS = [
    {"key": "aside_then_claimed", "seat": 4, "cards": 5, "aside": 1, "option": 0},
    {"key": "aside_then_claimed", "seat": 5, "cards": 4, "aside": 2, "option": 1},
]


QUESTION = {"id": "r5", "asks": "who_took", "card": 26, "at": None, "options": OPTIONS}


def asked() -> Evening:
    """A camera's question during play."""
    evening = live(played(wrong=1))
    evening.extra["question"] = QUESTION
    evening.refresh()
    return evening


def ended() -> Evening:
    """An evening at its end, with a camera that could count."""
    evening = live(played())
    finish(evening)
    return evening


def practising() -> Evening:
    """The practice table."""
    evening = live(played())
    evening.extra.update(practice=True, camera={"state": "practice", "notices": []})
    evening.refresh()
    return evening


def warned() -> Evening:
    """Something needs a word, and a wrong guess was just taken back."""
    evening = live(played())
    evening.command({"id": "elsewhere-9", "version": evening.version, "do": "undo"})
    evening.extra["notices"] = [{"key": "covered", "params": {"card": 7}}]
    evening.refresh()
    return evening


def unnamed() -> Evening:
    """The cards lie and nobody wrote a name down yet."""
    evening = played(phase="secret")
    evening.command({"id": "elsewhere-7", "version": evening.version, "do": "laid"})
    return evening


def resting() -> Evening:
    """A pause."""
    evening = live(played())
    evening.command({"id": "elsewhere-8", "version": evening.version, "do": "pause"})
    return evening


def shared() -> Evening:
    """Three winners, two of them with names written from right to left or in emoji."""
    evening = live(played(MIXED))
    finish(evening)
    evening.extra.update(winners=[0, 1, 2])
    evening.refresh()
    return evening


def unfound() -> Evening:
    """A round that nobody guessed: everything to the Lookout."""
    evening = live(played(wrong=2))
    for i in (0, 1):
        evening.command({"id": f"elsewhere-6{i}", "version": evening.version, "do": "wrong"})
    return evening


def without_camera() -> Evening:
    """Eight long names, and the camera gives no picture any more."""
    evening = played(LONG, 4, 2)
    evening.extra["camera"] = {"state": "stopped", "notices": []}
    evening.refresh()
    return evening


def short() -> Evening:
    """Six cards were expected, five lie there."""
    evening = live(played(phase="secret"))
    evening.extra["notices"] = [{"key": "expected_seen", "params": {"expected": 6, "seen": 5}}]
    evening.refresh()
    return evening


# Each state that is looked at: the evening, the page, what is pressed there.
LOOKS: dict[str, tuple[Callable[[], Evening], str, tuple[str, ...]]] = {
    "set-up, empty": (lambda: Evening(NAMES), "", ()),
    "set-up, five": (
        lambda: Evening(NAMES),
        "",
        (*[".chip >> nth=0"] * 5, ".seat >> nth=1", ".chip:last-child"),
    ),
    "set-up, eight": (
        lambda: Evening(NAMES),
        "",
        (".chip >> nth=0",) * 3,
    ),  # five sit there from before
    "secret": (lambda: live(played(phase="secret")), "", ()),
    "secret, eight": (lambda: live(played(MIXED, 9, phase="secret", edition="de")), "", ()),
    "secret, by hand": (lambda: played(phase="secret"), "", ()),
    "secret, too few": (short, "", ()),
    "guessing": (lambda: live(played()), "", ()),
    "guessing, three": (lambda: live(played(NAMES[:3], 19, 1)), "", ()),
    "guessing, mixed": (lambda: live(played(MIXED, 7, 2)), "", ()),
    "by hand": (played, "", ()),
    "camera lost": (without_camera, "", ()),
    "eight": (lambda: live(played(LONG, 4, 3, edition="de")), "", ()),
    "warned": (warned, "", ()),
    "question": (asked, "", ()),
    "question, later": (asked, "", (".question .text-button",)),
    "naming": (unnamed, "", (".quiet .text-button >> nth=0",)),
    "result": (lambda: played(phase="result"), "", ()),
    "result, eight": (lambda: played(LONG, 5, 2, phase="result"), "", ()),
    "nobody": (unfound, "", ()),
    "over": (ended, "", ()),
    "over, shared": (shared, "", ()),
    "over, one player's": (ended, "", (".seat >> nth=1",)),
    "paused": (resting, "", ()),
    "practice": (practising, "", ()),
    "ledger": (lambda: live(played()), "ledger", ()),
    "ledger, opened": (
        lambda: live(played()),
        "ledger",
        ("button[aria-label*=' 4:']", ".opened .verdict >> nth=0"),
    ),
    "ledger, seen again": (
        lambda: live(played()),
        "ledger",
        ("button[aria-label*=' 3:']", ".side .text-button"),
    ),
    "ledger, who wrote it": (
        lambda: live(played()),
        "ledger",
        ("button[aria-label*=' 2:']", ".side [aria-expanded=false]"),
    ),
    "ledger, a round": (lambda: live(played()), "ledger", (".mending .button >> nth=0",)),
    "ledger, a role": (lambda: live(played()), "ledger", (".mending .button >> nth=1",)),
    "ledger, a card": (lambda: live(played()), "ledger", (".mending .button >> nth=2",)),
    "ledger, eight": (
        lambda: live(played(MIXED, 6)),
        "ledger",
        ("button[aria-label*=' 4:']", ".opened .verdict >> nth=0"),
    ),
    "more": (lambda: live(played()), "more", (".stepper .round >> nth=0",)),
    "rules": (lambda: live(played()), "rules", ()),
    "rules, face down": (lambda: live(played(edition="de")), "rules", ()),
    "screens": (lambda: live(played()), "screens", (".pair .button >> nth=0",)),
    "screens, control": (lambda: live(played()), "screens", (".pair .button >> nth=1",)),
    "camera": (lambda: live(played()), "camera", ()),
    "lens": (lambda: live(played()), "lens", ()),
    "print": (lambda: live(played()), "print", ()),
    "piles": (ended, "piles", (".audit-list button >> nth=0",)),
    "pictures": (ended, "pictures", ()),
    "deck": (ended, "deck", ()),
}


def stand(page: Any, evening: Evening, name: str) -> None:
    """Let this page, whose server keeps `evening`, show one of `LOOKS`."""
    make, where, taps = LOOKS[name]
    kept = ("changed", "stamp", "screens", "version", "recent")
    evening.__dict__.update(
        {key: value for key, value in make().__dict__.items() if key not in kept}
    )
    evening.version += 100
    page.evaluate("location.hash = 'rules'")
    evening.refresh()
    page.wait_for_selector(f".page.phase-{evening.shown['phase']}")
    page.evaluate(f"location.hash = '{where}'")
    for tapped in taps:
        quick(page)
        page.click(tapped)
