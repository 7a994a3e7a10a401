"""Policies, which say what to prefer, and how they settle a choice."""
