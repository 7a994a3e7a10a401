"""Where the files of a ruleset are, and their texts."""
