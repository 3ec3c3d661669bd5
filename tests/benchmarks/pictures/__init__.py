"""Discs in the tray that are none of the round, or unread: what is measured of pictures on cards."""
