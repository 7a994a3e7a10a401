"""A play taken apart into its steps, one at a time."""
