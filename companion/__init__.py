"""The game evening: what the camera's view means, who owns which cards, and the tablet."""
