"""Sentences as people type them, read by their words."""
