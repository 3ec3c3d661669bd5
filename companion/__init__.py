"""The game evening: what the camera's view means, who owns which cards, and the tablet."""

import os

# The reader's matrices are small: a second thread of the linear algebra library only waits for the
# first, and takes the core that the tablet's server needs (150 ms of processor time a frame with
# two threads, 33 with one).
for _library in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_library, "1")
