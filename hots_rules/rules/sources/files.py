"""Reads the texts of files and folders, up to a maximal size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hots_rules._files import check_link, leads_out, read_file
from hots_rules._text import plain_text
from hots_rules.diagnostics import Fault, RulesetError, Span

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES = 2_000_000  # of a file, and of all files of a ruleset
MAX_FILES = 200


def read_text(entry: Path | Traversable, name: str) -> str:
    """The text of a file, as a plain text.

    Raises:
        OSError: it cannot be read, is a pipe or a device, or a link that leads out of its folder.
        RulesetError: it is too large, or not text.
    """
    data = _read_bytes(entry)
    if len(data) > MAX_BYTES:
        headline = f"the file `{name}` has more than {MAX_BYTES:,} bytes"
        raise unplaced_error("too-large", headline, "split it by chapter")
    try:
        return plain_text(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fault = Fault(
            "malformed-text",
            f"expected text in UTF-8, got the byte 0x{data[error.start]:02x}",
            Span(name, line, 1, line, 2),
            help="save the file as UTF-8",
        )
        raise RulesetError([fault]) from None


def _read_bytes(entry: Path | Traversable) -> bytes:
    if isinstance(entry, Path):
        check_link(entry)
        return read_file(entry, MAX_BYTES)
    with entry.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def read_texts(
    entries: dict[str, Path | Traversable], already_read: dict[str, str]
) -> dict[str, str]:
    """The texts of some files by name; those that are known by file name are not read again."""
    if len(entries) > MAX_FILES:
        raise unplaced_error(
            "too-large",
            f"expected at most {MAX_FILES} files, got {len(entries)}",
            "put the rules of a chapter into one file",
        )
    texts = {
        name: already_read[entry.name] if entry.name in already_read else read_text(entry, name)
        for name, entry in entries.items()
    }
    if (total := sum(map(len, texts.values()))) > MAX_BYTES:
        raise unplaced_error(
            "too-large",
            f"expected at most {MAX_BYTES:,} characters in all files, got {total:,}",
            "keep tables and labels short",
        )
    return texts


def is_folder(path: Path | Traversable) -> bool:
    """Whether a path is a folder that can be read."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def files_in(folder: Path | Traversable, ending: str) -> list[Path | Traversable]:
    """The files of a folder whose names end with `ending`, sorted by name."""
    entries = [entry for entry in folder.iterdir() if entry.name.endswith(ending)]
    return sorted(entries, key=lambda entry: entry.name)


def folders_in(folder: Path | Traversable) -> list[Path | Traversable]:
    """The folders in a folder, sorted by name, without `tables`, which the editions of a game share."""
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    folders = (entry for entry in entries[:MAX_FILES] if entry.is_dir() and not leads_out(entry))
    return [folder for folder in folders if folder.name != "tables"]


def unplaced_error(code: str, headline: str, remedy: str) -> RulesetError:
    """An error without a place in a file."""
    return RulesetError([Fault(code, headline, Span.nowhere(), help=remedy)])
