"""The tablet's colours and words, measured from the files the page uses."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path

import pytest

from calibration.check.sentences import LANGUAGES, catalogue
from companion.web.views.page_files import page_words

WEB = Path(__file__).parents[3] / "companion" / "web"
CSS = (WEB / "static" / "base.css").read_text(encoding="utf-8")
SCRIPTS = {p.name: p.read_text(encoding="utf-8") for p in (WEB / "static").rglob("*.js")}
WORDS = {language: page_words(language) for language in LANGUAGES}

Colour = tuple[float, float, float]


def theme(selector: str) -> dict[str, str]:
    block = re.search(re.escape(selector) + r"\s*\{(.*?)\}", CSS, re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+): (#[0-9A-Fa-f]{6})", block[1]))


THEMES = {"night": theme("  :root:not(.day),\n  .night"), "day": theme(":root,\n.day")}


def linear(colour: str) -> Colour:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return r, g, b


def contrast(one: str, other: str) -> float:
    lights = [
        sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True))
        for c in (one, other)
    ]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


# Machado, Oliveira and Fernandes 2009, full strength, on linear RGB.
SIGHT: dict[str, tuple[Colour, Colour, Colour]] = {
    "plain": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def oklab(colour: Colour) -> Colour:
    r, g, b = (max(0.0, p) for p in colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def seen(colour: str, sight: str) -> Colour:
    rgb = linear(colour)
    r, g, b = (sum(m * p for m, p in zip(row, rgb, strict=True)) for row in SIGHT[sight])
    return oklab((r, g, b))


@pytest.mark.parametrize("name", list(THEMES))
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("ink", "page", 7),
        ("ink", "wall", 7),
        ("soft", "page", 4.5),
        ("soft", "wall", 4.5),
        ("line", "page", 3),
        ("line", "wall", 3),
        ("sun-ink", "sun", 7),
        ("sun-edge", "wall", 3),
        ("card-ink", "card", 7),
        ("card-soft", "card", 4.5),
        ("card-line", "card", 3),
    ],
)
def test_text_and_lines_are_readable(name: str, ink: str, ground: str, least: float) -> None:
    """Text has 4.5 to 1 at least, headlines 7, lines that carry meaning 3; by day and by night."""
    assert contrast(THEMES[name][ink], THEMES[name][ground]) >= least


@pytest.mark.parametrize("name", list(THEMES))
def test_every_player_stands_out_from_rim_and_page_and_carries_a_readable_initial(
    name: str,
) -> None:
    """Each of the eight colours: 4 to 1 on rim and page, the initial on it 4.5."""
    colours = THEMES[name]
    for i in range(8):
        assert min(contrast(colours[f"p{i}"], colours[ground]) for ground in ("wall", "page")) >= 4
        assert contrast(colours["initial"], colours[f"p{i}"]) >= 4.5


@pytest.mark.parametrize("sight", list(SIGHT))
@pytest.mark.parametrize(("name", "floor"), [("night", 0.08), ("day", 0.055)])
def test_no_two_players_look_alike_to_any_eye(name: str, floor: float, sight: str) -> None:
    """The 28 pairs keep their distance for full colour sight and for the three kinds of colour
    blindness."""
    colours = [seen(THEMES[name][f"p{i}"], sight) for i in range(8)]
    assert min(math.dist(one, other) for one, other in itertools.combinations(colours, 2)) >= floor


def sentences(value: str | dict[str, str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value.values())


def test_no_language_lacks_a_sentence() -> None:
    """English, German and Czech have the same keys; Czech forms are complete; nothing is empty."""
    assert set(WORDS) == {"en", "de", "cs"}
    assert set(WORDS["en"]) == set(WORDS["de"]) == set(WORDS["cs"])
    for language, words in WORDS.items():
        forms = {"one", "few", "other"} if language == "cs" else {"one", "other"}
        for key, value in words.items():
            assert all(text.strip() for text in sentences(value)), key
            assert isinstance(value, str) or set(value) == forms, (language, key)


def test_every_sentence_has_one_home() -> None:
    """What calibration says lies with calibration, and nowhere else."""
    for path in (WEB / "translations").glob("*.json"):
        assert not set(json.loads(path.read_text(encoding="utf-8"))) & set(catalogue(path.stem))


def test_no_sentence_names_a_value_that_english_does_not() -> None:
    """A placeholder in a translation is one the page fills in."""
    for key, value in WORDS["en"].items():
        known = {name for text in sentences(value) for name in re.findall(r"\{(\w+)\}", text)} | {
            "n",
            "from",
            "to",
            "name",
        }
        for language in ("de", "cs"):
            asked = {
                name
                for text in sentences(WORDS[language][key])
                for name in re.findall(r"\{(\w+)\}", text)
            }
            assert asked <= known, (language, key)


def test_every_word_the_page_asks_for_exists() -> None:
    """Each key written out in a script is in the catalogue."""
    asked = {
        key for text in SCRIPTS.values() for key in re.findall(r"\b(?:t|say)\(\"([\w.-]+)\"", text)
    }
    assert asked - set(WORDS["en"]) == {key for key in asked if key.endswith(".")}
    assert len(asked) > 100


def test_the_words_are_spoken_calmly() -> None:
    """No exclamation mark, no "error", no "please", in any language."""
    for words in WORDS.values():
        for value in words.values():
            for text in sentences(value):
                assert not re.search(
                    r"!|\ban error|\bplease\b|\bbitte\b|\bprosím|\bFehler\b|\bchyba\b",
                    text,
                    re.IGNORECASE,
                ), text


def test_no_flag_and_no_command_stands_on_a_screen() -> None:
    """Whoever reads a tablet has no terminal before them."""
    typed = re.compile(
        r"(?<!\w)--?[a-z]{2,}|[“„`]companion\b|\bcompanion (?:play|practice|doctor)\b"
    )
    for language, words in WORDS.items():
        found = [
            key
            for key, value in words.items()
            if typed.search(json.dumps(value, ensure_ascii=False))
        ]
        assert found == [], (language, found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_that_counts_is_not_said_to_be_struck_out(language: str) -> None:
    """The row that strikes it out says what can be done, not what is so."""
    denied = r"\b(not|nicht|neplatí|nepočítá)\b"
    assert not re.search(denied, WORDS[language]["more.void"])
    assert re.search(denied, WORDS[language]["result.void"])


def test_no_text_ever_becomes_markup() -> None:
    """Only the sentence for browsers without modules is written as markup; it holds no name."""
    assert [
        name
        for name, code in SCRIPTS.items()
        if re.search("innerHTML|outerHTML|insertAdjacent|document.write", code)
    ] == ["old_browser.js"]
