"""How this camera sees this table: pixels to millimetres, sharp enough, bright enough.  Knows card_printables, not the game."""
