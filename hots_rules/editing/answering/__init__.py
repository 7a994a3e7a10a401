"""Answers to an editor: completions, hovers, hints, signatures, code actions."""
