"""Which codes are in this picture, where, and how sure is that?"""
