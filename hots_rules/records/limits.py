"""Limits against hostile records, ruleset texts and names."""

MAX_BYTES = 8_000_000  # of a record
MAX_DEPTH = 20  # of variations in variations
MAX_TEXT = 16_000_000  # bytes of the unpacked texts of a ruleset
MAX_PLAYERS = 64  # who commit to a seed
MAX_NAME = 100  # characters of a player's name
