"""Where cards lie, as the eye remembers it: flights, pauses on the way out, backs that nobody
touched."""

from __future__ import annotations

from companion.table.sighting import PlaceState, Point, Sighting
from companion.vision.places.memory import BackMemory, PlaceMemory

HOME, PILE = (70.0, 236.0), (184.0, 101.0)


def reads(memory: PlaceMemory, card: int, at: Point, t_s: float) -> None:
    memory.observe_sightings((Sighting(card, at, 0.0, ((0.0, 0.0),) * 4, 0.9),), t_s)


def lying(card: int = 31) -> PlaceMemory:
    memory = PlaceMemory()
    for t_s in (0.0, 0.2, 0.4):
        reads(memory, card, HOME, t_s)
    return memory


def test_a_card_read_once_has_no_place_yet() -> None:
    """One reading may be a card in flight; the second at the same place makes it a place."""
    memory = PlaceMemory()
    reads(memory, 31, HOME, 0.0)
    assert memory.places == {}
    reads(memory, 31, (HOME[0] + 1, HOME[1]), 0.1)
    assert memory.places == {31: (HOME[0] + 1, HOME[1])}


def test_a_card_that_pauses_on_another_one_keeps_the_place_it_left() -> None:
    """Two readings on the way out of the middle do not move a card's place: its old one is asked
    about until it is bare."""
    memory = lying()
    reads(memory, 31, PILE, 1.0)
    reads(memory, 31, PILE, 1.17)
    assert memory.places == {31: HOME}


def test_a_card_that_rests_elsewhere_has_its_place_there() -> None:
    """Nearly half a second at rest in the tray and the card's place is the tray."""
    memory = lying()
    for t_s in (1.0, 1.2, 1.4):
        reads(memory, 31, PILE, t_s)
    assert memory.places == {31: PILE}


def test_readings_long_apart_are_no_rest() -> None:
    """A card carried through the same point twice, seconds apart, did not rest there."""
    memory = lying()
    reads(memory, 31, PILE, 1.0)
    reads(memory, 31, PILE, 3.0)
    assert memory.places == {31: HOME}


def test_a_place_seen_bare_for_long_is_let_go() -> None:
    """Twelve bare seconds and nobody asks for the place any more."""
    memory = lying()
    memory.note_states({31: PlaceState.TABLE}, 1.0)
    memory.note_states({31: PlaceState.TABLE}, 12.9)
    assert 31 in memory.places
    memory.note_states({31: PlaceState.TABLE}, 13.1)
    assert memory.places == {}


def test_a_back_lies_on_until_something_moves_over_it() -> None:
    """A back read once stays in view while nothing moves there, and is gone with the first motion
    over it."""
    backs, box = BackMemory(), (90, 90, 130, 130)
    assert backs.observe_backs([(HOME, (100.0, 100.0))], [], 0.0) == (HOME,)
    assert backs.observe_backs([], [(300, 300, 400, 400)], 0.1) == (HOME,)
    assert backs.observe_backs([((HOME[0] + 2, HOME[1]), (101.0, 100.0))], [], 0.2) == (
        (HOME[0] + 2, HOME[1]),
    )
    assert backs.observe_backs([], [box], 0.3) == ()
    assert backs.observe_backs([], [], 0.4) == ()


def test_a_back_not_read_again_is_forgotten() -> None:
    """Whole searches that miss a back for six seconds have the last word."""
    backs = BackMemory()
    backs.observe_backs([(HOME, (100.0, 100.0))], [], 0.0)
    assert backs.observe_backs([], [], 5.9) == (HOME,)
    assert backs.observe_backs([], [], 6.1) == ()
