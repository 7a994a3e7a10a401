"""Which differences of two rulesets cause the difference of their results, and how much each is worth."""
