"""What lives as long as the process is taken out of the collection of garbage, which stops the table while it lasts."""

import gc


def keep_all() -> None:
    """Take all that there is now out of later collections, once what is no longer used is freed."""
    gc.collect()
    gc.freeze()
