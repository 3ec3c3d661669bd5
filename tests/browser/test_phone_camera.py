"""What a device says of itself as the camera: each sentence with the browser's answer, or the table's,
that makes it so."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.capture.phone import PhoneCamera, PhoneCameraLease
from companion.web import Rule, Server, create_app
from companion.web.views.page_files import page_words
from tests.support.kept_evening import KeptEvening
from tests.support.tablet_in_chromium import Table, tap

pytestmark = pytest.mark.browser

CAMERA = """
window.canvas = document.createElement('canvas');
canvas.width = 640; canvas.height = 360;
setInterval(() => canvas.getContext('2d').fillRect(0, 0, 640, 360), 50);
navigator.mediaDevices.getUserMedia = () => new Promise((done, fail) => {
  window.grant = () => { window.stream = canvas.captureStream(10); done(window.stream); };
  window.refuse = (name) => fail(new DOMException('no', name));
});
"""
"""A camera whose browser asks first: the test grants it or refuses."""

SAID = {
    key.removeprefix("phone_camera."): words
    for key, words in page_words("en").items()
    if re.match(r"phone_camera\.\w+$", key) and f"{key}_why" in page_words("en")
}
"""Every state's headline."""


class Phone:
    """A tablet on its camera page, and a table that lends the camera."""

    def __init__(self, table: Table, *, lends: bool = True, script: str = CAMERA) -> None:
        self.taken: list[PhoneCamera] = []
        self.lease = PhoneCameraLease(self.taken.append) if lends else None
        self.evening = KeptEvening()
        app = create_app(self.evening.session, table.door, phone_lease=self.lease)
        table.server = Server(app, "127.0.0.1", 0).start()
        table.base = f"http://127.0.0.1:{table.server.port}"
        self.page = table.tablet()
        self.page.add_init_script(script)
        self.page.evaluate("location.hash = 'lens'")
        self.page.reload()
        self.page.wait_for_selector(".phone-camera h1")

    def says(self, state: str) -> None:
        """The headline and the sentence below it come to be those of a state."""
        words = page_words("en")
        self.page.wait_for_selector(f'h1:text-is("{words[f"phone_camera.{state}"]}")')
        below = self.page.text_content(".camera-words .second")
        assert below == words[f"phone_camera.{state}_why"]

    def granted(self) -> Phone:
        """It has become the camera."""
        tap(self.page, "Be the camera")
        self.says("asking")
        self.page.evaluate("grant()")
        self.says("on")
        return self


def off(phone: Phone) -> None:
    assert phone.page.locator(".shut-words").text_content() == "No picture yet"


def asking(phone: Phone) -> None:
    tap(phone.page, "Be the camera")


def on(phone: Phone) -> None:
    with phone.page.expect_response("**/api/lens/frame") as answer:
        phone.granted()
    assert answer.value.status == 200
    assert len(phone.taken) == 1
    phone.page.wait_for_selector(".frame.seen video")


def cut(phone: Phone) -> None:
    phone.granted().page.context.set_offline(True)


def lost(phone: Phone) -> None:
    phone.granted().page.evaluate("stream.getTracks()[0].dispatchEvent(new Event('ended'))")


def other(phone: Phone) -> None:
    phone.granted()
    assert phone.lease is not None
    phone.lease.take_over("another", "Another phone")


def forbidden(phone: Phone) -> None:
    tap(phone.page, "Be the camera")
    phone.page.evaluate("refuse('NotAllowedError')")


def failed(phone: Phone) -> None:
    tap(phone.page, "Be the camera")
    phone.page.evaluate("refuse('NotReadableError')")


STATES: dict[str, tuple[dict[str, Any], Any]] = {
    "off": ({}, off),
    "asking": ({}, asking),
    "on": ({}, on),
    "cut": ({}, cut),
    "lost": ({}, lost),
    "other": ({}, other),
    "forbidden": ({}, forbidden),
    "failed": ({}, failed),
    "impossible": ({"lends": False}, lambda _phone: None),
    "insecure": (
        {"script": "Object.defineProperty(window, 'isSecureContext', {value: false});"},
        lambda _phone: None,
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_a_device_says_what_it_is_to_the_table(table: Table, state: str) -> None:
    """Looked at from the page's opening on; only where it may be the camera is it offered."""
    how, act = STATES[state]
    phone = Phone(table, **how)
    act(phone)
    phone.says(state)
    offered = phone.page.locator(".camera-words .pair button").count()
    assert (offered > 0) == (state not in ("asking", "impossible", "insecure"))


def test_a_phone_says_that_no_other_is_the_camera_once_that_has_left(table: Table) -> None:
    """Another one took over and tapped Stop: there is none that this one could take it back from."""
    phone = Phone(table)
    other(phone)
    phone.says("other")
    phone.evening.watched().camera_is("waiting").session.camera_changed()
    phone.says("off")
    assert phone.page.locator("button:has-text('Be the camera')").count() == 1


def test_a_phone_goes_on_being_the_camera_of_a_table_that_began_anew(table: Table) -> None:
    """Nobody climbs up to it: no device is the camera there, and the page has stayed open."""
    phone = Phone(table)
    phone.granted()
    holder = phone.lease.holder_key if phone.lease is not None else None
    assert phone.lease is not None
    assert holder is not None
    phone.lease.give_back(holder)
    for _ in range(300):  # a picture that was under way may still be taken
        if phone.lease.holder_key == holder:
            break
        phone.page.wait_for_timeout(100)
    assert phone.lease.holder_key == holder
    with phone.page.expect_response("**/api/lens/frame") as answer:
        pass
    assert answer.value.status == 200
    phone.says("on")


def test_a_phone_that_was_cut_off_is_the_camera_again_by_itself(table: Table) -> None:
    """And says so, once a picture has arrived."""
    phone = Phone(table)
    cut(phone)
    phone.says("cut")
    phone.page.context.set_offline(False)
    phone.says("on")


def test_no_state_is_without_its_picture() -> None:
    """The headlines in the catalogue are those that were made so here."""
    assert SAID.keys() == STATES.keys()


def test_a_screen_that_only_watches_is_not_asked_to_be_the_camera(table: Table) -> None:
    """It has no way there."""
    table.serve(KeptEvening().watched())
    page = table.tablet(role=Rule.WATCH)
    page.evaluate("location.hash = 'camera'")
    page.wait_for_selector(".camera-words")
    assert page.locator("button:has-text('This device as the camera')").count() == 0
