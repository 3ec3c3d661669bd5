"""The whole lens from a printed test sheet, for those who want it."""
