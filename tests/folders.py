"""The folders of the project that tests read."""

from pathlib import Path

TESTS = Path(__file__).parent
HOME = TESTS.parent
