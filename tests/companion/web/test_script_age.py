"""The page on a browser of 2018: every script parses as the JavaScript of then, every newer style
has an older one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import esprima
import pytest

STATIC = Path(__file__).parents[3] / "companion" / "web" / "static"


def texts(suffix: str) -> dict[str, str]:
    """Each of the page's files of this kind by its path below the static folder."""
    return {
        file.relative_to(STATIC).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(STATIC.rglob(f"*.{suffix}"))
    }


SCRIPTS = texts("js")
STYLES = texts("css")

NEWER_NAMES = {
    "replaceAll", "flat", "flatMap", "at", "fromEntries", "allSettled", "any", "matchAll", "replaceChildren", "structuredClone",
    "trimStart", "trimEnd", "hasOwn", "findLast", "toSorted", "toReversed", "randomUUID", "showModal",
    "requestVideoFrameCallback",
}  # fmt: skip
"""Methods that browsers of 2018 lack. `Intl.Segmenter` and `wakeLock` are asked for first, with
another way beside."""

NEWER_GLOBALS = {
    "structuredClone",
    "BigInt",
    "WeakRef",
    "ResizeObserver",
    "AbortController",
    "queueMicrotask",
}


def nodes(tree: Any) -> Iterator[Any]:
    """Every node of a parsed script."""
    if isinstance(tree, list):
        for one in tree:
            yield from nodes(one)
    elif hasattr(tree, "type"):
        yield tree
        for value in vars(tree).values():
            if isinstance(value, list) or hasattr(value, "type"):
                yield from nodes(value)


@pytest.mark.parametrize("name", list(SCRIPTS))
def test_every_script_is_javascript_of_2018(name: str) -> None:
    """A parser that stopped at ECMAScript 2017 reads each script, and none calls a built-in that
    came later."""
    tree = esprima.parseModule(SCRIPTS[name])
    calls = [n.callee for n in nodes(tree.body) if n.type in ("NewExpression", "CallExpression")]
    called = {callee.property.name for callee in calls if callee.type == "MemberExpression"}
    assert not called & NEWER_NAMES
    assert not {callee.name for callee in calls if callee.type == "Identifier"} & NEWER_GLOBALS


@pytest.mark.parametrize(
    "newer",
    ["a?.b", "a ?? b", "class A { x = 1 }", "a ||= 1", "try {} catch {}", "1_000", "/(?<n>a)/"],
)
def test_the_parser_refuses_what_came_later(newer: str) -> None:
    """The parser is no parser of today: each of these stops it."""
    with pytest.raises(esprima.Error):
        esprima.parseModule(newer)


@pytest.mark.parametrize("name", ["first_paint.js", "old_browser.js"])
def test_what_browsers_without_modules_read_is_older_still(name: str) -> None:
    """The two scripts outside the modules use `var` and plain functions only: they run on any
    browser and say what is wrong."""
    tree = esprima.parseScript(SCRIPTS[name])
    kinds = {n.type for n in nodes(tree.body)} | {
        n.kind for n in nodes(tree.body) if n.type == "VariableDeclaration"
    }
    assert not kinds & {
        "ArrowFunctionExpression",
        "TemplateLiteral",
        "let",
        "const",
        "ClassDeclaration",
        "SpreadElement",
    }


LATER_VALUES = re.compile(
    r"\b(clamp|min|max|color-mix|env|oklch|lab|light-dark)\(|\d(dvh|svh|lvh)\b|\banywhere\b"
)
"""Values that a browser of 2018 drops, so that the declaration before it must already do."""

DECORATION = {
    "text-wrap",
    "text-underline-offset",
    "text-decoration-thickness",
    "accent-color",
    "paint-order",
}
"""Properties that may be ignored without anything being lost."""

LATER_PROPERTIES = {
    "inset",
    "aspect-ratio",
    "gap",
    "row-gap",
    "translate",
    "rotate",
    "scale",
    "place-items",
}
LATER_RULES = re.compile(r":(is|where|has)\(|@(layer|container|property|supports selector)|&")


def rules(css: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each innermost rule: its selector and its declarations in order."""
    bare = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", bare):
        pairs = [part.split(":", 1) for part in body.split(";") if ":" in part]
        yield selector.strip(), [(name.strip(), value.strip()) for name, value in pairs]


@pytest.mark.parametrize("name", list(STYLES))
def test_every_newer_style_has_an_older_one_before_it(name: str) -> None:
    """No rule needs a value or a property that a browser of 2018 does not know: where one is used,
    an older one stands first."""
    bad = []
    for selector, declared in rules(STYLES[name]):
        older: set[str] = set()
        for prop, value in declared:
            if LATER_VALUES.search(value) and prop not in older and not prop.startswith("--"):
                bad.append((selector, prop, value))
            if prop in LATER_PROPERTIES and {"gap": "grid-gap"}.get(prop, "") not in older:
                bad.append((selector, prop, value))
            older.add(prop)
    assert bad == []
    assert not LATER_RULES.search(STYLES[name])


def test_decoration_is_all_that_may_be_ignored() -> None:
    """The list of properties that old browsers skip is short and holds nothing that carries
    meaning."""
    used = {prop for css in STYLES.values() for _, declared in rules(css) for prop, _ in declared}
    assert not used & LATER_PROPERTIES
    assert used & DECORATION


def test_focus_is_seen_without_focus_visible() -> None:
    """A browser that does not know `:focus-visible` drops the whole rule: no rule that takes an
    outline away may need it less, and none that shows focus may need it."""
    for css in STYLES.values():
        for selector, declared in rules(css):
            hides = any(
                (prop, value) in (("outline", "none"), ("outline", "0")) for prop, value in declared
            )
            if hides or ":focus-visible" in selector:
                assert ":not(:focus-visible)" in selector, selector
