"""What it is worth that a card was told in the tray by its picture, its code unread.

Knows when it was told so, and when the middle was empty. Must not know pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.departure import TrayEvidence


@dataclass(frozen=True, slots=True)
class PictureEvidenceModel:
    """How a card told by its picture shows that it was set aside, or claimed. A picture never weighs as
    much as a code read twice at rest (-5, `SetAsideModel.log_claimed_by_level`), though none was
    named wrongly yet (`python -m tests.benchmarks.pictures`): those were rendered pictures."""

    pictured_share: float = 0.9
    """A card that lies there unread, and was told by its picture: nearly as good as read."""
    log_claimed: float = -4.5
    """Natural logarithm of the likelihood that a claimed card was told there."""
    log_claimed_in_pile: float = -2.5
    """The same where it was told only after the middle was empty: a pile of taken cards may have been
    laid there."""


PICTURE_EVIDENCE_MODEL = PictureEvidenceModel()


def pictured_unread(tray: TrayEvidence) -> bool:
    """True where the picture testifies and no code does: a code that is read outranks it."""
    return tray.pictured_s is not None and not tray.rests


def log_pictured_if_claimed(tray: TrayEvidence, empty_s: float) -> float:
    """Log weight of such a card being claimed after all; the middle was empty at `empty_s`."""
    if tray.pictured_s is None:
        return 0.0
    model = PICTURE_EVIDENCE_MODEL
    return model.log_claimed if tray.pictured_s < empty_s else model.log_claimed_in_pile
