"""From which grey a picture says nothing more: the sensor is saturated, white cannot grow whiter.

The one place for those numbers, each by what is asked of it; knows nothing of pictures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SaturationLevels:
    """Grey levels (0 to 255) from which something counts as saturated, by what is asked.

    JPEG and a camera's sharpening leave burnt-out white scattered over the last five levels below
    255: `pixel_grey` was chosen by that, and the others from it, lower the more pixels a value
    mixes, of which some are not burnt out. `searched_grey` alone was measured.
    """

    pixel_grey: int = 250
    """A pixel as the camera gave it."""
    white_paper_grey: int = 248
    """The white of a token: a mean over its paper."""
    code_sample_light: float = 240.0
    """A sample of a code's patch, which mixes its neighbours, in light instead of grey
    (`companion.vision.codes.pose.LINEAR_LIGHT`): grey 248. Such a sample is given up."""
    raster_sample_grey: int = 246
    """A sample of the table's raster, which mixes pixels: saturated in part at least."""
    table_light_grey: int = 245
    """Ground that should be darker than this by the table's own light, and is saturated, lies under
    a reflection: one level below `raster_sample_grey`."""
    cloth_grey: int = 248
    """As bright as this in every channel a burnt-out cloth is, which fills a picture's last rows;
    chosen."""
    searched_grey: int = 235
    """A pixel round which codes are looked for once more, with their contrast equalised; lower, for
    nothing is given up there. Of codes under a reflection that the decoder can read 98 % have such a
    patch within 14 modules; of 74 that the plain search lost, the equalised one found 46 (reader
    benchmark, seeds 3000-3011)."""


SATURATION = SaturationLevels()
