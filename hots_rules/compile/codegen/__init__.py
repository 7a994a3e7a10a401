"""From the flat program to the source of a Python module."""
