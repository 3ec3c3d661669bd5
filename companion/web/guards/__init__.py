"""Who may do what, and what does every request and every answer have to be?"""
