"""Several rulesets, or several ways to play, side by side.

Takes: rulebooks and games.
Gives: differences, histories, the point where a game diverges, one question put to every edition.
Never: knows an edition by name.
"""
