"""What the prompt refuses by itself."""

from __future__ import annotations

import hots_rules as hr
from hots_rules._translate import Translator


class NothingRandom(hr.HotsError):
    """Odds are asked for without an end where nothing random is in progress."""

    def __init__(self, t: Translator) -> None:
        super().__init__(t.gettext("nothing random is in progress; try `odds until …`"))
