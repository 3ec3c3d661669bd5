"""Which of this round's cards is this disc, told by its picture where its code cannot be read?"""
