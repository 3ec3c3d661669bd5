"""What is painted on each piece?"""
