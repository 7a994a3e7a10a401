"""A game that is played.

Takes: a `State` and an action.
Gives: the legal actions, the next `State`, a trace of what happened and why.
Never: prints, reads a file, or rolls unrecorded dice.
"""
