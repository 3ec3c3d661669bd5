"""Has the camera or the table moved?"""
