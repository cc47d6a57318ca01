"""Draw the packet memory of one kind of switch as SVG.

The memory is one bar: reserved, headroom, shared. The bar below shows the same bytes for one
lossless queue: the points where marking starts, where all packets are marked, and where pause is
sent.
"""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from fabricgen.core.record import record
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.lossless.marking import Points

WIDTH, MARGIN, BAR = 900, 30, 46
_FILL = {"reserved": "#9aa0a6", "headroom": "#d97706", "shared": "#2563eb"}
_FREE, _MARKED, _PAUSED = "#2563eb22", "#16a34a66", "#dc262655"
_ROWS = 4  # of names below a queue; neighbors never share one
_STYLE = (  # readable on light and on dark pages
    "text{font:13px system-ui,sans-serif;fill:#111}.dim{fill:#555}"
    ".line{stroke:#111;stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.dim{fill:#aaa}.line{stroke:#eee}}"
)


@record()
class _Scale:
    """Bytes to pixels."""

    most: int

    def x(self, value: int) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * value / self.most


def picture(title: str, buffers: SwitchBuffers, plans: Mapping[str, Points]) -> str:
    """Draw the memory of one kind of switch; `plans` has the marking of each lossless class."""
    queue = _queue(buffers, plans)
    rows = [_text(MARGIN, 26, title, size=16), *_memory(buffers), *queue]
    body, height = "\n".join(rows), 306 if queue else 150
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{escape(title)}">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _memory(buffers: SwitchBuffers) -> list[str]:
    scale, left, rows = _Scale(int(buffers.memory)), 0, []
    reserved = max(0, int(buffers.memory) - int(buffers.headroom) - int(buffers.shared))
    parts = {"reserved": reserved, "headroom": int(buffers.headroom), "shared": int(buffers.shared)}
    rows.append(
        _text(
            MARGIN,
            54,
            f"packet memory of {buffers.model} ({buffers.asic}): {megabytes(buffers.memory)}",
            dim=True,
        )
    )
    for index, (name, size) in enumerate(parts.items()):
        if size > 0:
            rows.append(_box(scale.x(left), 64, scale.x(left + size) - scale.x(left), _FILL[name]))
        left += size
        label = f"{name} {megabytes(size)} ({100 * size / int(buffers.memory):.1f} %)"
        rows += _legend(MARGIN + index * 280, 133, _FILL[name], label)
    return rows


def _queue(buffers: SwitchBuffers, plans: Mapping[str, Points]) -> list[str]:
    if buffers.pause_at is None:
        return []
    ranges = _ranges(plans)
    marks = [
        (f"{point}{of}", value)
        for of, (low, high) in ranges.items()
        for point, value in (("Kmin", low), ("Kmax", high))
    ]
    marks.append(("pause", int(buffers.pause_at)))
    scale = _Scale(round(1.15 * max(value for _, value in marks)))
    label = "one lossless group while all ports are congested"
    if buffers.classes > 1:
        label = f"one of {buffers.classes} lossless groups of a port while all are congested"
    rows = [
        _text(MARGIN, 176, label, dim=True),
        *(_legend(500, 176, _MARKED, "marked") if ranges else ()),
        *_legend(590, 176, _PAUSED, "paused, what comes fills headroom"),
        _box(MARGIN, 186, WIDTH - 2 * MARGIN, _FREE),
    ]
    for low, high in ranges.values():
        rows.append(_box(scale.x(low), 186, scale.x(high) - scale.x(low), _MARKED))
    end = scale.x(int(buffers.pause_at))
    rows.append(_box(end, 186, WIDTH - MARGIN - end, _PAUSED))
    return rows + _names(scale, sorted(marks, key=lambda mark: mark[1]))


def _names(scale: _Scale, marks: list[tuple[str, int]]) -> list[str]:
    """Name the points below the queue, from left to right a row further down each."""
    rows = []
    for index, (name, value) in enumerate(marks):
        x, y = scale.x(value), 250 + 16 * (index % _ROWS)
        rows.append(f'<line class="line" x1="{x:.1f}" y1="182" x2="{x:.1f}" y2="236"/>')
        beside = min(max(x, MARGIN + 80), WIDTH - MARGIN - 80)  # no name leaves the picture
        rows.append(_text(beside, y, f"{name} {kilobytes(value)}", anchor="middle"))
    return rows


def _legend(x: float, y: int, fill: str, label: str) -> list[str]:
    square = f'<rect x="{x}" y="{y - 11}" width="12" height="12" fill="{fill}"/>'
    return [square, _text(x + 18, y, label)]


def _ranges(plans: Mapping[str, Points]) -> dict[str, tuple[int, int]]:
    """Return Kmin and Kmax of each class with its name; once if all are equal."""
    ranges = {name: (int(plan.minimum), int(plan.maximum)) for name, plan in plans.items()}
    if len(set(ranges.values())) == 1:
        return {"": next(iter(ranges.values()))}
    return {f" of {name}": points for name, points in ranges.items()}


def megabytes(value: int) -> str:
    """Spell bytes as megabytes of 10^6."""
    return f"{int(value) / 1e6:.2f} MB"


def kilobytes(value: int) -> str:
    """Spell bytes as kilobytes of 10^3."""
    return f"{int(value) / 1e3:,.0f} kB"


def _box(x: float, y: float, width: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y}" width="{max(width, 1):.1f}" height="{BAR}" fill="{fill}"/>'


def _text(
    x: float, y: float, text: str, *, size: int = 13, dim: bool = False, anchor: str = "start"
) -> str:
    style = ' class="dim"' if dim else ""
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="{size}" text-anchor="{anchor}"{style}>'
        f"{escape(text)}</text>"
    )
