"""The typed ruleset: value types, the tree, its visitor and its call graph."""
