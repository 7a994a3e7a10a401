"""The declarations of a rulebook as they are written, by section or by name."""
