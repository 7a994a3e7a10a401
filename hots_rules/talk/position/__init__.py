"""What a sentence asks about the position, computed from the sets and numbers that a ruleset declares."""
