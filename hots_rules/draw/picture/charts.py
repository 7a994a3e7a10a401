"""Bar charts with percentages."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules._notebook import shown
from hots_rules.diagnostics import cropped

_LINE = 24
_NAMES, _BARS, _END = 220, 300, 90
MAX_NOTE_LENGTH = 16  # that has room after a bar
_COLOUR = "#4a7ac2"  # is clear on white and on black


def bars(
    title: str,
    shares: Mapping[str, float],
    notes: Mapping[str, str] | None = None,
    longest: int = MAX_NOTE_LENGTH,
) -> str:
    """A chart with a bar, a name and a percentage for each share, in the colour of the text around it.

    A note stands after the percentage; one with more than `longest` letters only in the tooltip.
    """
    notes = notes or {}
    short_notes = {name: note for name, note in notes.items() if len(note) <= longest}
    extra = 150 if any(short_notes.values()) else 0
    width, height = _NAMES + _BARS + _END + extra, 34 + _LINE * len(shares)
    drawn = [f'<text x="8" y="20" font-weight="700">{shown(title)}</text>']
    for row, (name, share) in enumerate(shares.items()):
        y = 34 + _LINE * row
        long = max(_BARS * min(max(share, 0.0), 1.0), 1)
        percentage = f"{100 * share:.1f} %"
        text = f"{percentage}  {short_notes.get(name, '')}".rstrip()
        full = f"{percentage}  {notes.get(name, '')}".rstrip()
        short = cropped(name, 30)
        drawn.append(
            f"<g><title>{shown(name)}: {shown(full)}</title>"
            f'<text x="{_NAMES - 8}" y="{y + 15}" text-anchor="end">{shown(short)}</text>'
            f'<rect x="{_NAMES}" y="{y + 3}" width="{long:.1f}" height="16" fill="{_COLOUR}"/>'
            f'<text x="{_NAMES + long + 6:.1f}" y="{y + 15}">{shown(text)}</text></g>'
        )
    label = "; ".join(f"{name}: {100 * share:.1f} %" for name, share in shares.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{shown(f"{title}: {label}")}" font-size="13" '
        f"font-family=\"Lato, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" fill=\"currentColor\">"
        f"{''.join(drawn)}</svg>"
    )
