"""What happened in this round? Glimpses and people's words in, rulings out; knows no names, points or
pictures."""
