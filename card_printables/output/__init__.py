"""How do pages become files?"""
