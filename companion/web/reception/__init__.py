"""Who is served when? Requests come in whole, and each asker holds but a few of the threads."""
