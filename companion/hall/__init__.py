"""Many tables, one board: what do the tables of a club play, and how do they stand?"""
