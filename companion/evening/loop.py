"""The one loop from frames to entries: whoever keeps the score of footage, of a recording or of a
practice table runs this; the watching thread makes the same three steps with its own patience.

    attention -> the eye reads a frame -> the dealing room draws the curtain -> the referee rules

Knows sources and the scorekeeper; must not know files, threads or clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from calibration.cameras.port import Camera
from companion.evening.scorekeeper import Scorekeeper
from companion.game.log import Entry
from companion.table.sighting import Attention, Glimpse, RawGlimpse
from companion.vision.eye import Eye

Source = Callable[[Attention], RawGlimpse | Glimpse | None]
"""The next glimpse, raw from an eye or as it was recorded behind the curtain; None at the end."""


@dataclass(frozen=True, slots=True)
class Step:
    """One glimpse as everyone may see it, and the entries it led to (often none)."""

    glimpse: Glimpse
    entries: tuple[Entry, ...]


def keep_score(source: Source, keeper: Scorekeeper) -> Iterator[Step]:
    """Every step until the source ends; then what can be decided is entered by `finish`."""
    last_s = 0.0
    while (seen := source(keeper.attention)) is not None:
        step = keep_glimpse(seen, keeper)
        last_s = step.glimpse.t_s
        yield step
    keeper.finish(last_s)


def keep_glimpse(seen: RawGlimpse | Glimpse, keeper: Scorekeeper) -> Step:
    """Draw the curtain before what an eye has seen, and keep the score by what is left."""
    glimpse = (
        keeper.draw_curtain(seen)
        if isinstance(seen, RawGlimpse)
        else keeper.draw_curtain_over_recording(seen)
    )
    return Step(glimpse, keeper.observe_glimpse(glimpse))


def frames_of(camera: Camera, eye: Eye) -> Source:
    """What `eye` reads in the frames of `camera`."""

    def read_next(attention: Attention) -> RawGlimpse | None:
        frame = camera.read()
        return eye.read_frame(frame, attention).raw if frame is not None else None

    return read_next


def recording_of(glimpses: Iterable[Glimpse]) -> Source:
    """The glimpses of a recording: they have been behind the curtain already."""
    rest = iter(glimpses)
    return lambda _attention: next(rest, None)
