"""Atomic writes of files."""

import os
from os import PathLike
from pathlib import Path


def atomic_write(path: str | PathLike[str], data: str | bytes) -> None:
    """Write a file completely or not at all; a reader sees the old content or the new one.

    Args:
        path: the file; a symbolic link is kept, and its target is written.
        data: the content; text is written as UTF-8.

    Raises:
        OSError: the file cannot be written; its old content is unchanged.
    """
    target = Path(os.path.realpath(path))
    new = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with new.open("xb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, target)
    except OSError as error:
        error.filename = str(path)  # not that of the temporary file
        raise
    finally:
        new.unlink(missing_ok=True)
