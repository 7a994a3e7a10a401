"""How often a loop can run at most."""
