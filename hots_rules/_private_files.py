"""Files that nobody else can have changed: for data that is trusted when it is read again.

A folder and a file are private if they are no links, this user or the superuser owns them, and nobody else may
write them. On Windows, where the folders of a user are private, and in a browser, where the file system belongs to
one page, only links are refused.
"""

import os
import sys
from pathlib import Path
from stat import S_ISLNK

from hots_rules._files import open_regular

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


class NotPrivate(OSError):
    """A file or a folder that somebody else owns or may write, or that is a link."""


def read_private(path: Path) -> bytes:
    """The content of a private file in a private folder.

    Raises:
        NotPrivate: others own the file or the folder, or may write to it.
        OSError: there is no such file, or it is a link, a pipe or a device.
    """
    _check_folder(path.parent)
    with open_regular(path, "rb", _NOFOLLOW) as file:
        if not _is_private(os.fstat(file.fileno())):
            raise NotPrivate(f"others own the file `{path}`, or may write to it")
        return file.readall()


def write_private(path: Path, data: bytes) -> None:
    """Write a private file in a private folder, completely or not at all; a link in its place is replaced.

    A folder that is missing is made, for this user alone. The disk is not waited for.

    Raises:
        NotPrivate: others own the folder, or may write to it.
        OSError: the file cannot be written.
    """
    path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    _check_folder(path.parent)
    new = path.with_name(f".{path.name}.{os.urandom(8).hex()}.new")
    try:
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _check_folder(folder: Path) -> None:
    status = os.lstat(folder)
    if S_ISLNK(status.st_mode):
        raise NotPrivate(f"the folder `{folder}` is a link")
    if not _is_private(status):
        raise NotPrivate(f"others own the folder `{folder}`, or may write to it")


def _is_private(status: os.stat_result) -> bool:
    if os.name != "posix" or sys.platform == "emscripten":
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022
