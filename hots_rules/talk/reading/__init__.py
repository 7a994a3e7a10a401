"""Sentences: their words, what they may ask, and the answers."""
