"""Is the table ready, and the deck complete?"""
