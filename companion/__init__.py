"""The game evening: what the camera's view means, who owns which cards, and the tablet."""

import os

# The reader's matrices are small: a second thread of the linear algebra library only waits for the
# first, and takes the core that the tablet's server needs (150 ms of processor time a frame with
# two threads, 33 with one). OpenCV's own threads wait likewise: a tenth of a film's time.
for _threads in (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
):
    os.environ.setdefault(_threads, "1")
