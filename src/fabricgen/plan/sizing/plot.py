"""Draws switches, optics and watts for each GPU, for every design and size, as SVG."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil, log2, log10
from xml.sax.saxutils import escape

from fabricgen.core.record import record
from fabricgen.plan.sizing.candidates import candidate
from fabricgen.plan.sizing.designs import DESIGNS
from fabricgen.plan.sizing.needs import Needs

FIRST, LAST = 64, 100_000
"""Default minimum and maximum of drawn GPUs."""


@record(kw_only=True)
class Point:
    """One design at one size. `watts`: None if the watts of one model are unknown."""

    design: str
    gpus: int
    switches: int
    optics: int
    watts: float | None


def sizes(most: int = LAST) -> list[int]:
    """Return numbers of GPUs: each twice the previous one, and the last."""
    found = []
    gpus = FIRST
    while gpus < most:
        found.append(gpus)
        gpus *= 2
    return [*found, most]


def sweep(needs: Needs, gpus: Sequence[int]) -> list[Point]:
    """Design the backend at every size; a design ends at its largest fitting size."""
    alone = replace(needs, frontend=None, storage=None, growth=1.0)
    found: list[Point] = []
    for design in DESIGNS:
        if not design.infiniband:
            found += _of(alone, design.name, gpus)
    return found


def _of(needs: Needs, name: str, gpus: Sequence[int]) -> Iterator[Point]:
    design = next(each for each in DESIGNS if each.name == name)
    for size in gpus:
        made = candidate(replace(needs, servers=ceil(size / needs.gpus)), design)
        if made.why_not:
            return
        parts = made.backend.parts
        yield Point(
            design=name,
            gpus=made.backend.gpus,
            switches=made.backend.switch_count,
            optics=sum(parts.optics.values()) + sum(parts.cables.values()),
            watts=made.backend.draw.typical,
        )


WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 900, 210, 80, 170, 56, 58
_COLORS = {
    "rail-only": "#16a34a",
    "rails-apart": "#d97706",
    "rail-optimized": "#2563eb",
    "three-tier": "#dc2626",
}
_DASHES = {"rails-apart": "7 6"}  # it coincides with rail-optimized at sizes that fit both
_STYLE = (  # readable on light and on dark pages
    "text{font:13px "
    "system-ui,sans-serif;fill:#111}.dim{fill:#555}.axis{stroke:#111;stroke-width:1}.grid{stroke:#9aa0a6;stroke-opacity:.35}@media(prefers-color-scheme:dark){text{fill:#eee}.dim{fill:#aaa}.axis{stroke:#eee}}"
)
Value = Callable[[Point], float | None]
PANELS: tuple[tuple[str, Value], ...] = (
    ("switches for each GPU", lambda point: point.switches / point.gpus),
    ("optics for each GPU", lambda point: point.optics / point.gpus),
    (
        "watts for each GPU: switches at usual load, and optics",
        lambda point: None if point.watts is None else point.watts / point.gpus,
    ),
)


@record(kw_only=True)
class _Frame:
    """Place of a panel, and conversion to pixels. `top`: of its area. `most`: at the top."""

    first: int
    last: int
    top: float
    most: float

    def x(self, gpus: float) -> float:
        span = log2(self.last / self.first) or 1.0
        return LEFT + (WIDTH - LEFT - RIGHT) * log2(gpus / self.first) / span

    def y(self, value: float) -> float:
        return self.top + PANEL * (1 - value / self.most)


def plot(title: str, points: Sequence[Point]) -> str:
    """Draw every panel; a design with an unknown value has no line there."""
    rows = [_text(LEFT, 28, title, size=16)]
    for number, (label, value) in enumerate(PANELS):
        rows += _panel(label, value, points, TOP + number * (PANEL + GAP))
    height = TOP + len(PANELS) * (PANEL + GAP)
    body = "\n".join(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{escape(title)}">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _panel(label: str, value: Value, points: Sequence[Point], top: float) -> Iterator[str]:
    known = [(point, number) for point in points if (number := value(point)) is not None]
    yield _text(LEFT, top - 8, label, dim=True)
    if not known:
        yield _text(LEFT, top + PANEL / 2, "not known: see the table", dim=True)
        return
    sizes = sorted({point.gpus for point, _ in known})
    most = _round_up(max(number for _, number in known))
    frame = _Frame(first=sizes[0], last=sizes[-1], top=top, most=most)
    yield from _axes(frame)
    lines: dict[str, list[tuple[float, float]]] = {}
    for point, number in known:
        lines.setdefault(point.design, []).append((frame.x(point.gpus), frame.y(number)))
    for design, places in lines.items():
        yield from _line(design, places)
    yield from _names(frame, list(lines))


def _axes(frame: _Frame) -> Iterator[str]:
    right, bottom = WIDTH - RIGHT, frame.top + PANEL
    for step in range(5):
        value = frame.most * step / 4
        y = frame.y(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>'
        yield _text(LEFT - 8, y + 4, f"{value:.3g}", anchor="end", dim=True)
    yield f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>'
    ticks = [frame.first * 4**power for power in range(12) if frame.first * 4**power <= frame.last]
    for gpus in ticks:
        x = frame.x(gpus)
        yield f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}"/>'
        yield _text(x, bottom + 20, f"{gpus:,}", anchor="middle", dim=True)
    yield _text(right + 8, bottom + 20, "GPUs", dim=True)


def _line(design: str, places: Sequence[tuple[float, float]]) -> Iterator[str]:
    color, dash = _COLORS[design], _DASHES.get(design)
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    style = f' stroke-dasharray="{dash}"' if dash else ""
    yield (f'<polyline points="{told}" fill="none" stroke="{color}" stroke-width="2.5"{style}/>')
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'


def _names(frame: _Frame, designs: Sequence[str]) -> Iterator[str]:
    """Draw the names of the lines next to the panel."""
    x = WIDTH - RIGHT + 24
    for number, design in enumerate(designs):
        y = frame.top + 16 + 20 * number
        yield f'<circle cx="{x}" cy="{y - 4:.1f}" r="5" fill="{_COLORS[design]}"/>'
        yield _text(x + 11, y, design)


def _round_up(value: float) -> float:
    """Return the end of an axis: a round number, at least as large."""
    scale = 10.0 ** (ceil(log10(value)) - 1)
    return scale * next(
        step for step in (1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if step * scale >= value
    )


def _text(
    x: float, y: float, text: str, *, size: int = 13, dim: bool = False, anchor: str = "start"
) -> str:
    style = ' class="dim"' if dim else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{style}>'
        f"{escape(text)}</text>"
    )
