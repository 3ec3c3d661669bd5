"""From which grey a picture says nothing more: the sensor is saturated, white cannot grow whiter.

The one place for that number; knows nothing of lamps, paper or tables.
"""

from __future__ import annotations

SATURATED_GREY = 250
"""Grey level (0 to 255) from which a pixel counts as burnt out. Chosen: five levels below 255, for
JPEG and a camera's sharpening leave burnt-out white scattered over the last few levels."""
