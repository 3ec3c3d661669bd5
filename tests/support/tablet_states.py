"""Every state of the tablet that the browser tests look at, and how an evening gets there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.kept_evening import LONG, NAMES, KeptEvening
from tests.support.stills.drawn_table import one_guess
from tests.support.tablet_in_chromium import quick

State = Callable[[KeptEvening], KeptEvening]

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


def asked(evening: KeptEvening) -> KeptEvening:
    """A camera's question during play: the second card that left was a wrong guess, or the first
    one that the finder took."""
    evening.play(phase="secret", handling="away").watched()
    one, two, *rest = evening.fresh_cards
    evening.lie(6, one, two, *rest).lie(3, None, two, *rest).do("set_aside", card=one)
    return evening.lie(6, None, two, *rest).lie(2, None, None, *rest).lie(5)


def asked_before(evening: KeptEvening) -> KeptEvening:
    """The same question, not answered before the next round's cards lay there."""
    asked(evening)
    cards = [card for card in range(40, 80) if card not in evening.session.keeper.ledger.seen]
    return evening.lie(40, every_s=0.5).lie(8, *cards[: evening.session.keeper.ledger.draw])


def unseen(evening: KeptEvening) -> KeptEvening:
    """A round went by that nobody saw, and people are asked whether it was played."""
    evening.play(phase="secret").watched()
    evening.lie(6, *evening.fresh_cards[:-1], None).lie(46, every_s=0.5)
    cards = [card for card in range(40, 80) if card not in evening.session.keeper.ledger.seen]
    return evening.lie(8, *cards[: evening.session.keeper.ledger.draw])


def ended(evening: KeptEvening) -> KeptEvening:
    """An evening at its end, with a camera that could count."""
    return evening.play(phase="over").watched()


def practising(evening: KeptEvening) -> KeptEvening:
    """The practice table."""
    return evening.play().watched(practice=True)


def warned(evening: KeptEvening) -> KeptEvening:
    """Something needs a word, and a wrong guess was just taken back."""
    evening.play(phase="secret").watched()
    cards = evening.fresh_cards
    evening.lie(6, *cards).do("set_aside", card=cards[0]).do("undo")
    return evening.lie(30, *cards, covered=(cards[1],), every_s=0.5)


def unnamed(evening: KeptEvening) -> KeptEvening:
    """The cards lie and nobody wrote a name down yet."""
    return evening.play(phase="secret").do("laid")


def resting(evening: KeptEvening) -> KeptEvening:
    """A pause."""
    return evening.play().watched().do("pause")


def shared(evening: KeptEvening) -> KeptEvening:
    """Three winners, two of them with names written from right to left or in emoji: three times
    nobody was right, and each of the three was the Lookout once."""
    evening.watched().begin(MIXED, daydreamer=3)
    for _ in range(3):
        evening.play_round(6).do("next")
    return evening.do("end")


def unfound(evening: KeptEvening) -> KeptEvening:
    """A round that nobody guessed: everything to the Lookout."""
    return evening.play(wrong=2).watched().do("set_aside").do("set_aside")


def without_camera(evening: KeptEvening) -> KeptEvening:
    """Eight long names, and the camera gives no picture any more."""
    return evening.play(LONG, 4, 2).watched(state="stopped")


def short(evening: KeptEvening) -> KeptEvening:
    """Six cards were expected, five lie there."""
    evening.play(phase="secret").watched()
    return evening.lie(8, *evening.fresh_cards[:5])


def came_and_left(evening: KeptEvening) -> KeptEvening:
    """After two rounds one person left and another came; a round was played since."""
    evening.begin(NAMES[:4]).play_round(1).do("next").play_round(2).do("next")
    evening.do("players", players=[NAMES[0], NAMES[2], NAMES[3], NAMES[4]]).play_round(1)
    return evening.do("next").watched()


def one_left(evening: KeptEvening) -> KeptEvening:
    """Somebody who left stands in the column beside those who guess."""
    evening = came_and_left(evening).do("laid", cards=evening.fresh_cards)
    return evening.do("set_aside", card=evening.lying[0])


def live(*names_and_counts: Any, **how: Any) -> State:
    """An evening as `KeptEvening.play` makes it, watched by a camera."""
    return lambda evening: evening.play(*names_and_counts, **how).watched()


def by_hand(*names_and_counts: Any, **how: Any) -> State:
    """An evening as `KeptEvening.play` makes it, without a camera."""
    return lambda evening: evening.play(*names_and_counts, **how)


def nobody_yet(evening: KeptEvening) -> KeptEvening:
    """Nobody sits at the table."""
    assert evening.board["phase"] == "setup"
    return evening


# Each state that is looked at: how the evening gets there, the page, what is pressed there.
LOOKS: dict[str, tuple[State, str, tuple[str, ...]]] = {
    "set-up, empty": (nobody_yet, "", ()),
    "set-up, five": (
        nobody_yet,
        "",
        (*[".chip >> nth=0"] * 5, ".seat >> nth=1", ".chip:last-child"),
    ),
    "set-up, eight": (
        nobody_yet,
        "",
        (".chip >> nth=0",) * 3,
    ),  # five sit there from before
    "secret": (live(phase="secret"), "", ()),
    "secret, eight": (live(MIXED, 9, phase="secret", edition="de"), "", ()),
    "secret, by hand": (by_hand(phase="secret"), "", ()),
    "secret, too few": (short, "", ()),
    "guessing": (live(), "", ()),
    "guessing, three": (live(NAMES[:3], 19, 1), "", ()),
    "guessing, mixed": (live(MIXED, 7, 2), "", ()),
    "guessing, one left": (one_left, "", ()),
    "by hand": (by_hand(), "", ()),
    "camera lost": (without_camera, "", ()),
    "eight": (live(LONG, 4, 3, edition="de"), "", ()),
    "warned": (warned, "", ()),
    "question": (asked, "", ()),
    "question, practice": (lambda evening: asked(evening).watched(practice=True), "", ()),
    "question, later": (asked, "", (".question .text-button",)),
    "question, earlier round": (asked_before, "", ()),
    "question, earlier round, opened": (asked_before, "", (".waits button",)),
    "naming": (unnamed, "", (".quiet .text-button >> nth=0",)),
    "result": (by_hand(phase="result"), "", ()),
    "result, eight": (by_hand(LONG, 5, 2, phase="result"), "", ()),
    "nobody": (unfound, "", ()),
    "stills, nothing chosen": (one_guess, "stills", ()),
    "stills, a guess": (one_guess, "", (".quiet .text-button >> nth=-1",)),
    "over": (ended, "", ()),
    "over, shared": (shared, "", ()),
    "over, one player's": (ended, "", (".seat >> nth=1",)),
    "paused": (resting, "", ()),
    "practice": (practising, "", ()),
    "ledger": (live(), "ledger", ()),
    "ledger, opened": (
        live(),
        "ledger",
        ("button[aria-label*=' 4:']", ".opened .guess >> nth=0"),
    ),
    "ledger, seen again": (
        live(),
        "ledger",
        ("button[aria-label*=' 3:']", ".side .see button"),
    ),
    "ledger, who wrote it": (
        live(),
        "ledger",
        ("button[aria-label*=' 2:']", ".side [aria-expanded=false]"),
    ),
    "ledger, a round": (live(), "ledger", (".mending .button >> nth=0",)),
    "ledger, a role": (live(), "ledger", (".mending .button >> nth=1",)),
    "ledger, a card": (live(), "ledger", (".mending .button >> nth=2",)),
    "ledger, eight": (
        live(MIXED, 6),
        "ledger",
        ("button[aria-label*=' 4:']", ".opened .guess >> nth=0"),
    ),
    "more": (live(), "more", ()),
    "more, this evening": (live(), "evening", (".stepper .round >> nth=0",)),
    "more, seats": (live(), "seats", ()),
    "other evenings": (ended, "evenings", ()),
    "other evenings, one": (ended, "evenings", (".book-evening >> nth=0",)),
    "other evenings, film": (
        ended,
        "evenings",
        (".book-evening >> nth=0", ".evenings .primary", ".film .primary"),
    ),
    "other evenings, album": (
        ended,
        "evenings",
        (".book-evening >> nth=0", ".evenings .ways-of .button >> nth=1"),
    ),
    "what was found out": (ended, "findings", ()),
    "pictures for the album": (live(), "kept", ()),
    "ledger, who came and left": (came_and_left, "ledger", ()),
    "more, seats, somebody leaves": (
        live(),
        "seats",
        (".seat-list .round >> nth=2", ".new-form .button >> nth=1"),
    ),
    "rules": (live(), "rules", ()),
    "rules, face down": (live(edition="de"), "rules", ()),
    "screens": (live(), "screens", (".pair .button >> nth=0",)),
    "screens, control": (live(), "screens", (".pair .button >> nth=1",)),
    "camera": (live(), "camera", ()),
    "phone camera": (live(), "lens", ()),
    "print": (live(), "print", ()),
    "piles": (ended, "piles", (".audit-list button >> nth=0",)),
    "piles, before the end": (by_hand(), "piles", ()),
    "deck, in a game": (live(), "deck", ()),
    "learning, in a game": (live(), "learn", ()),
    "camera, none": (by_hand(), "camera", ()),
    "pictures": (ended, "pictures", ()),
    "deck": (ended, "deck", ()),
}


def stand(page: Any, evening: KeptEvening, name: str) -> None:
    """Let this page, whose server keeps `evening`, show one of `LOOKS`."""
    reach, where, taps = LOOKS[name]
    page.evaluate("location.hash = 'rules'")
    reach(evening.unwatched())
    page.wait_for_selector(f".page.phase-{evening.board['phase']}")
    page.evaluate(f"location.hash = '{where}'")
    page.wait_for_selector(".sheet.coming", state="detached")
    for tapped in taps:
        quick(page)
        page.click(tapped)
