"""What made the shipped pictures and codes; not needed to play, not in the wheel."""
