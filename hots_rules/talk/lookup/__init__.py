"""Looking things up: the search of a rulebook, and cards of what it speaks of."""
