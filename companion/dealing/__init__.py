"""Which cards were dealt, and when does the round lie open? Pure."""
