"""What happened this evening, and what do people see of it?"""
