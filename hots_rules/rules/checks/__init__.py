"""Checks of a whole typed ruleset."""
