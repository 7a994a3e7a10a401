"""Errors of the prompt."""

import hots_rules as hr


class NothingRandom(hr.HotsError):
    """Odds without an end were asked for while nothing random is in progress."""
