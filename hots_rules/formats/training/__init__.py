"""A game as numbers, for programs that learn to play it."""
