"""The passages of a ruleset that a sentence is about: one search for questions, for `hots find` and for cards."""
