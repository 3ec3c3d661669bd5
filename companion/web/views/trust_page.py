"""The trust page: how a device learns this home's own certificate, with steps for its system; the
only page on plain http.

Everything here is public by nature (a certificate is no secret) and says nothing about the evening.
"""

from __future__ import annotations

from flask import Response, abort, redirect, render_template, request

from calibration.check.sentences import LANGUAGES
from companion.web.context import house
from companion.web.guards.access import Rule
from companion.web.guards.certificate_authority import Authority
from companion.web.views.page_files import asked_language, page_words

SYSTEMS = ("ios", "android", "windows", "macos", "linux", "firefox")
CERTIFICATE = "cloud-mine-companion.crt"


def trust() -> str:
    """What to do once on this device, its own system's steps open; 404 where the companion is not
    secure."""
    authority = _authority()
    asked = request.args.get("l", "")
    language = asked if asked in LANGUAGES else asked_language()
    return render_template(
        "trust.html",
        words=page_words(language),
        language=language,
        languages={one: page_words(one)["language.name"] for one in LANGUAGES},
        systems=SYSTEMS,
        own=system_of(request.headers.get("User-Agent", "")),
        fingerprint=authority.fingerprint,
        certificate=CERTIFICATE,
        table=f"https://{request.host}/",
    )


def certificate() -> Response:
    """The authority's certificate, for a device to keep."""
    response = Response(_authority().certificate, mimetype="application/x-x509-ca-cert")
    response.headers.set("Content-Disposition", "attachment", filename=CERTIFICATE)
    return response


def to_trust_page() -> Response:
    """Where every plain request goes when the companion is secure."""
    return redirect("/trust", 302)  # type: ignore[return-value]


def system_of(agent: str) -> str:
    """The system a browser says it runs on, for opening its steps first."""
    signs = (
        ("Firefox", "firefox"),
        ("iPhone", "ios"),
        ("iPad", "ios"),
        ("Android", "android"),
        ("Windows", "windows"),
    )
    found = next((system for sign, system in signs if sign in agent), None)
    if found is None or (found == "firefox" and "Android" in agent):
        return "android" if "Android" in agent else "macos" if "Mac OS" in agent else "linux"
    return found


def _authority() -> Authority:
    found = house().authority
    return found if found is not None else abort(404)


ROUTES = (
    ("/trust", "GET", Rule.OPEN, trust),
    (f"/{CERTIFICATE}", "GET", Rule.OPEN, certificate),
)
