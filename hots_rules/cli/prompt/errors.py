"""What the prompt refuses by itself."""

import hots_rules as hr


class NothingRandom(hr.HotsError):
    """Odds are asked for without an end where nothing random is in progress."""
