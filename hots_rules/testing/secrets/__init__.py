"""Proofs that what a player may choose does not depend on what that player may not know."""
