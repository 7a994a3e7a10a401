"""Cases in an editor: their blocks, names, rulesets and completions."""
