"""Regular files: read without waiting, written completely or not at all, claimed by one writer."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, ENOTEMPTY
from io import FileIO
from os import PathLike
from pathlib import Path
from stat import S_IMODE, S_ISREG

try:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
except ImportError:  # Windows, and Python in a browser
    flock = None  # type: ignore[assignment]

# A pipe is not waited for.
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class FileClaimed(OSError):
    """Another program, or another part of this one, writes the file."""


def resolved(path: str | PathLike[str]) -> Path:
    """The path behind all links.

    Raises:
        OSError: no file can have this name.
    """
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        raise OSError(EINVAL, "A name that no file can have", ascii(path)) from None


# ------------------------------------------------------------------ reading
def read_file(path: str | PathLike[str], limit: int) -> bytes:
    """The first `limit` bytes of a regular file, and one more if it has more.

    Raises:
        OSError: there is no such file, or it is a pipe, a device or a folder.
    """
    with open_regular(path, "rb") as file:
        return b"".join(iter(lambda: file.read(limit + 1 - file.tell()), b""))


def open_regular(path: str | PathLike[str], mode: str, flags: int = 0) -> FileIO:
    """A regular file, open without a buffer; the flags of the system are added to those of the mode.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    added = flags | _NONBLOCK
    file = FileIO(os.fspath(path), mode, opener=lambda name, own: os.open(name, own | added))
    try:
        _check_regular(os.fstat(file.fileno()), path)
    except OSError:
        file.close()
        raise
    return file


def _check_regular(status: os.stat_result, path: str | PathLike[str]) -> None:
    if not S_ISREG(status.st_mode):
        raise OSError(EINVAL, "Not a regular file", str(path))


def check_link(path: Path) -> None:
    """Raise for a link that leads out of its folder.

    Raises:
        OSError: it does.
    """
    if leads_out(path):
        raise OSError(
            EINVAL, f"the link `{path.name}` leads out of its folder; name what it leads to"
        )


def leads_out(path: object) -> bool:
    """Whether a path is a link that leads out of the folder that it is in.

    The author of the folder may not be allowed to read what is there, and an error may show a line of it.
    """
    if not isinstance(path, Path) or not path.is_symlink():
        return False
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parent))


# ------------------------------------------------------------------ writing
def atomic_write(path: str | PathLike[str], data: str | bytes) -> None:
    """Write a file completely or not at all; a reader sees the old content or the new one.

    A file that exists keeps its permissions.

    Args:
        path: the file; a symbolic link is kept, and its target is written.
        data: the content; text is written as UTF-8.

    Raises:
        OSError: the file cannot be written, or is a pipe, a device or a folder; its old content is unchanged.
    """
    target = resolved(path)
    status = None
    with suppress(FileNotFoundError):
        status = os.stat(target)
        _check_regular(status, path)
    new = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with new.open("xb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            new.chmod(S_IMODE(status.st_mode))
        os.replace(new, target)
        _sync_folder(target.parent)
    except OSError as error:
        error.filename = str(path)  # not that of the temporary file
        raise
    finally:
        new.unlink(missing_ok=True)


def check_unused(folder: str | PathLike[str]) -> None:
    """Raise for a folder in which something is.

    Raises:
        OSError: it is not empty, or no folder.
    """
    target = resolved(folder)
    if target.exists() and any(target.iterdir()):
        raise OSError(ENOTEMPTY, "the folder is not empty", str(folder))


def write_folder(folder: str | PathLike[str], files: Iterable[tuple[str, str]]) -> int:
    """Write all files of a folder or none, and return their number; other files in it stay.

    Args:
        folder: the folder; it is made if it does not exist.
        files: the name and the text of each.

    Raises:
        OSError: a file cannot be written.
    """
    target, count = resolved(folder), 0
    new = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    new.mkdir(parents=True)
    try:
        for name, text in files:
            (new / name).write_text(text, encoding="utf-8", newline="\n")
            count += 1
        if target.exists():
            for file in new.iterdir():
                os.replace(file, target / file.name)
        else:
            new.replace(target)
    except OSError as error:
        error.filename = str(folder)
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return count


def _sync_folder(folder: Path) -> None:
    """Let the disk know the new name of a file too, where the system can do that."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# ------------------------------------------------------------------ one writer
def claim(path: str | PathLike[str]) -> FileIO:
    """A regular file, open to read and append, that nobody else can claim until `release`.

    Without file locks, as on Windows, several writers can claim it.

    Raises:
        FileClaimed: somebody else has claimed it.
        OSError: it cannot be opened, or is no regular file.
    """
    while True:
        file = open_regular(path, "r+b", os.O_APPEND)
        if not _lock(file):
            file.close()
            raise FileClaimed(EINVAL, "another program writes it", str(path))
        if has_path(file, path):
            return file
        file.close()  # it was replaced before it was locked


def _lock(file: FileIO) -> bool:
    """Lock a file, unless somebody else has; where there are no locks, nobody has."""
    if flock is not None:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a file system without locks
    return True


def release(file: FileIO) -> None:
    """Close a file that was claimed; a process that was forked in between does not keep the claim."""
    if flock is not None and not file.closed:
        with suppress(OSError):
            flock(file, LOCK_UN)
    file.close()


@contextmanager
def replacing(path: str | PathLike[str], claimed: FileIO | None = None) -> Iterator[None]:
    """Hold the claim of a file, if it exists, while the block replaces it.

    Args:
        path: the file.
        claimed: the file, if it was claimed already; it is released.

    Raises:
        FileClaimed: somebody else has claimed it.
        OSError: it is no regular file.
    """
    if claimed is None:
        with suppress(FileNotFoundError):
            claimed = claim(path)
    if claimed is not None and flock is None:
        claimed.close()  # Windows replaces no open file
    try:
        yield
    finally:
        if claimed is not None:
            release(claimed)


def has_path(file: FileIO, path: str | PathLike[str]) -> bool:
    """Whether an open file is still the one at a path, and was not replaced or removed."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
