"""Every sentence that a screen can say about the camera is said of a picture made for it, and of no
other one.

Each scene is one picture or a few, and all that may be said of it: whatever else is said fails. The
sentences come from the catalogues: one that no scene brings fails too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.check.profile import Profile, compare_with_profile
from calibration.check.report import PROVES_REACH_SHARE, report_of
from calibration.check.sentences import catalogue
from calibration.check.survey import Survey
from calibration.geometry.fit import fit_plane
from calibration.geometry.place import PiecePlace
from calibration.geometry.plane import Plane
from calibration.simulator.photograph import CameraModel, Sheet, Studio, photograph
from card_printables.deck import DECKS
from card_printables.marker import MarkerPlace
from card_printables.output import pixels
from card_printables.output.piece_pictures import back_rgba, face_rgba
from card_printables.pages import lens_target
from card_printables.token import TOKEN_MM, TOKEN_NAMES, TRAY
from companion.capture.frame_watch import FrameWatch
from companion.capture.last_seen import TABLE_GONE_S, LastSeen
from companion.capture.live import DOES
from companion.capture.view import CameraState, view_of
from companion.set_up import lens_wizard
from companion.set_up.lens_wizard import LensWizard
from companion.table.sighting import Glimpse, PlaceState, RawGlimpse
from companion.vision.codes.reader import Reader
from companion.vision.eye import NOTHING_GONE, Eye
from companion.vision.places.back_lesson import learn_lone_back
from companion.web.views.page_files import page_words
from tests.browser import test_stills
from tests.companion.dealing import test_curtain
from tests.companion.set_up import test_deck_check
from tests.companion.vision.codes import test_consensus
from tests.companion.vision.pictures import test_naming
from tests.companion.web import test_piles, test_printing
from tests.support.calibration_scene import (
    Layout,
    framed,
    laid_by_eye,
    print_of,
    sheets_of,
    true_tags,
)
from tests.support.scorekept import BARE, THIRD, Evening
from tests.support.scorekept import FIRST as FIVE
from tests.support.scorekept import SECOND as FIVE_MORE

FAMILIES = (
    r"calibration\.(ready|part|playable|patient|poor|blind)$",
    r"advice\.",
    r"last\.(same|camera|mode|few|stands|tokens)$",
    r"notice\.",
    r"camera\.(live|practice|closed|stopped|black|still|off|searching|waiting)$",
    r"refused\.back_",
    r"expert\.why\.",
    r"calibration\.(reads|some|no)$",
    r"set_up\.(tokens|places|try|tried)$",
    r"deck\.dim$",
    r"piles\.blind$",
    r"print\.(enough|advice|too_far)$",
    r"stills\.legend$",
)
"""The catalogues' keys that say something about the camera, or about what it sees; what a phone says
of itself as the camera is held by `tests/browser/test_phone_camera.py`."""

NO_PICTURE_TELLS = {
    "notice.cannot_save",
    "notice.kept_once",
    "expert.why.game",
    "expert.why.practice",
    "expert.why.no_camera",
}
"""What the session knows, not the camera."""
# --- the set-up's report: a headline, one advice, and what else is wrong

LAYOUT = laid_by_eye(np.random.default_rng(1), 560, 330, tray=False)
CAMERA = framed(CameraModel(1280, 720, 940, tilt_deg=18, blur_px=0.6), LAYOUT)
FIRST, SECOND, THIRD_TOKEN, LAST = TOKEN_NAMES


@cache
def studio() -> Studio:
    return Studio(CAMERA, "wood", 0)


def shot(sheets: Iterable[Sheet]) -> np.ndarray:
    return studio().shoot(list(sheets))


@cache
def good() -> np.ndarray:
    return shot(sheets_of(LAYOUT))


def soft(sigma_px: float) -> np.ndarray:
    return cv2.GaussianBlur(good(), (0, 0), sigma_px)


def lit(share: float) -> np.ndarray:
    return (good() * share).astype(np.uint8)


def brighter(picture: np.ndarray, levels: int) -> np.ndarray:
    """So many grey levels brighter, up to white."""
    return np.clip(picture.astype(int) + levels, 0, 255).astype(np.uint8)


def on_white_cloth(exposure: float) -> np.ndarray:
    """The table under a white cloth, with so many times the light."""
    table = photograph(sheets_of(LAYOUT), CAMERA, "white")
    return np.clip(table * exposure, 0, 255).astype(np.uint8)


def veiled(picture: np.ndarray, share: float, levels: float) -> np.ndarray:
    """Its contrast lowered to a share, over so many grey levels of stray light."""
    return np.clip(share * picture + levels, 0, 255).astype(np.uint8)


def moved(along_px: float, down_px: float) -> np.ndarray:
    """The camera moved by so much while it looked."""
    camera = replace(CAMERA, motion_px=(along_px, down_px))
    return Studio(camera, "wood", 0).shoot(sheets_of(LAYOUT))


def shaken(picture: np.ndarray) -> list[np.ndarray]:
    return [np.roll(picture, off, axis=(0, 1)) for off in ((0, 0), (2, -2), (-2, 1), (1, 2))]


def glare_over(picture: np.ndarray, share: float = 0.6, **spot: float) -> np.ndarray:
    return np.clip(share * picture + lamp_spot(**spot)[..., None], 0, 255).astype(np.uint8)


def lamp_spot(x_px: float = 640, y_px: float = 360, reach_px: float = 60) -> np.ndarray:
    y, x = np.mgrid[0:720, 0:1280]
    return 400 * np.exp(-((x - x_px) ** 2 + (y - y_px) ** 2) / (2 * reach_px**2))


def glared() -> np.ndarray:
    return glare_over(good())


def sized(share: float, *names: str) -> list[Sheet]:
    """The tokens, those of these names printed at a share of their size."""
    named = zip(LAYOUT, sheets_of(LAYOUT), strict=True)
    return [replace(s, width_mm=s.width_mm * (share if n in names else 1)) for n, s in named]


def printed_pale(*names: str, laid: Iterable[str] = TOKEN_NAMES) -> list[Sheet]:
    """The tokens laid, those of these names with black that is hardly darker than grey."""
    return reprinted(lambda image: (255 - 0.3 * (255 - image)).astype(np.uint8), names, laid)


def on_dark_paper(*names: str, share: float = 0.3) -> list[Sheet]:
    """The tokens, those of these names on paper with a share of white's levels."""
    return reprinted(lambda image: (share * image).astype(np.uint8), names, TOKEN_NAMES)


def reprinted(
    how: Callable[[np.ndarray], np.ndarray], names: Iterable[str], laid: Iterable[str]
) -> list[Sheet]:
    """The tokens laid, the prints of those of these names another way."""

    def printed(image: np.ndarray) -> np.ndarray:
        return np.concatenate([how(image[..., :3]), image[..., 3:]], axis=-1)

    sheets = zip(LAYOUT, sheets_of(LAYOUT), strict=True)
    return [replace(s, image=printed(s.image)) if n in names else s for n, s in sheets if n in laid]


def trimmed(*names: str) -> list[Sheet]:
    """The tokens, those of these names cut a millimetre into their black squares."""
    off = round(len(print_of(FIRST)) * 11 / TOKEN_MM)
    return [
        replace(s, image=s.image[off:-off, off:-off].copy(), width_mm=58.0) if n in names else s
        for n, s in zip(LAYOUT, sheets_of(LAYOUT), strict=True)
    ]


def curled(**rises_mm: float) -> list[Sheet]:
    """The tokens, some bowed up in their middles by so much."""
    bowed = {f"token-{name.replace('_', '-')}": mm for name, mm in rises_mm.items()}
    flat = (s for n, s in zip(LAYOUT, sheets_of(LAYOUT), strict=True) if n not in bowed)
    return [*flat, *(strip for name, mm in bowed.items() for strip in bowed_up(name, mm))]


def bowed_up(name: str, most_mm: float) -> list[Sheet]:
    """A token bowed up in its middle, as sixteen strips, each at its own height."""
    place, whole = LAYOUT[name], print_of(name)
    cos, sin = np.cos(np.radians(place.turn_deg)), np.sin(np.radians(place.turn_deg))
    strips = []
    for left, right in pairwise(np.linspace(0, whole.shape[1], 17).astype(int)):
        u = ((left + right) / 2 / whole.shape[1] - 0.5) * TOKEN_MM
        at = (place.x_mm + cos * u, place.y_mm + sin * u)
        width = (right - left) / whole.shape[1] * TOKEN_MM
        strip = np.ascontiguousarray(whole[:, left:right])
        rises_mm = most_mm * (1 - (2 * u / TOKEN_MM) ** 2)
        strips.append(Sheet(strip, width, at, place.turn_deg, height_mm=rises_mm))
    return strips


def covered(*names: str, layout: Layout = LAYOUT) -> list[Sheet]:
    """The pieces, and a card on each of these."""
    green = np.full((40, 40, 3), (90, 140, 60), np.uint8)
    over = (layout[name] for name in names)
    return [
        *sheets_of(layout),
        *(Sheet(green, 90.0, (place.x_mm, place.y_mm), 30.0, 1.0) for place in over),
    ]


def laid(*names: str) -> list[Sheet]:
    """These tokens; the others are not laid yet."""
    return sheets_of({name: LAYOUT[name] for name in names})


def lamp_on(sheets: list[Sheet], name: str, across_mm: float, off_mm: float = 0.0) -> np.ndarray:
    """A lamp mirrored in a token, so far to the right and down from its middle."""
    picture, place = shot(sheets), LAYOUT[name]
    middle = np.array((place.x_mm + off_mm, place.y_mm + off_mm))
    edge = middle + np.array((across_mm / 2, 0.0))
    (x, y), (edge_x, _) = CAMERA.to_px(np.array((middle, edge)))
    spot = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(spot, (round(x), round(y)), round(edge_x - x), 1.0, -1)
    light = cv2.GaussianBlur(spot, (0, 0), 4)[..., None]
    return (picture * (1 - light) + 255 * light).astype(np.uint8)


SKEW = {
    name: PiecePlace(x, y, 0.0)
    for name, (x, y) in zip(
        TOKEN_NAMES, ((-250, -160), (330, -60), (430, 270), (-150, 170)), strict=True
    )
}
"""Laid so far askew that the last corner lies beyond two sides of the picture."""
WITH_TRAY = LAYOUT | {TRAY.name: PiecePlace(0.0, 0.0, 5.0)}


def touched(away_mm: float, *, across: bool = False, grey: int | None = None) -> list[Sheet]:
    """A hand, a flat one of skin's colour (or something `grey`), with its edge so far from a token's middle:
    30 mm is its black square's side, 40 mm its paper's."""
    colour = (90, 140, 60) if grey is None else (grey, grey, grey)
    place, skin = LAYOUT[SECOND], np.full((200, 200, 3), colour, np.uint8)
    off = np.array((0.0, 1.0) if across else (1.0, 0.0)) * (45.0 + away_mm)
    at = (place.x_mm + off[0], place.y_mm + off[1])
    return [*sheets_of(LAYOUT), Sheet(skin, 90.0, at, place.turn_deg, 1.0)]


def aimed_aside(x_mm: float, y_mm: float) -> np.ndarray:
    x, y = CAMERA.aim_mm
    return photograph(sheets_of(LAYOUT), replace(CAMERA, aim_mm=(x + x_mm, y + y_mm)))


def elsewhere(layout: Layout = LAYOUT, **camera: Any) -> np.ndarray:
    """The table under another camera."""
    return photograph(sheets_of(layout), framed(replace(CAMERA, **camera), layout))


def turned_away_by(picture: np.ndarray, share: float) -> np.ndarray:
    """The picture of a camera that was turned by this share of its width, a wall beside the table."""
    off = round(share * picture.shape[1])
    return np.concatenate([picture[:, off:], np.full_like(picture[:, :off], 60)], axis=1)


def aimed_left() -> np.ndarray:
    x, y = CAMERA.aim_mm
    return photograph(sheets_of(LAYOUT), replace(CAMERA, aim_mm=(x - 240, y)))


WIDE = laid_by_eye(np.random.default_rng(1), 700, 420, tray=False)

REPORTS: dict[str, tuple[Callable[[], Any], str]] = {
    "a good table": (good, "ready: ready"),
    "through a mirror": (lambda: np.ascontiguousarray(good()[:, ::-1]), "blind: mirrored"),
    "the lens covered": (lambda: np.zeros_like(good()), "blind: dark"),
    "a grey wall": (lambda: np.full_like(good(), 90), "blind: blank"),
    "a bare table": (lambda: shot([]), "blind: no-tokens"),
    "two first tokens": (
        lambda: shot([*sheets_of(LAYOUT), Sheet(print_of(FIRST), TOKEN_MM, (0.0, 0.0))]),
        "poor: two-sets",
    ),
    "tokens changed over": (
        lambda: shot(sheets_of(LAYOUT | {FIRST: LAYOUT[SECOND], SECOND: LAYOUT[FIRST]})),
        "poor: swapped",
    ),
    "aimed too far left": (aimed_left, "part: token-hidden/2"),
    "the last corner beyond the picture": (lambda: aimed_aside(-110, 0), "playable: outside"),
    "turned away by a fifth": (lambda: turned_away_by(good(), 0.2), "part: token-hidden/2"),
    "beyond two sides of it": (lambda: shot(sheets_of(SKEW)), "playable: outside/2"),
    "a token on white paper beside grey ones": (
        lambda: shot(on_dark_paper(FIRST, SECOND, THIRD_TOKEN, share=0.5)),
        "ready: unlike",
    ),
    "a token on a telephone": (lambda: shot(sized(0.75, FIRST)), "playable: screen"),
    "a token at 95 %": (lambda: shot(sized(0.95, FIRST)), "ready: wrong-scale"),
    "all at 95 % beside cards": (lambda: shot(sized(0.95, *TOKEN_NAMES)), "ready: all-small"),
    "a token cut to the black": (lambda: shot(trimmed(FIRST)), "ready: trimmed"),
    "tokens cut to the black": (lambda: shot(trimmed(*TOKEN_NAMES)), "ready: trimmed/4"),
    "a bowed token": (lambda: shot(curled(bottom_right=5.0)), "ready: curled"),
    "bowed tokens": (
        lambda: shot(curled(bottom_right=5.0, top_left=12.0)),
        "ready: curled token-unread",
    ),
    "a token bowed beyond finding": (lambda: shot(curled(top_right=12.0)), "ready: token-unread"),
    "tokens bowed beyond finding": (
        lambda: shot(curled(bottom_right=12.0, top_left=12.0)),
        "part: token-unread/2",
    ),
    "three tokens printed pale": (
        lambda: shot(printed_pale(FIRST, SECOND, THIRD_TOKEN)),
        "ready: ready token-faint/3",
    ),
    "one of two printed pale": (
        lambda: shot(printed_pale(FIRST, laid=(FIRST, SECOND))),
        "part: token-hidden/2 token-faint",
    ),
    "three tokens on dark paper": (
        lambda: shot(on_dark_paper(FIRST, SECOND, THIRD_TOKEN)),
        "ready: unlike token-faint/3",
    ),
    "a token not laid yet": (lambda: shot(laid(FIRST, SECOND, LAST)), "ready: token-hidden"),
    "the bottom ones not laid yet": (lambda: shot(laid(FIRST, SECOND)), "part: token-hidden/2"),
    "the top ones not laid yet": (
        lambda: shot(laid(THIRD_TOKEN, LAST)),
        "part: token-hidden/2",
    ),
    "a card on a token": (lambda: shot(covered(SECOND)), "ready: token-hidden"),
    "books on the bottom tokens": (
        lambda: shot(covered(THIRD_TOKEN, LAST)),
        "part: token-hidden/2",
    ),
    "books on the right tokens": (
        lambda: shot(covered(SECOND, THIRD_TOKEN)),
        "part: token-hidden/2",
    ),
    "books on two opposite tokens": (
        lambda: shot(covered(FIRST, THIRD_TOKEN)),
        "part: token-hidden/2",
    ),
    "books on three tokens": (
        lambda: shot(covered(FIRST, THIRD_TOKEN, LAST)),
        "part: token-hidden/3",
    ),
    "books on all but the tray": (
        lambda: shot(covered(*TOKEN_NAMES, layout=WITH_TRAY)),
        "part: token-hidden/4",
    ),
    "a lamp on a token": (
        lambda: lamp_on(laid(*TOKEN_NAMES), THIRD_TOKEN, 60.0, 30.0),
        "ready: token-burnt",
    ),
    "a small lamp on it": (
        lambda: lamp_on(laid(*TOKEN_NAMES), FIRST, 16.0),
        "ready: token-hidden",
    ),
    "a lamp on one, a book on another": (
        lambda: lamp_on(covered(SECOND), THIRD_TOKEN, 60.0, 30.0),
        "playable: glare token-hidden/2",
    ),
    "a hand up to a token's black": (lambda: shot(touched(29.0)), "ready: token-hidden"),
    "a hand over its edge": (lambda: shot(touched(26.0)), "ready: token-hidden"),
    "a hand on its other side": (lambda: shot(touched(29.0, across=True)), "ready: token-hidden"),
    "a hand on its white": (lambda: shot(touched(35.0)), "ready: ready"),
    "the picture ends in a token": (lambda: aimed_aside(-60, 0), "ready: token-hidden"),
    "the picture ends behind it": (lambda: aimed_aside(-90, 0), "ready: token-hidden"),
    "a lamp": (glared, "playable: glare"),
    "a small lamp between places": (lambda: glare_over(good(), 1.0, x_px=694, y_px=381, reach_px=25), "playable: glare"),
    "at dusk": (lambda: lit(0.3), "ready: ready dim"),
    "by night": (lambda: lit(0.12), "patient: dim"),
    "burnt out white": (lambda: brighter(good(), 230), "poor: bright"),
    "so white that the tray is eaten": (
        lambda: brighter(shot(sheets_of(WITH_TRAY)), 230),
        "poor: bright",
    ),
    "so white that few tokens are found": (lambda: brighter(good(), 240), "poor: bright"),
    "nothing but white": (lambda: brighter(good(), 250), "poor: bright"),
    "white, the black half as light": (lambda: brighter(good(), 120), "poor: bright"),
    "bright, the black still black": (lambda: brighter(good(), 60), "playable: bright"),
    "a white cloth in the sun": (lambda: on_white_cloth(1.3), "poor: bright"),
    "a white cloth": (lambda: on_white_cloth(1.0), "ready: ready"),
    "out of focus": (lambda: soft(2.6), "poor: soft"),
    "a bright veil over little contrast": (lambda: veiled(good(), 0.2, 190), "patient: dirty"),
    "a brighter one": (lambda: veiled(good(), 0.15, 200), "patient: dirty"),
    "moved along": (lambda: moved(4.0, 0.0), "patient: soft"),
    "moved across": (lambda: moved(4.0, 4.0), "poor: soft"),
    "a dark card on its white": (lambda: shot(touched(32.0, grey=30)), "ready: ready"),
    "a breathed-on lens": (
        lambda: cv2.addWeighted(good(), 0.4, np.full_like(good(), 255), 0.5, 0),
        "ready: ready dirty",
    ),
    "a shaking camera": (lambda: shaken(good()), "ready: ready shaky"),
    "a flickering lamp": (lambda: [good(), lit(0.85), good(), lit(0.85)], "ready: ready flicker"),
    "from the side": (lambda: elsewhere(WIDE, tilt_deg=58), "poor: steep"),
    "from far": (
        lambda: photograph(
            sheets_of(LAYOUT), replace(CAMERA, distance_mm=2 * CAMERA.distance_mm)
        ),
        "patient: nearer",
    ),
    "a small camera, a large table": (
        lambda: elsewhere(WIDE, width_px=800, height_px=450, focal_px=590, tilt_deg=4),
        "patient: smaller-table",
    ),
    "a tiny camera, a large table": (
        lambda: elsewhere(WIDE, width_px=320, height_px=180, focal_px=236, tilt_deg=4),
        "poor: more-pixels",
    ),
}  # fmt: skip
"""Scene: its pictures; the headline, the advice, and what is said beside it, each with of how many
pieces it is said, where there are several."""

CODES_BESIDE = ("all at 95 % beside cards",)


@cache
def report_for(scene: str) -> dict[str, Any]:
    shown = REPORTS[scene][0]()
    code = np.array([(-9, -9), (9, -9), (9, 9), (-9, 9)])
    lie = ((-90.0, 0.0), (0.0, 40.0), (90.0, -30.0), (0.0, -60.0))
    codes = [CAMERA.to_px(code + at) for at in lie] if scene in CODES_BESIDE else []
    survey = Survey()
    for picture in shown if isinstance(shown, list) else [shown]:
        survey.add_picture(picture, codes)
    return report_of(survey)


def said_in_report(scene: str) -> tuple[str, str, set[str]]:
    report = report_for(scene)
    told = {(problem["key"], problem["params"].get("n", 1)) for problem in report["problems"]}
    advice = (report["advice_key"], report["params"].get("n", 1))
    beside = {numbered(*one) for one in told - {advice}}
    return report["verdict"], numbered(*advice), beside


def said_of(text: str) -> list[str]:
    """A scene's advice and what is said beside it."""
    return text.partition(": ")[2].split()


def numbered(key: str, n: int) -> str:
    return key if n == 1 else f"{key}/{n}"


@pytest.mark.parametrize("scene", REPORTS)
def test_the_report_says_what_is_so_and_nothing_else(scene: str) -> None:
    """The headline, the one advice, and the smaller ones below it."""
    verdict, _, words = REPORTS[scene][1].partition(": ")
    advice, *beside = words.split()
    assert said_in_report(scene) == (verdict, advice, set(beside))


COUNTED = {
    "ready": lambda n, of: n == of,
    "part": lambda n, of: n == of,
    "playable": lambda n, of: 0.8 * of <= n < of,
    "patient": lambda n, of: n < 0.8 * of,
    "poor": lambda n, of: n < 0.8 * of,
}
"""What each headline says of `n` of so many places that read at once."""


@pytest.mark.parametrize("scene", REPORTS)
def test_the_headline_agrees_with_the_number_beside_it(scene: str) -> None:
    """All places, all but a few, not many; where nothing can be told of them, no number stands there and
    none is drawn. Those that are drawn as reading are those that are counted."""
    report = report_for(scene)
    counted, drawn = report["read_at_once"], report["places"]
    if counted is None:
        assert report["verdict"] in ("poor", "blind")
        assert drawn == []
        return
    assert COUNTED[report["verdict"]](counted["n"], counted["all"])
    assert sum(place["reads"] == "yes" for place in drawn) == counted["n"]
    assert len(drawn) <= counted["all"]


def test_a_lamp_between_places_costs_the_one_beside_it() -> None:
    """A card on any place of the map would be read; one that lies in the lamp would not."""
    report = report_for("a small lamp between places")
    assert {spot["verdict"] for spot in report["map"]} == {"green"}
    assert report["read_at_once"] == {"n": 44, "all": 45}
    (weak,) = (place for place in report["places"] if place["reads"] != "yes")
    assert np.hypot(weak["x"] * 1280 - 694, weak["y"] * 720 - 381) < 100


def test_one_and_several_tokens_have_their_pictures() -> None:
    """Of each sentence that has forms: what is said of one is not said of several."""
    said = {key for _, text in REPORTS.values() for key in said_of(text)}
    counted = {key for key, told in catalogue("en").items() if isinstance(told, dict)}
    with_one = {f"advice.{key}" for key in said if "/" not in key}
    with_several = {f"advice.{key.partition('/')[0]}" for key in said if "/" in key}
    assert counted - {"set_up.tokens"} == with_several
    assert with_several <= with_one


# --- the set-up's ticks: tokens, places, the card that was slid over them

TOKENS_SEEN: dict[str, tuple[Callable[[], np.ndarray], int]] = {
    "all four": (good, 4),
    "two, the others not laid yet": (lambda: shot(laid(FIRST, SECOND)), 2),
    "two opposite ones under books": (lambda: shot(covered(FIRST, THIRD_TOKEN)), 2),
    "one in a lamp's glare": (lambda: lamp_on(laid(*TOKEN_NAMES), THIRD_TOKEN, 60.0, 30.0), 3),
    "one under a card": (lambda: shot(covered(SECOND)), 3),
    "all under cards, the tray open": (
        lambda: shot(covered(*TOKEN_NAMES, layout=WITH_TRAY)),
        0,
    ),
    "none": (lambda: shot([]), 0),
    "all, and the lens covered": (lambda: np.zeros_like(good()), 0),
}


@pytest.mark.parametrize("scene", TOKENS_SEEN)
def test_as_many_tokens_are_ticked_as_are_seen(scene: str) -> None:
    """Those that lie open in the picture, not those that are known from before."""
    shown, count = TOKENS_SEEN[scene]
    survey = Survey()
    survey.add_picture(shown())
    assert sum(token["seen"] for token in report_of(survey)["tokens"]) == count


def codes_read(picture: np.ndarray) -> dict[int, Any]:
    """The cards that the reader reads in a picture of this table."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return dict(Reader().read_codes(grey, plane_of(CAMERA, LAYOUT)).cards)


def places_of(picture: np.ndarray) -> list[dict[str, Any]]:
    """The report's places for a picture in which lies what the reader reads there."""
    survey = Survey()
    survey.add_picture(
        picture, [np.array(code.corners_px) for code in codes_read(picture).values()]
    )
    return list(report_of(survey)["places"])


def with_code_at(place: dict[str, Any]) -> np.ndarray:
    """The table with a card whose code lies at a place of the picture (to 4 mm)."""
    mm = np.stack(np.meshgrid(np.arange(-320, 321, 4.0), np.arange(-220, 221, 4.0)), -1)
    off = CAMERA.to_px(mm.reshape(-1, 2)) - np.array((place["x"] * 1280, place["y"] * 720))
    x, y = mm.reshape(-1, 2)[np.hypot(*off.T).argmin()]
    return shot([*sheets_of(LAYOUT), *faces(c5=(x, y - MarkerPlace().centre_mm[1]))])


SIGHT: dict[str, tuple[Callable[[np.ndarray], np.ndarray], set[str]]] = {
    "by day": (lambda picture: picture, {"yes"}),
    "by night": (lambda picture: (picture * 0.12).astype(np.uint8), {"yes", "sometimes"}),
    "under a lamp": (glare_over, {"yes", "no"}),
    "out of focus": (lambda picture: cv2.GaussianBlur(picture, (0, 0), 2.6), {"no"}),
}


@pytest.mark.parametrize("scene", SIGHT)
def test_a_place_that_is_said_to_read_reads_and_one_that_is_not_does_not(scene: str) -> None:
    """A card is laid at every eighth place that is said to read, and at the middlemost of those that
    are said not to."""
    sight, said = SIGHT[scene]
    places = places_of(sight(good()))
    assert {place["reads"] for place in places} == said
    by_middle = sorted(places, key=lambda place: np.hypot(place["x"] - 0.5, place["y"] - 0.5))
    for key, reads in (("yes", True), ("no", False)):
        of_key = [place for place in by_middle if place["reads"] == key]
        for place in of_key[:1] if key == "no" else of_key[::8]:
            assert (5 in codes_read(sight(with_code_at(place)))) == reads, (key, place)


def test_a_card_was_tried_only_where_it_was_read() -> None:
    """Nothing while none lies there; where cards lie, the places next to their codes."""
    assert not any(place["read"] for place in places_of(good()))
    codes = [np.mean(code.corners_px, axis=0) for code in codes_read(dealt()).values()]
    tried = [place for place in places_of(dealt()) if place["read"]]
    assert len(tried) == len(codes) == len(CARDS_AT)
    for place in tried:
        off = [np.hypot(place["x"] * 1280 - x, place["y"] * 720 - y) for x, y in codes]
        assert min(off) < PROVES_REACH_SHARE * 1280


# --- how it compares with last time


def plane_of(camera: CameraModel, layout: Layout) -> Plane:
    return fit_plane(true_tags(camera, layout), (camera.width_px, camera.height_px))


LARGER = framed(CameraModel(1920, 1080, 1400, tilt_deg=18), LAYOUT)
MOVED = LAYOUT | {SECOND: PiecePlace(400.0, -160.0, 0.0)}
TWO_LEFT = {name: LAYOUT[name] for name in TOKEN_NAMES[:2]}
LAST_TIME = {
    "same": ("Desk", CAMERA, LAYOUT),
    "camera": ("Phone", CAMERA, LAYOUT),
    "mode": ("Desk", LARGER, LAYOUT),
    "few": ("Desk", CAMERA, TWO_LEFT),
    "stands": ("Desk", replace(CAMERA, azimuth_deg=6.0), LAYOUT),
    "tokens": ("Desk", CAMERA, MOVED),
}


@pytest.mark.parametrize("key", LAST_TIME)
def test_what_has_changed_since_last_time_is_so(key: str) -> None:
    """The same to the pixel, another camera, another size, tokens gone, camera or tokens moved."""
    name, camera, layout = LAST_TIME[key]
    kept = Profile("Desk", "yesterday", plane_of(CAMERA, LAYOUT), "ready")
    assert compare_with_profile(kept, name, plane_of(camera, layout)).key == key


# --- the camera's own notices: what the eye sees in a few pictures, and what lasts of it

CARDS_AT = {3: (-120.0, 40.0), 7: (0.0, 0.0), 12: (120.0, -30.0), 40: (10.0, 95.0)}


def faces(deck: str = DECKS[0], **at: tuple[float, float]) -> list[Sheet]:
    named = {int(name[1:]): place for name, place in at.items()}
    return [Sheet(face_rgba(card, deck=deck, dpi=100), 85.0, xy) for card, xy in named.items()]


@cache
def dealt() -> np.ndarray:
    return shot([*sheets_of(LAYOUT), *faces(**{f"c{card}": at for card, at in CARDS_AT.items()})])


def beside(more: list[Sheet]) -> np.ndarray:
    lie = faces(**{f"c{card}": at for card, at in CARDS_AT.items()})
    return shot([*sheets_of(LAYOUT), *lie, *more])


def grainy(picture: np.ndarray, count: int, seed: int = 1) -> list[np.ndarray]:
    """So many pictures of the same thing, each with a sensor's grain."""
    rng = np.random.default_rng(seed)
    grains = (rng.integers(-2, 3, picture.shape, np.int16) for _ in range(count))
    return [np.clip(picture + grain, 0, 255).astype(np.uint8) for grain in grains]


NOTICES: dict[str, tuple[Callable[[], list[np.ndarray]], set[str]]] = {
    "cards lie there": (lambda: grainy(dealt(), 3), set()),
    "one lies there twice": (
        lambda: grainy(beside(faces(c7=(-110.0, -75.0))), 6),
        {"notice.twice:7"},
    ),
    "one of another deck": (
        lambda: grainy(beside(faces(DECKS[1], c9=(-110.0, -75.0))), 6),
        {"notice.foreign"},
    ),
    "through a mirror": (
        lambda: grainy(np.ascontiguousarray(dealt()[:, ::-1]), 6),
        {"notice.mirrored"},
    ),
    "the light goes out": (
        lambda: [*grainy(dealt(), 3), *grainy(np.zeros_like(dealt()), 2)],
        {"notice.dark"},
    ),
    "the light is dimmed": (
        lambda: [*grainy(dealt(), 3), *grainy((dealt() * 0.12).astype(np.uint8), 2)],
        {"notice.dark"},
    ),
    "a lamp shines into it": (
        lambda: [*grainy(dealt(), 3), *grainy(cv2.add(dealt(), (120, 120, 120, 0)), 2)],
        {"notice.bright"},
    ),
    "it burns out": (
        lambda: [*grainy(dealt(), 3), *grainy(np.full_like(dealt(), 255), 2)],
        {"notice.bright"},
    ),
    "mirroring is switched on": (
        lambda: [*grainy(dealt(), 6), *grainy(np.ascontiguousarray(dealt()[:, ::-1]), 6)],
        {"notice.mirrored"},
    ),
    "all tokens are covered": (
        lambda: [*grainy(good(), 6), *grainy(shot(covered(*TOKEN_NAMES)), 3)],
        set(),
    ),
    "a wall in view": (lambda: [*grainy(good(), 6), *grainy(shot([]), 3)], set()),
    "the focus goes a little": (
        lambda: [*grainy(dealt(), 3), *grainy(cv2.GaussianBlur(dealt(), (0, 0), 2), 2)],
        {"notice.blurred"},
    ),
    "the focus goes": (
        lambda: [*grainy(dealt(), 3), *grainy(cv2.GaussianBlur(dealt(), (0, 0), 9), 2)],
        {"notice.blurred"},
    ),
    "the camera is pushed": (
        lambda: [*grainy(dealt(), 4), *grainy(np.roll(dealt(), (9, 23), (0, 1)), 3)],
        {"notice.bumped"},
    ),
    "the picture hangs": (
        lambda: [*grainy(dealt(), 7), *[grainy(dealt(), 1, 9)[0]] * 5],
        {"notice.frozen"},
    ),
    "a picture of nothing": (
        lambda: [*grainy(dealt(), 2), np.zeros((4, 4, 3), np.uint8)],
        {"notice.odd_picture"},
    ),
}


EVERY_S = 0.4
"""Six pictures are two seconds: so long until a still table is searched once more."""


class Unveiled:
    """A session before its evening: nothing is secret, and no score is kept."""

    attention = NOTHING_GONE
    curtain_open = True
    is_played = False

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        return raw.uncurtained

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        pass

    def finish_footage(self, t_s: float, offset_s: float) -> None:
        pass

    def camera_changed(self) -> None:
        pass


def watched(pictures: list[np.ndarray]) -> FrameWatch:
    """What is known after these pictures; the first ones are those that a table is learnt from."""
    frames = FrameWatch(Eye(), lambda: 0.0)
    for number, picture in enumerate(pictures):
        frames.watch_frame(Frame(picture, EVERY_S * number, number), Unveiled())
    return frames


@pytest.mark.parametrize("scene", NOTICES)
def test_a_notice_is_so(scene: str) -> None:
    """What the camera itself sees wrong, and nothing else."""
    pictures, said = NOTICES[scene]
    last = watched(pictures()).last_seen
    assert {f"notice.{key}" for key in last.notices} == said


# --- what the referee says of the table

TOLD: dict[str, tuple[Callable[[], Evening], str]] = {
    "a cup on a card": (
        lambda: at_tray().lie(8, FIVE, shown={20: PlaceState.OTHER}),
        "covered",
    ),
    "four of five": (lambda: tray().lie(6, FIVE[:4]), "expected_seen"),
    "one taken before all lay": (
        lambda: tray().lie(2, (*FIVE[:4], None)).lie(5, (10, 20, None, 40, None)),
        "early",
    ),
    "a deal that went unseen": (
        lambda: tray().lie(2, FIVE).lie(0.6, (*FIVE, 60)).lie(5, BARE),
        "missed_round",
    ),
    "a won card lies there": (
        lambda: at_tray().lie(7, BARE).lie(6, FIVE_MORE).lie(7, BARE).lie(6, (10, *THIRD[:4])),
        "already_won expected_seen",
    ),
    "a plain game": (lambda: at_tray(), ""),
}


def tray() -> Evening:
    return Evening("tray", tray=True)


def at_tray() -> Evening:
    return tray().lie(6, FIVE)


@pytest.mark.parametrize("scene", TOLD)
def test_what_is_told_of_the_table_is_so(scene: str) -> None:
    """Told of glimpses, which are what is left of pictures."""
    laid, said = TOLD[scene]
    assert {key for key, _ in laid().said} == set(said.split())


# --- the camera's state

STATES: dict[str, tuple[CameraState, str]] = {
    "the table in view": (CameraState("live", "Desk"), "live"),
    "a wall in view": (CameraState("live", "Desk", sees_table=False), "searching"),
    "a wall in view, in secret": (
        CameraState("live", "Desk", secret=True, sees_table=False),
        "searching",
    ),
    "not a picture yet": (CameraState("searching", "Desk", sees_table=False), "searching"),
    "waiting for a phone": (CameraState("stopped", "Phone", waiting=True), "waiting"),
    "gone": (CameraState("stopped", "Desk"), "stopped"),
    "switched off": (CameraState("off", "Desk"), "off"),
    "a film at its end": (CameraState("ended", "Film"), "off"),
    "cards looked at in secret": (CameraState("live", "Desk", secret=True), "closed"),
    "the practice table": (CameraState("live", "Practice", practice=True), "practice"),
    "its first picture": (CameraState("searching", "Practice", practice=True), "practice"),
}


@pytest.mark.parametrize("scene", STATES)
def test_the_camera_s_state_is_so(scene: str) -> None:
    """ "Camera sees the table" is said only where it does."""
    state, shown = STATES[scene]
    assert state.shown == shown


@pytest.mark.parametrize("shows", ["black", "still", ""])
def test_what_a_camera_shows_is_told_only_while_it_is_stopped(shows: str) -> None:
    """Of one that is live again, switched off, or waits for a phone nothing is left of it."""
    for state, waiting in (("stopped", False), ("stopped", True), ("live", False), ("off", False)):
        camera = CameraState(state, "Desk", waiting=waiting, shows=shows)
        told = view_of(LastSeen(), camera, False).camera["shows"]
        assert told == (shows if (state, waiting) == ("stopped", False) else "")


def test_once_the_practice_game_is_over_no_screen_says_that_one_plays() -> None:
    """Nor is there a camera to be switched on again: people play on by touch, as without one."""
    playing = view_of(LastSeen(), CameraState("live", "Practice", practice=True), False)
    over = view_of(LastSeen(), CameraState("ended", "Practice", practice=True), False)
    assert (playing.practice, playing.practice_over) == (True, False)
    assert (over.practice, over.practice_over) == (False, True)
    assert (over.camera["state"], over.camera["name"]) == ("off", "")


def turned_away(pictures: list[np.ndarray]) -> list[bool]:
    """Whether the table is seen, after a table was learnt and then at each of these pictures."""
    frames = FrameWatch(Eye(), lambda: 0.0)
    said = []
    for number, picture in enumerate([*grainy(good(), 8), *pictures]):
        frames.watch_frame(Frame(picture, EVERY_S * number, number), Unveiled())
        said.append(frames.last_seen.sees_table)
    assert all(said[1:8])
    return said[8:]


def test_a_camera_that_is_turned_away_does_not_see_the_table() -> None:
    """At a wall it is said no more after some seconds, and again once the tokens are there."""
    pictures = round(TABLE_GONE_S / EVERY_S)
    away = turned_away([*grainy(shot([]), pictures + 2), *grainy(good(), 2)])
    assert away[0]
    assert not away[pictures]
    assert away[-1]


def test_a_table_whose_tokens_lie_under_cards_is_seen_by_its_cards() -> None:
    """All four tokens are covered for long, cards lie there and are read: the table is in view."""
    over = [
        Sheet(np.full((40, 40, 3), (90, 140, 60), np.uint8), 90.0, (p.x_mm, p.y_mm), 0.0, 1.0)
        for p in LAYOUT.values()
    ]
    pictures = round(TABLE_GONE_S / EVERY_S) + 2
    assert all(turned_away(grainy(beside(over), pictures)))


def test_the_table_is_seen_only_in_a_picture_of_it() -> None:
    """In a bare table's picture there is none yet; with the tokens there is."""
    assert not watched(grainy(shot([]), 2)).last_seen.sees_table
    assert watched(grainy(good(), 2)).last_seen.sees_table


def test_a_pile_is_counted_only_where_there_is_a_table_or_a_card() -> None:
    """Nothing lies on an empty table; of a wall nobody knows anything."""
    assert watched(grainy(dealt(), 3)).in_view() == frozenset(CARDS_AT)
    assert watched(grainy(good(), 3)).in_view() == frozenset()
    assert watched(grainy(shot([]), 3)).in_view() is None


# --- the lessons: the backs of bought cards, and the expert's lens


def coloured(seed: int = 8) -> Sheet:
    rng = np.random.default_rng(seed)
    small = rng.uniform(30, 225, (5, 5, 3)).astype(np.float32)
    art = np.clip(cv2.resize(small, (400, 400), interpolation=cv2.INTER_CUBIC), 0, 255)
    y, x = np.mgrid[:400, :400] - 199.5
    disc = np.dstack([art, 255 * (np.hypot(x, y) < 200)]).astype(np.uint8)
    return Sheet(disc, 85.0, (-60.0, 40.0))


def like_table() -> Sheet:
    """A disc of the table's own wood, a little darker."""
    x, y = (round(float(v)) for v in CAMERA.to_px(np.array([[-60.0, 40.0]]))[0])
    wood = cv2.resize(0.7 * shot([])[y - 80 : y + 80, x - 80 : x + 80], (400, 400))
    disc = np.dstack([wood, coloured().image[..., 3].astype(float)]).astype(np.uint8)
    return replace(coloured(), image=disc)


def with_back(*cards: Sheet) -> np.ndarray:
    return shot([*sheets_of(LAYOUT), *cards])


LESSONS: dict[str, tuple[Callable[[], np.ndarray | None], str]] = {
    "a back": (lambda: with_back(coloured()), ""),
    "no picture": (lambda: None, "no_picture"),
    "no tokens": (lambda: shot([coloured()]), "no_table"),
    "no card": (lambda: with_back(), "no_card"),
    "two cards": (
        lambda: with_back(coloured(), replace(coloured(), centre_mm=(120.0, -30.0))),
        "many_cards",
    ),
    "a face": (lambda: with_back(*faces(c7=(-60.0, 40.0))), "face_up"),
    "our own back": (
        lambda: with_back(Sheet(back_rgba(dpi=100), 85.0, (-60.0, 40.0))),
        "printed",
    ),
    "at night": (lambda: (with_back(coloured()) * 0.09).astype(np.uint8), "too_dark"),
    "a back like the table": (lambda: with_back(like_table()), "like_table"),
    "under a lamp": (
        lambda: np.clip(with_back(coloured()) * 2.5, 0, 255).astype(np.uint8),
        "too_bright",
    ),
}


@pytest.mark.parametrize("scene", LESSONS)
def test_a_lesson_says_what_is_so(scene: str) -> None:
    """What keeps a back from being learnt; of a good picture nothing."""
    shown, why = LESSONS[scene]
    picture = shown()
    plane = None if scene in ("no picture", "no tokens") else plane_of(CAMERA, LAYOUT)
    assert learn_lone_back(picture, plane, Reader(), Eye().place).why == why


LENS_WHY = ["no_sheet", "moving", "taken", "same", "enough", "anew"]


def test_the_lens_lesson_says_what_is_so(monkeypatch: Any) -> None:
    """No sheet; seen, but was it still?; taken; taken already; enough; anew."""
    width_mm = lens_target.COLUMNS * lens_target.SQUARE_MM
    sheet = Sheet(pixels.paint(lens_target.design(), 150), width_mm, (0.0, 0.0), 20.0, 0.0)
    view = photograph([sheet], CameraModel(1280, 720, 950.0, distance_mm=420, tilt_deg=25))
    wizard = LensWizard()
    said = [wizard.take_view(picture)["why"] for picture in (shot([]), view, view, view)]
    monkeypatch.setattr(lens_wizard, "MOST_VIEWS", 1)
    said += [wizard.take_view(view)["why"], wizard.begin_anew()["why"]]
    assert said == LENS_WHY


# --- none is missing

LEGEND = {"yes": "reads", "sometimes": "some", "no": "no"}
"""What a place reads, and its word on the page: `SIGHT` has each of them."""

HEADER = {f"camera_{one}" for one in ("stopped", "black", "still", "searching", "waiting")} | {
    "stopped"
}
"""The header's notices that repeat the camera's state."""

ELSEWHERE = {
    "notice.one_twice": test_curtain.test_no_number_passes_while_a_card_is_missing,
    "notice.readers_differ": test_consensus.test_readers_that_differ_are_both_dropped,
    "deck.dim": test_deck_check.test_the_deck_is_said_to_read_weakly_only_where_it_does,
    "piles.blind": test_piles.test_a_camera_that_gives_no_picture_counts_nothing,
    "print.advice": test_printing.test_a_marker_of_the_size_that_is_advised_reads_at_once,
    "print.enough": test_printing.test_the_usual_marker_is_enough_near_by_and_none_is_from_afar,
    "print.too_far": test_printing.test_the_usual_marker_is_enough_near_by_and_none_is_from_afar,
    "stills.legend": test_stills.test_each_thing_believed_is_drawn_as_the_legend_says,
    "notice.picture_differs": test_naming.test_a_code_that_is_read_outranks_the_picture_and_the_contradiction_is_said_once,
}
"""Held by another test."""


def test_every_sentence_about_the_camera_has_its_picture() -> None:
    """The catalogues' sentences are those of the scenes, neither more nor fewer."""
    words = [text for _, text in REPORTS.values()]
    said = {f"calibration.{text.split(':')[0]}" for text in words}
    said |= {f"advice.{key.partition('/')[0]}" for text in words for key in said_of(text)}
    said |= {f"last.{key}" for key in LAST_TIME}
    said |= {key.split(":")[0] for _, keys in NOTICES.values() for key in keys}
    said |= {f"notice.{key}" for _, keys in TOLD.values() for key in keys.split()}
    said |= {f"notice.{key}" for key in HEADER}
    said |= {f"camera.{shown}" for _, shown in STATES.values()}
    said |= {f"camera.{shows}" for shows in DOES if shows}
    said |= {f"refused.back_{why}" for _, why in LESSONS.values() if why}
    said |= {f"expert.why.{why}" for why in LENS_WHY}
    said |= {f"calibration.{key}" for key in LEGEND.values()}
    said |= {f"set_up.{key}" for key in ("tokens", "places", "try", "tried")}
    kept = {key for key in page_words("en") if any(re.match(one, key) for one in FAMILIES)}
    assert said | set(ELSEWHERE) == kept - NO_PICTURE_TELLS
