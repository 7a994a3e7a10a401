"""The numbered headings of a rulebook, from its sections.csv."""

from __future__ import annotations

import csv
import io


def read_sections(text: str) -> dict[str, str]:
    """Section number → heading."""
    rows = csv.DictReader(io.StringIO(text))
    return {row["section"]: row.get("heading") or "" for row in rows if row.get("section")}
