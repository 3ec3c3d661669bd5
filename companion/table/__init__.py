"""The table in millimetres: sightings, places, zones. Pure: no clock, no file, no numpy, no OpenCV."""
