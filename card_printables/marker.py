"""The marker: one QR code of version 1, level H, and its place on the disc.

Knows sizes and places in millimetres on the card, and which modules are dark. Knows nothing of
cameras.

The card frame: origin at the disc's centre, x to the right, y down, as the printed face is read
with the marker at the foot. Corners are always in the order top-left, top-right, bottom-right,
bottom-left of the printed marker.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from card_printables.deck import Word

MODULES = 21
"""Modules along one side of a version-1 code."""

DISC_MM = 85.0
"""Diameter of the published cards."""

SYMBOL_MM = 18.0
"""Default side of the printed code, quiet zone not counted. 0.857 mm a module: 1.8 pixels a module
where 1080p sees 90 cm of table from above, 1.2 for 720p or at the far edge of a 40 degree tilt. The
reader's benchmark reads 1.25."""

QUIET_MODULES = 3.0
"""Light modules round the code. Readers here and zxing-cpp need 2; a third forgives scissors and
glue."""

RIM_MM = 2.5
"""Sky kept between the plate's corners and the disc's edge."""

SMALLEST_SYMBOL_MM = 6.0
"""Below this a home printer at 300 dpi has fewer than four dots a module."""

ART_BLEED_MM = 3.0
"""How far the cloud picture reaches over the disc's edge on every side, and the most bleed that a
print service can be given."""

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class MarkerPlace:
    """Where the marker sits on a disc: all in the card frame, mm."""

    disc_mm: float = DISC_MM
    symbol_mm: float = SYMBOL_MM

    @property
    def plate_mm(self) -> float:
        """Side of the light plate: the code and its quiet zone."""
        return self.symbol_mm * (1 + 2 * QUIET_MODULES / MODULES)

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Centre of the code: straight below the disc's centre, as near the rim as `RIM_MM` allows."""
        half = self.plate_mm / 2
        reach = self.disc_mm / 2 - RIM_MM
        return (0.0, max(0.0, (reach**2 - half**2) ** 0.5 - half)) if reach > half else (0.0, 0.0)

    @property
    def corners_mm(self) -> Corners:
        """The code's four outer corners (not the quiet zone's)."""
        x, y = self.centre_mm
        h = self.symbol_mm / 2
        return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


FORMER_BACK_SYMBOL_MM = 30.0
"""Side of the code in the middle of the backs that were printed before the backs had a moon; such
decks are still played and their lost cards printed again."""

MOON_QUIET_MODULES = 2.5
"""Modules of moon beside the corners of a back's code, where it is narrowest (9 beside the middle of
each side)."""


@dataclass(frozen=True, slots=True)
class BackPlace:
    """Where the code sits on a card back, in the frame of the back as it is printed, mm: on a moon
    near the rim, above the middle, upright."""

    disc_mm: float = DISC_MM
    symbol_mm: float = SYMBOL_MM

    @property
    def moon_mm(self) -> float:
        """Radius of the moon."""
        half = self.symbol_mm / 2
        return math.hypot(half + MOON_QUIET_MODULES * self.symbol_mm / MODULES, half)

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Middle of the moon and of the code: as near the rim as `RIM_MM` allows."""
        return (0.0, -max(0.0, self.disc_mm / 2 - RIM_MM - self.moon_mm))


def largest_symbol_mm(disc_mm: float) -> float:
    """The largest code whose plate stays inside the disc."""
    return (
        math.floor((disc_mm - 2 * RIM_MM) / math.sqrt(2) / (1 + 2 * QUIET_MODULES / MODULES) * 10)
        / 10
    )


@cache
def modules_of(payload: bytes, mask: int) -> np.ndarray:
    """The code's modules, (21, 21) bool, True is dark; `payload` must be ten or fewer alphanumeric
    QR characters."""
    # Here, because with them comes an image library, which nobody needs who only asks for sizes.
    import qrcode
    from qrcode.constants import ERROR_CORRECT_H
    from qrcode.util import MODE_ALPHA_NUM, QRData

    code = qrcode.QRCode(
        version=1, error_correction=ERROR_CORRECT_H, box_size=1, border=0, mask_pattern=mask
    )
    code.add_data(QRData(payload, mode=MODE_ALPHA_NUM))
    code.make(fit=False)
    modules = np.array(code.get_matrix(), dtype=bool)
    modules.setflags(write=False)
    return modules


def modules(word: Word) -> np.ndarray:
    """The modules printed for `word`, (21, 21) bool, True is dark."""
    return modules_of(word.payload, word.mask)
