"""The page and its files: one HTML shell, the scripts, the fonts, the words in each language.

Nothing here says anything about the evening, but the shell itself is only for devices that were let in.
"""

from __future__ import annotations

from pathlib import Path

from flask import Response, current_app, render_template, request, send_from_directory

from companion.web.access import Rule

LANGUAGES = ("en", "de", "cs")
HERE = Path(__file__).parent


def tablet() -> str:
    """The tablet's page: an empty shell that draws what the stream says."""
    language = request.accept_languages.best_match(LANGUAGES) or "en"
    return render_template("tablet.html", language=language, version=current_app.extensions["companion"].version)


def door_page(status: int, why: str) -> Response:
    """The page for a device that was not let in yet: what to do, in all languages, and nothing else."""
    return Response(render_template("door.html", why=why), status, mimetype="text/html")


def static_file(name: str) -> Response:
    """A script, style, font or picture of the page itself."""
    return _kept(send_from_directory(HERE / "static", name))


def words(language: str) -> Response:
    """The page's words in one language."""
    return _kept(send_from_directory(HERE / "translations", f"{language}.json"))


def _kept(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-cache"  # asked for again with its ETag: 304 and no byte of content
    return response


ROUTES = (
    ("/", "GET", Rule.WATCH, tablet),
    ("/static/<path:name>", "GET", Rule.OPEN, static_file),
    ("/words/<any(en, de, cs):language>.json", "GET", Rule.OPEN, words),
)
