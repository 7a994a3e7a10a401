"""The game server, for its players *the table*: games played in a browser, over HTTP.

Takes: requests with the key of a seat, or with none for a spectator; a database for the log of actions.
Gives: the view of that seat as JSON, its board, its legal actions, and the pages that show them.
Never: decides a rule of a game, sends more than the view of a seat, or answers before an action is kept.
"""
