"""The games that are open on the server: seats, clocks, agreements, bots, the log of each game."""
