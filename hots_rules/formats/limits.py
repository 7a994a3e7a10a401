"""Limits against hostile messages."""

MAX_BYTES = 8_000_000
MAX_DEPTH = 60
MAX_NUMBER = 2**53 - 1  # JavaScript and most JSON readers keep integers up to this one exactly
MAX_SHOWN = 60  # characters of a value in an error
