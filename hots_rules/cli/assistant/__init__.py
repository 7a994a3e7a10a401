"""Queries about rules and games as tools for an assistant that speaks the Model Context Protocol."""
