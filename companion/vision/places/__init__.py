"""What does this frame show at the places where cards lay?"""
