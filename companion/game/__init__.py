"""What are the rules, and what has been said? Events in, a ledger out; pure values."""
