"""The typed ruleset: value types, operators, the tree, its visitor and its call graph."""
