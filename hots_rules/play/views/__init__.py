"""What one player knows of a game.

Takes: a game and a player, or a spectator.
Gives: what is seen, what was seen, whole games that look alike, what an action would change.
Never: says what that player cannot know, or looks at it to find what to say.
"""
