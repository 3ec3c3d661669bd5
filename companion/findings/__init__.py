"""What can be said of many rounds, and what is chance?"""
