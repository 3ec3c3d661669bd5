"""Two readers, one picture: who is believed."""

from __future__ import annotations

from card_printables.deck import Word, back_word, word_for
from companion.vision.codes.consensus import Claim, reader_consensus

ALL = frozenset(range(1, 81))


def claim(
    word: Word | None, x: float, reader: str, payload: bytes = b"", mirrored: bool = False
) -> Claim:
    corners = ((x, 0.0), (x + 30, 0.0), (x + 30, 30.0), (x, 30.0))
    return Claim(word, word.payload if word else payload, corners, 0.8, reader, mirrored)


def test_readers_that_agree_are_believed() -> None:
    """The same code from both is one detection, vouched for by both, at the known-deck decoder's
    corners."""
    reading = reader_consensus(
        [claim(word_for(7), 0, "known")], [claim(word_for(7), 3, "zxing")], "CM1", ALL
    )
    assert [(d.card, d.reader, d.corners_px[0]) for d in reading.detections] == [
        (7, "both", (0.0, 0.0))
    ]


def test_readers_that_differ_are_both_dropped() -> None:
    """Two different cards at one place: a conflict with both numbers, no detection, whoever was
    expected there."""
    for reader in ("known", "tracked"):
        reading = reader_consensus(
            [claim(word_for(7), 0, reader)], [claim(word_for(8), 3, "zxing")], "CM1", ALL
        )
        assert reading.detections == ()
        assert [(c.why, c.cards) for c in reading.conflicts] == [("readers", (7, 8))]


def test_a_foreign_code_vetoes_a_card() -> None:
    """Where zxing-cpp reads a payload that is no word, there is no card of ours."""
    reading = reader_consensus(
        [claim(word_for(7), 0, "known")], [claim(None, 3, "zxing", b"http://x")], "CM1", ALL
    )
    assert reading.detections == ()
    assert [f.payload for f in reading.foreign] == [b"http://x"]


def test_a_code_that_only_zxing_reads_counts() -> None:
    """The second reader is a reader of its own where the first saw nothing."""
    reading = reader_consensus(
        [], [claim(word_for(7), 0, "zxing"), claim(back_word(), 100, "zxing")], "CM1", ALL
    )
    assert set(reading.cards) == {7}
    assert len(reading.backs) == 1


def test_a_card_tracked_and_found_at_one_place_is_one_card() -> None:
    """The claim that came first stands for the place."""
    reading = reader_consensus(
        [claim(word_for(7), 0, "tracked"), claim(word_for(7), 2, "known")], [], "CM1", ALL
    )
    assert [(d.card, d.reader) for d in reading.detections] == [(7, "tracked")]
    assert reading.conflicts == ()


def test_a_mirrored_card_beside_its_upright_self_is_no_conflict() -> None:
    """A mirror on the table shows a card again; only the upright one counts."""
    reading = reader_consensus(
        [claim(word_for(7), 0, "known"), claim(word_for(7), 90, "known", mirrored=True)],
        [],
        "CM1",
        ALL,
    )
    assert set(reading.cards) == {7}
    assert [d.card for d in reading.mirrored] == [7]


def test_a_large_foreign_code_beside_a_card_leaves_it_alone() -> None:
    """A tablet's QR code next to a card is another place; one that the card's claim lies inside is
    not."""
    large = ((40.0, -40.0), (240.0, -40.0), (240.0, 160.0), (40.0, 160.0))
    foreign = Claim(None, b"http://x", large, 1.0, "zxing")
    assert set(reader_consensus([claim(word_for(7), 0, "known")], [foreign], "CM1", ALL).cards) == {
        7
    }
    assert (
        reader_consensus([claim(word_for(7), 60, "known")], [foreign], "CM1", ALL).detections == ()
    )
