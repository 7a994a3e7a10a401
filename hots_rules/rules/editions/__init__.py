"""Editions merged into one ruleset, and the sections that each numbers."""
