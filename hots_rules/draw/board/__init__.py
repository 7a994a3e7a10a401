"""The shapes of a board, read from the file of a ruleset, and where things are put on it."""
