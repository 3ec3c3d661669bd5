"""Pictures of QR codes with any payload."""

from __future__ import annotations

import numpy as np
import qrcode
from qrcode.util import MODE_8BIT_BYTE, QRData


def picture(payload: bytes, px_per_module: int) -> np.ndarray:
    """A grey picture of one flat QR code on white paper on a grey table."""
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, box_size=1, border=4)
    code.add_data(QRData(payload, mode=MODE_8BIT_BYTE))
    code.make(fit=True)
    ink = np.array(code.get_matrix(), bool)
    drawn = np.kron(np.where(ink, 20, 235), np.ones((px_per_module, px_per_module))).astype(
        np.uint8
    )
    return np.pad(drawn, 30, constant_values=120)
