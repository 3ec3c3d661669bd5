"""What of this table's log does the hall not have yet, and what of it may leave the home?"""
