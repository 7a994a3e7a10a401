"""What happened, what stands and what the book says, in words.

Takes: a ruleset, games, traces and verdicts.
Gives: declarations as they are written, boards, stories, tallies.
Never: changes a game, or tells a player what the secrets of the ruleset keep from that player.
"""
