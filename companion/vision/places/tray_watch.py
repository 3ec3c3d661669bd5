"""The tray watched as a picture: has something come, gone, or been pushed there, readable or not?

Knows the tray seen straight from above, in brightness and colour, against its last quiet picture.
Must not know codes, cards or rounds. A change counts only once nothing moves there any more and no
arm lies over it; light that changes smoothly is taken off first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.table.sighting import Hand, Point, TrayReport
from companion.vision.frame.fitting import fast_median, quadratic_basis, ridge_fit
from companion.vision.frame.log_colour import LogColour, log_colour_of, saturated_pixels
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster


@dataclass(frozen=True, slots=True)
class TrayWatching:
    """The numbers of the watch. Chosen on rendered tables: a disc slid under another by 20 mm bares
    1,700 square millimetres of itself, a code that is blotted less than 300."""

    step_mm: float = 3.0
    margin_mm: float = 66.0
    """So much round the tray is looked at: an arm over the tray reaches to the rim of that."""
    beside_mm: float = 26.0
    """So much beside the tray counts as the tray: discs lie on its edge."""
    brightness: float = 0.12
    colour: float = 0.08
    """A pixel differs from so much log brightness or colour on, noise not counted."""
    noise_times: float = 4.0
    softens_mm: float = 4.0
    speck_mm2: float = 120.0
    """Smaller patches of change are noise."""
    changed_mm2: float = 300.0
    """From so much change on the picture is another one."""
    closes_mm: float = 12.0
    """Gaps so narrow in what lies there are of the picture on it."""
    stirs_mm2: float = 250.0
    """From so much change between two looks on something moves."""
    quiet_s: float = 0.22
    arm_contact_mm: float = 22.0
    """What differs and meets the rim over so much is an arm, not a disc."""
    hand_near_mm: float = 60.0


TRAY_WATCHING = TrayWatching()


class TrayWatch:
    """Watches one table's tray; hand it every look, oldest first."""

    def __init__(self, watching: TrayWatching = TRAY_WATCHING) -> None:
        self._as = watching
        self._tray: np.ndarray | None = None
        self._raster: Raster | None = None
        self._quiet: LogColour | None = None
        self._empty: LogColour | None = None
        self._last: LogColour | None = None
        self._still_since_s: float | None = None
        self._last_s = -1e9
        self._report: TrayReport | None = None
        self._version = 0
        self._noise = 0.01
        self._region_cells: np.ndarray | None = None

    def forget_tray(self) -> None:
        """The tray was moved, or the camera: what it looked like is void."""
        self._quiet = None
        self._empty = None
        self._last = None
        self._still_since_s = None

    def observe_tray(
        self,
        picture: np.ndarray,
        shrink: int,
        plane: PicturePlane,
        t_s: float,
        hands: Sequence[Hand] = (),
        usable: bool = True,
        read_mm: Sequence[Point] = (),
    ) -> TrayReport | None:
        """What this `picture` (h, w, 3) uint8 BGR, shrunk by `shrink` and softened, says of the
        tray; None where the plane knows none, and on the first quiet look at it.

        `read_mm` are the places of the cards read in this picture: while none is read in the tray,
        the first quiet picture is taken for that of the bare tray.
        """
        raster = self._aimed(plane, shrink)
        if raster is None:
            return None
        in_view = self._in_view(raster)
        if not usable:
            self._still_since_s = None
            return self._say(in_view, quiet=False)
        seen = raster.sample_picture(picture, slice(None), slice(None))
        look = log_colour_of(seen)
        sure = raster.inside & ~saturated_pixels(seen)
        stirred = self._stirred(look, sure, t_s)
        self._last, self._last_s = look, t_s
        if stirred or any(self._over_tray(hand.tip_mm) for hand in hands):
            self._still_since_s = None
            return self._say(in_view, quiet=False)
        since_s = self._still_since_s if self._still_since_s is not None else t_s
        self._still_since_s = since_s
        if t_s - since_s < self._as.quiet_s:
            return self._say(in_view, quiet=False)
        empty = not any(self._over_tray(point) for point in read_mm)
        return self._compare(look, sure, raster, in_view, empty)

    @property
    def settling(self) -> bool:
        """True while nothing moves there any more, and the picture is not yet taken for quiet."""
        said = self._report
        return said is not None and not said.quiet and self._still_since_s is not None

    def _say(self, in_view: float, quiet: bool, covered_mm2: float | None = None) -> TrayReport:
        covered = self._report.covered_mm2 if self._report is not None else 0.0
        self._report = TrayReport(
            in_view, quiet, self._version, covered if covered_mm2 is None else covered_mm2
        )
        return self._report

    def _compare(
        self, look: LogColour, sure: np.ndarray, raster: Raster, in_view: float, empty: bool
    ) -> TrayReport | None:
        """The quiet picture against the last one; None where there is none, so that nobody knows
        what came before."""
        if self._quiet is None:
            self._quiet = look
            self._empty = look if empty else None
            self._report = None
            return None
        changed = self._differs(look, self._quiet, sure)
        if self._arm(changed, raster):
            self._still_since_s = None
            return self._say(in_view, quiet=False)
        if self._area_mm2(changed & self._region(raster)) < self._as.changed_mm2:
            self._quiet = _mixed(self._quiet, look, 0.1, sure & ~changed)
            return self._say(in_view, True)
        self._quiet = look
        self._version += 1
        if self._empty is None and empty:
            self._empty = look
        return self._say(in_view, True, self._covered_mm2(look, sure, raster))

    def _covered_mm2(self, look: LogColour, sure: np.ndarray, raster: Raster) -> float:
        """On how much of the tray something lies: what differs from the bare tray, its holes filled
        (a white cloud is as white as the paper); 0 while the bare tray is not known."""
        if self._empty is None:
            return 0.0
        lies = self._differs(look, self._empty, sure).astype(np.uint8)
        reach = round(self._as.closes_mm / self._as.step_mm)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        closed = cv2.morphologyEx(lies, cv2.MORPH_CLOSE, kernel).astype(np.uint8)
        outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(closed, outlines, -1, 1, cv2.FILLED)
        return self._area_mm2((closed > 0) & self._region(raster))

    def _stirred(self, look: LogColour, sure: np.ndarray, t_s: float) -> bool:
        """Whether something moved there since the look before."""
        last = self._last
        if (
            last is None
            or t_s - self._last_s > 5.0
            or last.brightness.shape != look.brightness.shape
        ):
            return False
        moved = self._differs(look, last, sure)
        steps = np.abs(look.brightness - last.brightness)[::3, ::3]
        self._noise += 0.2 * (min(fast_median(steps) / 0.954, 0.05) - self._noise)
        return self._area_mm2(moved) >= self._as.stirs_mm2

    def _differs(self, look: LogColour, other: LogColour, sure: np.ndarray) -> np.ndarray:
        """Where the two pictures differ by more than light, (h, w) bool, specks left out."""
        given = self._as
        brightness = look.brightness - other.brightness
        parts = []
        for change, least in (
            (brightness, given.brightness),
            (look.blue - other.blue, given.colour),
            (look.red - other.red, given.colour),
        ):
            flat = change - _smooth_light(change, sure)
            reach = given.softens_mm / given.step_mm
            soft = cv2.GaussianBlur(np.where(sure, flat, 0).astype(np.float32), (0, 0), reach / 2)
            parts.append(np.abs(soft) > least + given.noise_times * self._noise)
        cells = ((parts[0] | parts[1] | parts[2]) & sure).astype(np.uint8)
        cells = cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(cells, connectivity=8)
        keep = stats[:, cv2.CC_STAT_AREA] * given.step_mm**2 >= given.speck_mm2
        keep[0] = False
        return np.asarray(keep[labels]) if count > 1 else np.zeros(cells.shape, bool)

    def _arm(self, changed: np.ndarray, raster: Raster) -> bool:
        """Whether some of what differs in the tray reaches the rim of the view round it."""
        region = self._region(raster)
        rim = np.zeros_like(changed)
        rim[:2], rim[-2:] = True, True
        rim[:, :2], rim[:, -2:] = True, True
        count, labels = cv2.connectedComponents(changed.astype(np.uint8), connectivity=8)
        for part in range(1, count):
            cells = labels == part
            contact_mm = float(np.count_nonzero(cells & rim)) / 2 * self._as.step_mm
            if contact_mm >= self._as.arm_contact_mm and (cells & region).sum() > 20:
                return True
        return False

    def _aimed(self, plane: PicturePlane, shrink: int) -> Raster | None:
        """The raster over the tray, made anew when the tray lies elsewhere."""
        tray = getattr(plane, "tray_mm", None)
        if tray is None:
            return None
        corners = np.asarray(tray, dtype=np.float64).reshape(-1, 2)
        if self._tray is None or np.abs(corners - self._tray).max() > 4.0:
            self._tray = corners
            low = corners.min(axis=0) - self._as.margin_mm
            high = corners.max(axis=0) + self._as.margin_mm
            bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
            self._raster = Raster(bounds, self._as.step_mm)
            self._region_cells = None
            self.forget_tray()
        assert self._raster is not None
        self._raster.follow_plane(plane, shrink)
        return self._raster

    def _region(self, raster: Raster) -> np.ndarray:
        """The tray and a little beside it, (h, w) bool."""
        if self._region_cells is not None:
            return self._region_cells
        reach = round(self._as.beside_mm / self._as.step_mm)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        self._region_cells = np.asarray(
            cv2.dilate(self._tray_cells(raster).astype(np.uint8), kernel) > 0
        )
        return self._region_cells

    def _in_view(self, raster: Raster) -> float:
        """The share of the tray itself that the picture holds."""
        cells = self._tray_cells(raster)
        return int(np.count_nonzero(cells & raster.inside)) / max(1, int(np.count_nonzero(cells)))

    def _tray_cells(self, raster: Raster) -> np.ndarray:
        assert self._tray is not None
        points = np.array([raster.cell_at((float(x), float(y))) for x, y in self._tray])[:, ::-1]
        cells = np.zeros((raster.height, raster.width), np.uint8)
        cv2.fillPoly(cells, [points.astype(np.int32)], 1)
        return np.asarray(cells > 0)

    def _area_mm2(self, cells: np.ndarray) -> float:
        return float(np.count_nonzero(cells)) * self._as.step_mm**2

    def _over_tray(self, point: Point) -> bool:
        assert self._tray is not None
        inside: float = cv2.pointPolygonTest(
            self._tray.astype(np.float32), (float(point[0]), float(point[1])), True
        )
        return inside > -self._as.hand_near_mm


@lru_cache(maxsize=4)
def _plane_over(h: int, w: int) -> np.ndarray:
    """The three lights of a plane over (h, w) pixels, (h * w, 3) float32."""
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    return np.ascontiguousarray(quadratic_basis(x.ravel(), y.ravel())[:, :3])


def _smooth_light(change: np.ndarray, sure: np.ndarray) -> np.ndarray:
    """The part of a change that light makes: a plane through what most pixels did, (h, w) float32."""
    columns = _plane_over(*change.shape)
    picked = np.flatnonzero(sure.ravel())[::7]
    if picked.size < 30:
        return np.zeros_like(change)
    values, few = change.ravel()[picked], columns[picked]
    weights = np.array([fast_median(values), 0, 0], np.float32)
    for _ in range(2):
        near = np.abs(values - few @ weights) < 0.12
        if np.count_nonzero(near) < max(30, 0.3 * picked.size):
            break
        weights = ridge_fit(few[near], values[near], np.array([0.1, 5.0, 5.0]))
    return np.asarray((columns @ weights).reshape(change.shape).astype(np.float32))


def _mixed(old: LogColour, new: LogColour, share: float, where: np.ndarray) -> LogColour:
    """The old picture led towards the new one, where that is sure."""
    rate = np.where(where, np.float32(share), np.float32(0))
    return LogColour(
        old.brightness + rate * (new.brightness - old.brightness),
        old.blue + rate * (new.blue - old.blue),
        old.red + rate * (new.red - old.red),
    )
