"""Where do frames come from?"""
