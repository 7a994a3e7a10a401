"""The board of a state as a table of text."""
