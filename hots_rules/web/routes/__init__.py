"""The routes of the server, grouped by what they serve."""
