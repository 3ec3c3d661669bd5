"""Which times and habits do recorded evenings show, beside those that the referee ships with? Not needed
to play: it comes with the source tree, not with the wheel."""
