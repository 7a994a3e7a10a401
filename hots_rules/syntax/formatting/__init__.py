"""The text of a file in standard form."""
