"""Games, traces and rulebooks in words and pictures.

Takes: games, actions, steps of a trace, rulebooks.
Gives: why and why not, causes, answers to declared questions, tables, maps, narration.
Never: changes a game, or tells a player what is hidden from that player.
"""
