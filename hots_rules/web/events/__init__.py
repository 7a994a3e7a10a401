"""Streams of events for the pages that watch a game."""
