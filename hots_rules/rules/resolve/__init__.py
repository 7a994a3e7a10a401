"""Name resolution and type checking: from the syntax tree to the typed tree."""
