"""What may come of a moment, and how likely it is.

Takes: a game, an end to look at, and what the players choose on the way.
Gives: exact probabilities as fractions, or a sample that says that it is one.
Never: uses the dice that the game would bring, or hides a secret: it sees the whole state.
"""
