"""Bar charts with percentages, and intervals as bars."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.diagnostics import cropped
from hots_rules.draw.picture.elements import element, title, words

_LINE = 24
_NAMES, _BARS, _END = 220, 300, 90
MAX_NOTE_LENGTH = 16  # that has room after a bar
_COLOUR = "#4a7ac2"  # is clear on white and on black
_FONTS = "Lato, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"
_INTERVAL_WIDTH, _INTERVAL_HEIGHT, _INTERVAL_EDGE = 260, 18, 8


def bars(
    about: str,
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
    drawn = [element("text", words(about), x=8, y=20, font_weight="700")]
    for row, (name, share) in enumerate(shares.items()):
        y = 34 + _LINE * row
        long = max(_BARS * min(max(share, 0.0), 1.0), 1)
        percentage = f"{100 * share:.1f} %"
        text = f"{percentage}  {short_notes.get(name, '')}".rstrip()
        full = f"{percentage}  {notes.get(name, '')}".rstrip()
        short = cropped(name, 30)
        parts = (
            title(f"{name}: {full}"),
            element("text", words(short), x=_NAMES - 8, y=y + 15, text_anchor="end"),
            element("rect", x=_NAMES, y=y + 3, width=f"{long:.1f}", height=16, fill=_COLOUR),
            element("text", words(text), x=f"{_NAMES + long + 6:.1f}", y=y + 15),
        )
        drawn.append(element("g", "".join(parts)))
    label = "; ".join(f"{name}: {100 * share:.1f} %" for name, share in shares.items())
    return element(
        "svg",
        "".join(drawn),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=f"{about}: {label}",
        font_size=13,
        font_family=_FONTS,
        fill="currentColor",
    )


def interval_bar(
    figure: str, mean: float, interval: tuple[float, float], scale: tuple[float, float]
) -> str:
    """An interval as a line with a mark at the mean, on an axis with a mark at 0, for a cell of a table in a page.

    Args:
        figure: what it is the interval of.
        mean: the mean.
        interval: the ends of the interval; beyond the axis it is cut.
        scale: the ends of the axis.
    """
    low, high = scale
    length = _INTERVAL_WIDTH - 2 * _INTERVAL_EDGE

    def at(value: float) -> str:
        inside = min(max(value, low), high)
        return f"{_INTERVAL_EDGE + length * (inside - low) / (high - low):.1f}"

    middle, (start, end) = _INTERVAL_HEIGHT / 2, map(at, interval)
    axis: dict[str, str] = {"stroke": "#c9bda5", "stroke_width": "1"}
    parts = (
        element("line", x1=at(low), y1=middle, x2=at(high), y2=middle, **axis),
        element("line", x1=at(0.0), y1=1, x2=at(0.0), y2=_INTERVAL_HEIGHT - 1, **axis),
        element("line", x1=start, y1=middle, x2=end, y2=middle, stroke="#15366b", stroke_width="3"),
        element("circle", cx=at(mean), cy=middle, r="4", fill="#a3231f"),
    )
    return element(
        "svg",
        "".join(parts),
        viewBox=f"0 0 {_INTERVAL_WIDTH} {_INTERVAL_HEIGHT}",
        width=_INTERVAL_WIDTH,
        height=_INTERVAL_HEIGHT,
        role="img",
        aria_label=figure,
    )
