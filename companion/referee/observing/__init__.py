"""Which cards of the round left, when, by whose hand and whereto? Glimpses in, departures out."""
