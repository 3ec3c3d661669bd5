"""Evenings of before: listed, taken along, backed up, brought back."""
