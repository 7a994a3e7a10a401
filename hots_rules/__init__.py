"""Rulebooks as data, played, questioned, compared and embedded."""
