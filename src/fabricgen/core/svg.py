"""Draws SVG elements, dark on white for print.

All texts may come from an untrusted intent, so `text` escapes everything.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

INK, DIM, PAPER, EDGE = "#111827", "#4b5563", "#ffffff", "#374151"
PALETTE = (
    *("#bfdbfe", "#bbf7d0", "#fde68a", "#fbcfe8", "#ddd6fe", "#99f6e4", "#fed7aa", "#e5e7eb"),
)
"""Fills for dark text: INK has a contrast of more than 10 to 1 on each."""
_STYLE = (
    "text{font-family:system-ui,'DejaVu "
    f"Sans',sans-serif;fill:{INK}}}.dim{{fill:{DIM}}}.b{{font-weight:600}}.under{{fill:#fff;fill-opacity:.92}}.box{{stroke:{EDGE}}}.way{{fill:none;stroke:#64748b;stroke-opacity:.7}}"
)
_LABEL = 12
GLYPH = 0.6
"""The average width of a letter, in heights of the font, with some space."""


def sheet(title: str, width: float, height: float, rows: Iterable[str], *, style: str = "") -> str:
    """Return a complete picture on white; screen readers read the title.

    `style`: more rules of CSS, for the kinds of boxes, lines and texts of one picture.
    """
    body = "\n".join(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{escape(_plain(title), {chr(34): "&quot;"})}">\n'
        f"<style>{_STYLE}{style}</style>\n"
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 12,
    anchor: str = "start",
    kind: str = "",
    most: float | None = None,
    upright: bool = False,
) -> str:
    """Return text at a place. `most`: available width; a longer text loses its middle.

    `kind`: classes of the style: dim, b (bold). `upright`: read from below.
    """
    shown = words if most is None else cut(words, most, size)
    whole = f"<title>{escape(_plain(words))}</title>" if shown != words else ""
    style = f' class="{kind}"' if kind else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    turned = f' transform="rotate(-90 {x:g} {y:g})"' if upright else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{side}{style}{turned}>'
        f"{whole}{escape(_plain(shown))}</text>"
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    *,
    round_: int = 2,
    kind: str = "",
) -> str:
    """Return a box with an edge. `kind`: one more class of the style."""
    return (
        f'<rect class="{_classes("box", kind)}" '
        f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{round_}" fill="{fill}"/>'
    )


def way(points: Iterable[tuple[float, float]], width: float = 1, *, kind: str = "") -> str:
    """Return a line through points. `kind`: one more class of the style."""
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="{_classes("way", kind)}" points="{told}" stroke-width="{width:.1f}"/>'


def titled(words: str, rows: Iterable[str]) -> str:
    """Return elements that show a text under the pointer."""
    return f"<g><title>{escape(_plain(words))}</title>{''.join(rows)}</g>"


def label(x: float, y: float, words: str, *, upright: bool = False, kind: str = "") -> str:
    """Return text around the middle of a line, on an opaque background."""
    wide, high = width_of(words, _LABEL) * 0.95 + 4, _LABEL + 2
    if upright:
        shift, wide, high = 4, high, wide
    else:
        shift = 0
    return (
        f'<rect class="under" x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" '
        f'width="{wide:.1f}" height="{high:.1f}"/>'
        + text(
            round(x + shift, 1),
            round(y + 4 - shift, 1),
            words,
            size=_LABEL,
            anchor="middle",
            kind=kind,
            upright=upright,
        )
    )


def legend(x: float, y: float, named: Iterable[tuple[str, str]]) -> tuple[list[str], float]:
    """Return colors with their names side by side, and their right end."""
    rows = []
    for name, fill in named:
        rows += [box(x, y - 10, 12, 12, fill), text(x + 17, y, name, most=200)]
        x += 17 + min(200, width_of(name, 12)) + 18
    return rows, x


def width_of(words: str, size: float) -> float:
    """Return the approximate width of a text."""
    return len(words) * size * GLYPH


def cut(words: str, width: float, size: float) -> str:
    """Return a text that fits, without its middle, since names differ at both ends."""
    room = max(3, int(width / (size * GLYPH)))
    if len(words) <= room:
        return words
    tail = (room - 1) // 2
    return f"{words[: room - 1 - tail]}…{words[len(words) - tail :]}"


def _classes(first: str, other: str) -> str:
    return f"{first} {other}" if other else first


def _plain(words: str) -> str:
    """Return text without characters that XML forbids or that change the reading direction."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in words)
