"""What does this frame show?"""
