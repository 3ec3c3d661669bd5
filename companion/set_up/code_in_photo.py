"""The text of a QR code in somebody's photo: an address that another screen shows.

Knows pictures; decides nothing about the text.
"""

from __future__ import annotations

import zxingcpp

from calibration.cameras.grey import grey_of
from companion.set_up.photo_file import BadPhoto, opened_photo


def code_in(photo: bytes) -> str | None:
    """The text of the first QR code in a photo; None where there is none, or it is no photo."""
    try:
        image = grey_of(opened_photo(photo))
    except BadPhoto:
        return None
    found = zxingcpp.read_barcodes(
        image, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    )
    return next((code.text for code in found if code.text.startswith("http")), None)
