"""Compiled rulesets as machine code: the same games, many at once.

Takes: the machine of a compiled ruleset.
Gives: an integer program that does the same on an array of numbers, and batches of games played by it.
Never: decides a rule by itself, or gives another result than the machine.
"""
