"""What is made of paper: the deck's words, the marker, the discs, the sheets. Millimetres only;
knows nothing above it."""
