"""Text of a known width: every text in a picture gets the width that is planned for it."""

from __future__ import annotations

from hots_rules.draw.picture.elements import INK, element, words

SANS = "Lato, 'Noto Sans', 'Segoe UI', 'DejaVu Sans', Arial, Helvetica, sans-serif"
SERIF = "'Libertinus Serif', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif"
_NARROW = frozenset("iljtfrI.,:;'’|!()[]/ -")
_WIDE = frozenset("mwMWÆæŒœ×→—…")
SMALLEST = 12.4  # eleven pixels where 1000 units are 900 pixels
_MAX_SQUEEZE = 0.55


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in a usual font, in units."""
    total = sum(_width(letter) for letter in text)
    return total * size * (1.06 if bold else 1)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.33
    if letter in _WIDE:
        return 0.86
    return 0.66 if letter.isupper() or ord(letter) > 0x2E7F else 0.55


def fitted(text: str, size: float, max_width: float, *, bold: bool = False) -> tuple[str, float]:
    """A text that fits a width, shortened if it would be squeezed too much, and the width that it has then."""
    natural = width_of(text, size, bold=bold)
    if natural * _MAX_SQUEEZE <= max_width:
        return text, min(natural, max_width)
    while len(text) > 1 and width_of(f"{text}…", size, bold=bold) * _MAX_SQUEEZE > max_width:
        text = text[:-1].rstrip()
    return f"{text}…", max_width


def lettered(
    text: str,
    x: float,
    y: float,
    size: float,
    max_width: float,
    *,
    bold: bool = False,
    anchor: str = "start",
    fill: str = INK,
    class_: str | None = None,
) -> str:
    """A text at a point of its base line, of at most a width."""
    if not text:
        return ""
    shown, width = fitted(text, size, max_width, bold=bold)
    return element(
        "text",
        words(shown),
        class_=class_,
        x=x,
        y=y,
        font_size=size,
        font_weight="700" if bold else None,
        text_anchor=None if anchor == "start" else anchor,
        fill=None if fill == INK else fill,
        textLength=max(width, 1),
        lengthAdjust="spacingAndGlyphs",
    )


def centred(
    text: str,
    x: float,
    y: float,
    size: float,
    max_width: float,
    fill: str = INK,
    *,
    class_: str | None = None,
) -> str:
    """A text in bold letters, around a point of its base line."""
    return lettered(
        text, x, y, size, max_width, bold=True, anchor="middle", fill=fill, class_=class_
    )


def wrapped(text: str, size: float, max_width: float) -> list[str]:
    """A text in lines of at most a width."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= max_width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
