"""Which card of a learnt deck is this, told by its picture alone?"""
