"""Exact and sampled odds of what may happen next."""
