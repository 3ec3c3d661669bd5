"""Network cameras that send one JPEG after another over http, as old phones do: the newest whole
picture of the stream.

Knows bytes on the network; must not know tables. A decoder of films fills what is missing of a
picture with what lay there some pictures ago, and nobody sees that it did. So the pictures are cut
out here by the marks of the JPEG format itself, whatever the stream says of lengths and boundaries,
and what does not end with its own mark is no picture.
"""

from __future__ import annotations

import base64
import http.client
import ssl
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from calibration.cameras.picture_file import (
    JPEG_ENDS,
    JPEG_MARK,
    JPEG_NO_LENGTH,
    LIMITS,
    size_of,
)
from calibration.errors import CameraStopped

ANSWER_TIMEOUT_S = 10.0
"""A server may take so long to answer; whoever watches a table has given up long before."""

CHUNK_BYTES = 1 << 20
"""Taken at a time: more than one picture when the stream runs ahead, and then only the newest
is looked at."""

LARGEST_JPEG_BYTES = 16 << 20
"""Of one picture; a 4K one of the best quality has 6 million."""

NARROWEST_PX = 64
"""A picture with fewer across or down shows no table; a phone's are refused below it as well."""

_BEGIN = b"\xff\xd8\xff"
_BEGINS = 0xD8
_SCAN = 0xDA
"""The JPEG format's marks: a picture begins; pixels follow."""
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


class JpegCutter:
    """Cuts whole JPEG pictures out of bytes as they come; what is broken off is thrown away."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        # 0: outside of any picture; else where in the picture that begins the bytes its next mark
        # is sought
        self._at = 0
        self._scanning = False

    def feed(self, data: bytes) -> list[bytes]:
        """The pictures that are whole now, in order; never keeps more than `LARGEST_JPEG_BYTES` bytes and
        one `data`."""
        self._bytes += data
        whole = []
        while self._begun():
            end = self._end()
            if end is None:
                break
            if end:
                whole.append(bytes(self._bytes[:end]))
            self._drop(end or max(2, self._bytes.find(_BEGIN, 2)))
        if len(self._bytes) > LARGEST_JPEG_BYTES:
            self._drop(len(self._bytes))
        return whole

    def _drop(self, many: int) -> None:
        del self._bytes[:many]
        self._at = 0
        self._scanning = False

    def _begun(self) -> bool:
        """Whether the bytes begin with a picture, once what lies before it is dropped."""
        if not self._at:
            start = self._bytes.find(_BEGIN)
            del self._bytes[: start if start >= 0 else max(0, len(self._bytes) - 2)]
            self._at = 2 if start >= 0 else 0
        return self._at > 0

    def _end(self) -> int | None:
        """Where the picture ends; None while that is not known, 0 for one that breaks off."""
        while (mark := JPEG_MARK.search(self._bytes, self._at)) is not None:
            code, after = self._bytes[mark.end() - 1], mark.end()
            if code == _BEGINS or (mark.start() != self._at and not self._scanning):
                return 0
            if code == JPEG_ENDS:
                return after
            if code == JPEG_NO_LENGTH:
                self._at = after
                continue
            if after + 2 > len(self._bytes):
                self._at = mark.start()
                return None
            self._at = after + int.from_bytes(self._bytes[after : after + 2], "big")
            self._scanning = code == _SCAN
        if self._scanning:
            self._at = max(self._at, len(self._bytes) - 1)
        return None


class JpegStream:
    """The newest picture of an answer that goes on for ever; stands where `cv2.VideoCapture` stands
    for other cameras."""

    def __init__(self, response: Any) -> None:
        """Read from `response`, an open `http.client.HTTPResponse`."""
        self._response = response
        self._cutter = JpegCutter()
        self._size = (0, 0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        """True and the newest whole picture (H, W, 3) uint8 BGR; False when the stream has ended or
        sent none."""
        jpeg = self.read_jpeg()
        image = decoded_within_limits(jpeg) if jpeg is not None else None
        if image is not None:
            self._size = (image.shape[1], image.shape[0])
        return image is not None, image

    def read_jpeg(self) -> bytes | None:
        """The newest whole picture as it came; None when the stream has ended."""
        whole: list[bytes] = []
        try:
            while not whole:
                data = self._response.read1(CHUNK_BYTES)
                if not data:
                    return None
                whole = self._cutter.feed(data)
        except (OSError, ValueError, http.client.HTTPException):
            return None
        self._size = size_of(whole[-1]) or self._size
        return whole[-1]

    def get(self, prop: int) -> float:
        """The pictures' width or height, px; 0 for everything else."""
        return float(
            {cv2.CAP_PROP_FRAME_WIDTH: self._size[0], cv2.CAP_PROP_FRAME_HEIGHT: self._size[1]}.get(
                prop, 0
            )
        )

    def set(self, prop: int, value: float) -> bool:  # noqa: ARG002 (as cv2 has it)
        """Takes no orders."""
        return False

    def release(self) -> None:
        """Hang up; twice is fine."""
        self._response.close()


def decoded_within_limits(data: bytes) -> np.ndarray | None:
    """The JPEG as (H, W, 3) uint8 BGR, halved until a frame may be so large; None for what is none,
    is a few pixels wide or high, or asks for too much: of a progressive one the decoder keeps six bytes a pixel, however small it is
    wanted."""
    size = size_of(data)
    if size is None or min(size) < NARROWEST_PX or size[0] * size[1] > LIMITS.filmed_px:
        return None
    times = next((t for t in _REDUCED if size[0] * size[1] <= LIMITS.streamed_px * t * t), 8)
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[times])
    except cv2.error:
        return None


def open_jpegs(url: str) -> JpegStream | None:
    """The stream at this http or https address, whose name and password may stand in it; None when
    it sends no JPEGs.

    Raises:
        CameraStopped: it wants a name and a password, does not answer, or answers with a page for
        people.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise CameraStopped(
            "the camera's address is none: give it as http://192.168.1.20:8080/video"
        ) from None
    bare = urlunsplit(
        (parts.scheme, parts.netloc.rpartition("@")[2], parts.path or "/", parts.query, "")
    )
    try:
        response = _opened(bare, parts)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403):
            raise CameraStopped(
                f"the camera at {bare} wants a name and a password: put them before its address, "
                "as in http://name:password@192.168.1.20:8080/video"
            ) from None
        raise CameraStopped(
            f"the camera at {bare} answers {error.code}: check what comes after the / in its address"
        ) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise CameraStopped(
            f"the camera at {bare} does not answer: check its address and the network"
        ) from None
    kind = response.headers.get_content_type()
    if kind.startswith("multipart/") or kind == "image/jpeg":
        return JpegStream(response)
    response.close()
    if kind == "text/html":
        raise CameraStopped(
            f"the camera at {bare} answers with a page, not with pictures: give the address of its video, which "
            "the page tells (often it ends in /video or /mjpeg)"
        )
    return None


class _OnlyToItself(urllib.request.HTTPRedirectHandler):
    """Follows a camera to another address of its own on the web, and to nobody else."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request for `newurl`; HTTPError for another kind of address or another host, which is not
        contacted."""
        there = urlsplit(newurl)
        if (
            there.scheme not in ("http", "https")
            or there.hostname != urlsplit(req.full_url).hostname
        ):
            raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opened(bare: str, secrets: SplitResult) -> Any:
    """The answer of `bare`; the name and password in `secrets` are given only where they are asked
    for."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = (
        False,
        ssl.CERT_NONE,
    )  # a phone at home signs for itself
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=trusting),
        _OnlyToItself(),
    )
    request = urllib.request.Request(bare, headers={"User-Agent": "cloud-mine-companion"})
    try:
        return opener.open(request, timeout=ANSWER_TIMEOUT_S)
    except urllib.error.HTTPError as refused:
        if refused.code != 401 or secrets.username is None:
            raise
        refused.close()
        request.add_unredirected_header("Authorization", _authorization(request, refused, secrets))
        return opener.open(request, timeout=ANSWER_TIMEOUT_S)


def _authorization(
    request: urllib.request.Request, refused: urllib.error.HTTPError, secrets: SplitResult
) -> str:
    """The name and password as the camera wants them: digested, or plain."""
    name, password = unquote(secrets.username or ""), unquote(secrets.password or "")
    kind, _, rest = str(refused.headers.get("WWW-Authenticate", "")).partition(" ")
    if kind.lower() != "digest":
        return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode("ascii")
    known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    known.add_password(None, request.full_url, name, password)
    challenge = urllib.request.parse_keqv_list(
        list(filter(None, urllib.request.parse_http_list(rest)))
    )
    return f"Digest {urllib.request.HTTPDigestAuthHandler(known).get_authorization(request, challenge)}"
