"""Which QR codes does zxing-cpp read in this picture, and what if it never answers?"""
