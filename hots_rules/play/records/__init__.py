"""Games as texts that outlive the program.

Takes: a game, or the text of one.
Gives: a record that replays to the same bytes, with a digest for each action, and where it fails to.
Never: trusts what a text says of itself: what it claims is played again.
"""
