"""What the server keeps in its database: rows, shares of seeds, keys, tokens, uploaded rulesets."""
