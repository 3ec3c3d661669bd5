"""A phone as the camera: pictures as a `Camera`, one device at a time, and what strangers send."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.cameras.picture_file import jpeg_size
from calibration.cameras.port import Frame
from companion.capture.phone import BEGAN_S, FASTEST_MS, PhoneCamera, PhoneCameraLease
from companion.capture.watching import Watching
from companion.commands import play
from companion.commands.shared.sources import Source
from companion.errors import CameraTrouble
from companion.web import Door, Rule, create_app
from tests.support.kept_evening import played

ORIGIN = {"Origin": "http://localhost"}


def jpeg(width: int = 320, height: int = 180, grey: int = 90) -> bytes:
    """A small picture, as a browser makes one."""
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


def claiming(width: int, height: int) -> bytes:
    """A JPEG whose head claims another size."""
    data = bytearray(jpeg())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(data)


def read(camera: PhoneCamera) -> Frame:
    frame = camera.read()
    assert frame is not None
    return frame


def test_the_newest_picture_is_read_and_older_ones_are_dropped() -> None:
    """Three pictures sent while the reader was busy: only the last one is given, and time goes on."""
    camera = PhoneCamera("Phone")
    camera.put_picture(jpeg(grey=10))
    first = read(camera)
    for grey in (50, 100, 200):
        assert camera.put_picture(jpeg(grey=grey))
    second = read(camera)
    assert abs(int(second.image.mean()) - 200) < 3
    assert second.t_s > first.t_s
    assert (first.number, second.number) == (0, 1)


def test_a_smaller_picture_moves_nothing_on_the_table() -> None:
    """When the line is slow and pictures get smaller, frames keep their size; a turned phone begins
    anew."""
    camera = PhoneCamera("Phone")
    shapes = []
    for size in ((640, 360), (320, 180), (360, 640)):
        camera.put_picture(jpeg(*size))
        shapes.append(read(camera).image.shape[:2])
    assert shapes == [(360, 640), (360, 640), (640, 360)]


def test_a_better_phone_is_seen_as_well_as_it_sees() -> None:
    """After a tablet with small pictures had been the camera, those of the phone that took its place
    were made as small as the tablet's for the rest of the evening."""
    lease = PhoneCameraLease(lambda camera: None, camera := PhoneCamera())
    shapes = []
    for name, size in (("Tablet", (320, 180)), ("Phone", (640, 360)), ("Phone", (320, 180))):
        lease.take_over(name, name)
        assert lease.hand_on_picture(name, jpeg(*size)) is camera
        shapes.append(read(camera).image.shape[:2])
        lease.give_back(name)
    assert shapes == [(180, 320), (360, 640), (360, 640)]


def test_a_silent_phone_is_a_stopped_camera_and_comes_back() -> None:
    """Nothing sent: trouble within the time; the next picture is read as if nothing had been."""
    camera = PhoneCamera("Phone", silence_s=0.05)
    with pytest.raises(CameraTrouble, match="open the camera page"):
        camera.read()
    assert camera.waiting
    camera.put_picture(jpeg())
    assert read(camera).image.shape == (180, 320, 3)
    assert not camera.waiting


def test_a_waiting_read_comes_back_when_the_camera_is_let_go() -> None:
    """Stopping does not wait for a picture."""
    camera = PhoneCamera("Phone", silence_s=60)
    threading.Timer(0.05, camera.close).start()
    with pytest.raises(CameraTrouble):
        camera.read()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8\xff",
        b"GIF89a",
        b"\x89PNG\r\n\x1a\n" + b"0" * 50,
        b"\xff\xd8\xff\xe0\x00\x00" * 9,
        claiming(60000, 60000),
        claiming(0, 0),
        claiming(8000, 20),
        claiming(33_000, 200),
    ],
)
def test_what_is_no_sensible_jpeg_is_never_decoded(data: bytes) -> None:
    """Other kinds of file, cut heads, and heads that claim gigabytes are turned away at the door."""
    assert not PhoneCamera().put_picture(data)


def test_a_jpeg_cut_off_in_the_middle_stops_nothing() -> None:
    """A picture that breaks off is read as far as it goes or passed over; the next one is read."""
    camera = PhoneCamera("Phone", silence_s=1)
    assert jpeg_size(jpeg()) == (320, 180)
    camera.put_picture(jpeg()[:200])
    threading.Timer(0.05, camera.put_picture, [jpeg()]).start()
    assert read(camera).image.shape == (180, 320, 3)


def test_pictures_are_wanted_as_fast_as_they_are_read() -> None:
    """A reader that needs longer asks for fewer; nobody is asked for more than twelve a second."""
    camera = PhoneCamera("Phone")
    assert camera.every_ms == FASTEST_MS
    for _ in range(8):
        camera.put_picture(jpeg())
        read(camera)
        threading.Event().wait(0.2)
    camera.put_picture(jpeg())
    read(camera)
    assert camera.every_ms > FASTEST_MS


def test_a_phone_that_was_away_is_asked_for_pictures_as_often_as_before() -> None:
    """The time without a picture is nobody's work: a phone that slept was asked for one in many seconds,
    and the camera stayed stopped."""
    camera = PhoneCamera("Phone", silence_s=0.1)
    camera.put_picture(jpeg())
    read(camera)
    for _ in range(3):
        with pytest.raises(CameraTrouble):
            camera.read()
    camera.put_picture(jpeg())
    read(camera)
    assert camera.every_ms == FASTEST_MS


def test_the_last_device_that_asked_is_the_camera() -> None:
    """A second phone takes over with a camera of its own; the first one's pictures are not taken
    any more."""
    begun: list[PhoneCamera] = []
    lease = PhoneCameraLease(begun.append, waiting := PhoneCamera())
    lease.take_over("a", "Phone")
    lease.take_over("a", "Phone")
    assert (waiting.name, begun) == ("Phone", [])
    lease.take_over("b", "Tablet")
    assert [camera.name for camera in begun] == ["Tablet"]
    assert lease.hand_on_picture("a", jpeg()) is None
    assert lease.hand_on_picture("b", jpeg()) is begun[0]


def test_a_device_that_leaves_makes_the_table_wait_for_the_next() -> None:
    """After leaving, another device takes the same plug, and the evening goes on."""
    lease = PhoneCameraLease(lambda camera: None, camera := PhoneCamera())
    lease.take_over("a", "Phone")
    lease.give_back("b")
    assert lease.holder_key == "a"
    lease.give_back("a")
    assert (lease.holder_key, camera.waiting) == (None, True)
    lease.take_over("b", "Tablet")
    assert lease.hand_on_picture("b", jpeg()) is camera


def test_the_last_picture_of_a_device_that_left_is_no_camera_again() -> None:
    """A picture that waited to be read when its device left is not read: the table goes on waiting
    for a phone, and does not say that one stopped and comes back."""
    lease = PhoneCameraLease(lambda camera: None, camera := PhoneCamera(silence_s=0.05))
    lease.take_over("a", "Phone")
    lease.hand_on_picture("a", jpeg())
    read(camera)
    lease.hand_on_picture("a", jpeg())
    lease.give_back("a")
    with pytest.raises(CameraTrouble):
        read(camera)
    assert camera.waiting


def test_a_phone_that_was_silent_for_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page was closed, or its battery is empty: a phone is waited for, where the table has no camera
    of its own. It is still let in when it comes back."""
    lease = PhoneCameraLease(lambda camera: None, camera := PhoneCamera(silence_s=0.05))
    lease.take_over("a", "Phone")
    lease.hand_on_picture("a", jpeg())
    read(camera)
    with pytest.raises(CameraTrouble):
        read(camera)
    assert not camera.waiting
    monkeypatch.setattr("companion.capture.phone.GONE_S", 0.01)
    with pytest.raises(CameraTrouble):
        read(camera)
    assert camera.waiting
    assert lease.hand_on_picture("a", jpeg()) is camera
    read(camera)
    assert not camera.waiting


def test_screens_are_told_when_a_stopped_phone_is_waited_for() -> None:
    """The camera is stopped before and after, so it is the waiting that is news."""
    told: list[bool] = []
    watching = Watching(camera := PhoneCamera("Phone"), cast(Any, SimpleNamespace(watch=None)))
    session = cast(Any, SimpleNamespace(camera_changed=lambda: told.append(camera.waiting)))
    for camera.waiting in (False, False, True, True):
        watching._tried_s = -60.0
        watching._stay_stopped("", session)
    assert told == [False, True]


def test_the_tables_own_camera_watches_again_when_the_phone_leaves() -> None:
    """A phone takes over from a webcam and leaves: the webcam is begun again, and the next phone
    gets a plug of its own."""
    begun: list[str] = []
    lease = PhoneCameraLease(
        lambda camera: begun.append(camera.name), back=lambda: begun.append("webcam")
    )
    lease.take_over("a", "Phone")
    lease.give_back("a")
    lease.give_back("a")
    lease.take_over("b", "Tablet")
    assert begun == ["Phone", "webcam", "Tablet"]


def test_the_command_gives_a_webcam_back_as_a_fresh_plug(monkeypatch: pytest.MonkeyPatch) -> None:
    """`companion play` with a webcam: the phone's camera is watched, then the webcam's next plug,
    whose time goes on from the phone's; with a phone only, or film, there is nothing to give back.
    """
    watched: list[object] = []
    monkeypatch.setattr(
        play,
        "_look_on",
        lambda session, source, *rest: watched.append(source.camera),
    )
    webcam = SimpleNamespace(again=lambda born_s: ("webcam", born_s))
    session = SimpleNamespace(camera=SimpleNamespace(watching=None))
    lease = play._phone_lease(session, Source(webcam, ""), None, None, None)
    assert lease is not None
    lease.take_over("a", "Phone")
    lease.give_back("a")
    assert isinstance(watched[0], PhoneCamera)
    assert watched[1] == ("webcam", BEGAN_S)
    only = play._phone_lease(session, Source(PhoneCamera(), ""), None, None, None)
    assert only is not None
    only.take_over("a", "Phone")
    only.give_back("a")
    assert len(watched) == 2
    assert play._phone_lease(session, Source(webcam, "", paced=True), None, None, None) is None


def test_a_phone_that_vanished_gives_the_table_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that sends nothing for long, its battery empty, is taken for gone; a short silence is
    not."""
    begun: list[PhoneCamera] = []
    returned = threading.Event()
    lease = PhoneCameraLease(begun.append, back=returned.set)
    lease.take_over("a", "Phone")
    begun[0]._silence_s = 0.05
    with pytest.raises(CameraTrouble):
        read(begun[0])
    assert lease.holder_key == "a"
    monkeypatch.setattr("companion.capture.phone.GONE_S", 0.01)
    with pytest.raises(CameraTrouble):
        read(begun[0])
    assert returned.wait(5)
    assert lease.holder_key is None


def device(lease: PhoneCameraLease | None, role: Rule = Rule.CONTROL) -> FlaskClient:
    """A paired browser at a table with this lease."""
    door = Door()
    client = create_app(played().session, door, phone_lease=lease).test_client()
    client.get(f"/in/{door.invite(role)}")
    return client


def post_frame(client: FlaskClient, data: bytes, kind: str = "image/jpeg") -> Any:
    return client.post("/api/lens/frame", data=data, headers={**ORIGIN, "Content-Type": kind})


def take(client: FlaskClient, do: str = "take") -> Any:
    return client.post(
        "/api/lens",
        data=json.dumps({"do": do}),
        headers={**ORIGIN, "Content-Type": "application/json"},
    )


def test_a_browser_becomes_the_camera_and_its_pictures_arrive() -> None:
    """Take, send, be told the pace; after leaving the next picture is refused."""
    lease = PhoneCameraLease(lambda camera: None, camera := PhoneCamera())
    client = device(lease)
    assert post_frame(client, jpeg()).status_code == 409
    assert take(client).json == {"possible": True, "taken": True, "mine": True}
    assert post_frame(client, jpeg()).json == {"every_ms": FASTEST_MS}
    assert read(camera).image.shape == (180, 320, 3)
    assert take(client, "leave").json["mine"] is False
    assert post_frame(client, jpeg()).status_code == 409


def test_a_phone_that_is_sent_away_is_the_camera_no_longer() -> None:
    """The table's own watches again at once, and the next phone need not wait."""
    returned = threading.Event()
    lease = PhoneCameraLease(lambda camera: None, back=returned.set)
    phone = device(lease)
    take(phone)
    assert lease.holder_key is not None
    gone = {"do": "revoke", "key": lease.holder_key}
    assert phone.post("/api/devices", json=gone, headers=ORIGIN).status_code == 200
    assert (lease.holder_key, returned.is_set()) == (None, True)


def test_a_watcher_is_never_the_camera() -> None:
    """A spectator's screen may neither take the camera nor send a picture."""
    client = device(PhoneCameraLease(lambda camera: None, PhoneCamera()), Rule.WATCH)
    assert [take(client).status_code, post_frame(client, jpeg()).status_code] == [403, 403]


def test_pictures_that_are_none_or_too_large_are_refused() -> None:
    """Another kind 415, no picture 400, beyond the limit 413; 404 where footage or the practice
    table plays."""
    client = device(PhoneCameraLease(lambda camera: None, PhoneCamera()))
    take(client)
    assert post_frame(client, jpeg(), "text/plain").status_code == 415
    assert post_frame(client, b"no picture").status_code == 400
    assert post_frame(client, b"\xff" * 3_000_000).status_code == 413
    assert take(client, "dance").status_code == 400
    elsewhere = device(None)
    assert elsewhere.get("/api/lens").json == {"possible": False, "taken": False, "mine": False}
    assert [take(elsewhere).status_code, post_frame(elsewhere, jpeg()).status_code] == [404, 404]


def test_another_page_cannot_make_this_device_the_camera() -> None:
    """Without our own Origin neither taking nor sending is done."""
    client = device(PhoneCameraLease(lambda camera: None, PhoneCamera()))
    headers = {"Origin": "http://evil.example", "Content-Type": "application/json"}
    assert client.post("/api/lens", data='{"do":"take"}', headers=headers).status_code == 403
