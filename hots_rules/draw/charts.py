"""Bar charts with percentages."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules._notebook import shown

_LINE = 24
_NAMES, _BARS, _END = 220, 300, 90


def bars(title: str, shares: Mapping[str, float], notes: Mapping[str, str] | None = None) -> str:
    """A chart with a bar, a name and a percentage for each share; a note stands after the percentage."""
    notes = notes or {}
    extra = 150 if any(notes.values()) else 0
    width, height = _NAMES + _BARS + _END + extra, 34 + _LINE * len(shares)
    drawn = [f'<text x="8" y="20" font-weight="700">{shown(title)}</text>']
    for row, (name, share) in enumerate(shares.items()):
        y = 34 + _LINE * row
        long = max(_BARS * min(max(share, 0.0), 1.0), 1)
        text = f"{100 * share:.1f} %  {notes.get(name, '')}".rstrip()
        short = name if len(name) <= 30 else f"{name[:29]}…"
        drawn.append(
            f"<g><title>{shown(name)}: {shown(text)}</title>"
            f'<text x="{_NAMES - 8}" y="{y + 15}" text-anchor="end">{shown(short)}</text>'
            f'<rect x="{_NAMES}" y="{y + 3}" width="{long:.1f}" height="16" fill="#15366b"/>'
            f'<text x="{_NAMES + long + 6:.1f}" y="{y + 15}">{shown(text)}</text></g>'
        )
    told = "; ".join(f"{name}: {100 * share:.1f} %" for name, share in shares.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{shown(f"{title}: {told}")}" font-size="13" '
        f"font-family=\"Lato, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" fill=\"#2a2118\">"
        f'<rect width="100%" height="100%" fill="#fbf5e6"/>{"".join(drawn)}</svg>'
    )
