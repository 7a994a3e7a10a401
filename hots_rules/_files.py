"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path


def atomic_write(path: str | PathLike[str], data: str | bytes, *, fsync: bool = True) -> None:
    """Writes a file in the place of what is there; whoever reads sees the old file or the new one.

    A text is written as UTF-8. A link stays, and what it leads to is written. It returns when the disk
    has the file, or with `fsync=False` at once: for what can be made again.

    Raises:
        OSError: the file cannot be written; what was there before stands.
    """
    target = Path(os.path.realpath(path))
    new = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with new.open("xb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if fsync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(new, target)
    except OSError as error:
        error.filename = str(path)  # not that of the temporary file
        raise
    finally:
        new.unlink(missing_ok=True)
