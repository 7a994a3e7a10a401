"""Battles that are made up in one line, with their odds."""
