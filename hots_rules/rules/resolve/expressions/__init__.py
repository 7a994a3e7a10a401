"""Expressions: from the syntax tree to the typed tree."""
