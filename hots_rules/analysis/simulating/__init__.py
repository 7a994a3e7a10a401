"""Many games: batches, simulations, frequencies, checks by random play."""
