"""What lies where, in millimetres? Pure: no clock, no file, no numpy, no OpenCV."""
