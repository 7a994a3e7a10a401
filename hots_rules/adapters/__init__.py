"""Games for other libraries: one module for each, imported by its name.

Takes: a ruleset, a scenario with its options and readings; another library, installed as an extra.
Gives: the game in the terms of that library, with what each player may see and nothing more.
Never: decides a rule, or shows a player more than the view of that player.
"""
