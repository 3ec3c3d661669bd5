"""How likely is each hypothesis of the round? Departures in, probabilities out."""
