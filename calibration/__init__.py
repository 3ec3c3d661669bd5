"""How this camera sees this table: pixels to millimetres, sharp enough, bright enough. Knows
card_printables, not the game."""

import os

os.environ.setdefault(
    "OPENCV_LOG_LEVEL", "SILENT"
)  # what does not open is said in one sentence, not in OpenCV's five lines
