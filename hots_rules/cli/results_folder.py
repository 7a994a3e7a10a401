"""A folder of files by their names, as a study keeps its results."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from pathlib import Path

from attrs import frozen

from hots_rules._files import atomic_write, read_file

MAX_BYTES = 16_000_000
"""The size of a file that is read; of a larger one only so much, and it counts as damaged."""


@frozen
class ResultsFolder(MutableMapping[str, bytes]):
    """The files of a folder; it is made for the first of them.

    Attributes:
        path: the folder.
    """

    path: Path

    def __getitem__(self, name: str) -> bytes:
        try:
            return read_file(self.path / name, MAX_BYTES)
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, data: bytes) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        atomic_write(self.path / name, data)

    def __delitem__(self, name: str) -> None:
        (self.path / name).unlink()

    def __iter__(self) -> Iterator[str]:
        return (file.name for file in self.path.glob("*.parquet"))

    def __len__(self) -> int:
        return sum(1 for _ in self)
