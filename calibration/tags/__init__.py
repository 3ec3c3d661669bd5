"""Where exactly are the tokens in a picture?"""
