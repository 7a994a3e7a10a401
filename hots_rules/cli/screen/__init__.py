"""A match on a terminal as one screen: the board, what everybody holds, and what can be chosen."""
