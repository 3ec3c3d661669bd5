"""Can every place be read, and what would help?"""
