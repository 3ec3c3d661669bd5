"""What do tables send, and what do the board and the host see?"""
