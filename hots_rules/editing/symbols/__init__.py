"""The names of a folder of rules: where they are declared, used and called."""
