"""The answers to questions that are asked on a page about a game, a position or a record."""
