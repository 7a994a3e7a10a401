"""Games for programs that know other libraries: one module for each, imported by its name.

Takes: a ruleset, a scenario and their choices; a peer library, installed as an extra.
Gives: the game as that peer knows games, with what each player may see and nothing more.
Never: decides a rule, or looks at a state where a view will do.
"""
