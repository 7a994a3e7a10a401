"""The parts of every integer program that are written in restricted Python: chance, chooser, games, digests."""
