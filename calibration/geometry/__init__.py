"""Where is a pixel in millimetres?"""
