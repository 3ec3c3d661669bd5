"""The numbers by which a place is judged, as one value: to be read, fitted and varied together.

Most were set on films and kept after `tests/benchmarks/places.py`: of the places seen bare and
clear 95 in 100 have a residual under 0.008, and no lying card came under 0.04 unless a plain sheet
hid it, disc and ring. Such sheets are stopped by `largest_cast_log` and by the limits of light
(`tests/benchmarks/places_many.py`). "Log" are natural logarithms of brightness or colour.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceThresholds:
    """What a place must show to be called what it is called."""

    bare_residual_log: float = 0.016
    """Below it a place, light taken out, equals the ground: twice what bare places show."""
    eased_residual_log: float = 0.024
    """The same on saturated cloth, whose edges no camera draws as the light made them, where a hand
    has just been (checked cloth over-exposed: 0.017; `places_hours.py`, seed 92501)."""
    eased_card_factor: float = 10.0
    """So many times as unlike the card itself must the eased place be."""
    card_factor: float = 2.0
    """So many times as unlike the card itself must every bare place be; chosen."""
    largest_off_colour_share: float = 0.03
    """Share of a bare place's pixels that may have another colour than the ground."""
    largest_cast_log: float = 0.06
    """By so much the colour of the whole place may differ: a plain sheet differs by more."""
    darkest_log: float = -0.35
    """The fitted light against the table's at its darkest: a shadow; darker is a thing."""
    brightest_log: float = 0.2
    """The same at its brightest: a reflection; brighter is a thing."""
    noisiest_log: float = 0.09
    """Sensor noise from which nothing can be told."""
    saturated_share: float = 0.30
    """Share of saturated pixels from which white cloth and white card look the same."""
    unlike_card_when_saturated_log: float = 0.09
    """Residual against the card's own picture from which a saturated place is not the card."""
    own_residual_log: float = 0.08
    """Below it, and above `own_correlation`, a place shows the card's own picture."""
    own_correlation: float = 0.75
    """See `own_residual_log`."""
    other_residual_log: float = 0.035
    """Above it, and below `other_correlation`, a place does not show the card at all."""
    other_correlation: float = 0.5
    """See `other_residual_log`."""
    plain_contrast_log: float = 0.1
    """A card this unlike its ground that looks like itself needs no second question."""
    least_contrast_log: float = 0.030
    """A card whose ground differs from it by less than this tells nothing: that ground is a picture
    of the card."""
    contrast_every_s: float = 1.5
    """So often a card's contrast with its ground is measured; chosen."""
    almost_residual_log: float = 0.12
    """Up to it the table almost fits: it is aligned and compared once more."""
    least_shift_steps: float = 0.15
    """...if it lies off by so many grid steps (2 mm) at least."""
    hopeless_residual_log: float = 0.4
    """What is so unlike the table no shift makes alike."""
    hopeless_off_colour_share: float = 0.7
    """What has another colour to this share no shift makes alike."""
    handled_s: float = 0.5
    """A card may show for so long after the last look at the hand that takes it."""
    just_handled_s: float = 1.5
    """A saturated place is not called bare later than so after the hand: by then it was said, or it
    cannot be told."""
    bare_looks: int = 2
    """So many bare looks before "table" is said: a card in flight is bare for one."""
    bare_s: float = 0.12
    """...so far apart."""
    moving_s: float = 0.35
    """A coarse cell that changed so lately moves; this and the next were chosen."""
    moving_share: float = 0.08
    """Share of a place's cells that must move."""
    least_disc_share: float = 0.35
    """Share of a disc that must be in view and free for anything to be told; chosen, as the next
    three."""
    least_ring_share: float = 0.25
    """Share of the ring round it whose ground must be known."""
    least_known_share: float = 0.95
    """Share of what is seen of the disc whose ground must be known."""
    least_back_share: float = 0.75
    """Share of a disc that must be in view before its back is looked for."""
    seam_unknown_s: float = 0.4
    """So long still before a place whose ground is unknown is judged by its surroundings."""
    seam_known_s: float = 1.5
    """The same where its ground fits no more."""


PLACE_THRESHOLDS = PlaceThresholds()
