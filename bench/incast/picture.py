"""docs/pictures/incast.svg: stories and what was seen → one panel each, as SVG text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.incast.cases import MB, PICTURE, Story
from bench.incast.page import first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.incast.simulation import Outcome

WIDTH, LEFT, RIGHT, TOP = 920, 66, 178, 76
PLOT, PANEL = 150, 292  # height of a plot, and from one panel to the next
SPAN = WIDTH - LEFT - RIGHT  # one pixel is one bin of time
HIGHEST = 11 * MB
STRIPS = (("paused", "pause"), ("marks", "mark"), ("drops", "drop"))

_STYLE = """
.paper{fill:#fff}text{fill:#1f2933;font:13px system-ui,"DejaVu Sans",sans-serif}
.title{font-weight:600;font-size:15px}.head{font-weight:600;font-size:17px}
.small{font-size:12px;fill:#52606d}.axis{stroke:#9aa5b1;fill:none}.lane{fill:#9aa5b1;opacity:.18}
.area{fill:#2563eb;opacity:.14}.queue{fill:none;stroke:#2563eb;stroke-width:1.8}
.limit{stroke-width:1.4;fill:none;stroke-dasharray:6 4}
.ecn{stroke:#b45309}.pfc{stroke:#7c3aed}text.ecn{stroke:none;fill:#b45309}
text.pfc{stroke:none;fill:#7c3aed}.pause{fill:#7c3aed}.mark{fill:#d97706}.drop{fill:#dc2626}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}.small{fill:#9da7b3}
.axis{stroke:#6e7681}.area{fill:#58a6ff}.queue{stroke:#58a6ff}.ecn{stroke:#f0a44b}.pfc{stroke:#b392f0}
text.ecn{fill:#f0a44b}text.pfc{fill:#b392f0}.pause{fill:#b392f0}.mark{fill:#f0a44b}
.drop{fill:#ff6b64}}
"""


def draw(stories: Sequence[Story] = PICTURE) -> str:
    """Return the whole picture."""
    height = TOP + PANEL * len(stories)
    panels = "\n".join(
        f'<g transform="translate(0 {TOP + PANEL * number})">\n{_panel(number + 1, story)}\n</g>'
        for number, story in enumerate(stories)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-label="Incast: egress queue, marks, '
        f'pauses and drops over 200 microseconds in three cases">\n<style>{_STYLE}</style>\n'
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>\n'
        + _text(LEFT, 26, "Egress queue of a 4-to-1 incast at 400G over 40 m", "head")
        + _text(
            LEFT,
            46,
            "simulated: 12 MB shared pool, Kmin 1.6 MB, Kmax 6.4 MB, Pmax 20 %, DCQCN senders "
            "unless said otherwise",
            "small",
        )
        + f"\n{panels}\n</svg>\n"
    )


def _panel(number: int, story: Story) -> str:
    seen = story.seen
    assert story.case.marking
    happened = (
        f"Kmax is {story.case.marking.highest / story.queue_at_pause:.2f} of the purple line · "
        f"first mark: {first(seen.marks)} · "
        f"first pause: {first([time for time, _ in seen.pauses])} · drops: {len(seen.drops):,}"
    )
    line, area = _outline(seen, story.case.duration)
    parts = [
        _text(LEFT, 12, f"{number}. {story.title}", "title"),
        _text(LEFT, 30, happened, "small"),
        '<g transform="translate(0 40)">',
        _axes(),
        f'<path class="area" d="{area}"/><path class="queue" d="{line}"/>',
        *_limits(story),
        *_strips(seen, story.case.duration),
        "</g>",
    ]
    return "\n".join(parts)


def _axes() -> str:
    lines = [f'<path class="axis" d="M{LEFT} 0V{PLOT}H{LEFT + SPAN}"/>']
    lines += [_text(LEFT - 8, _y(mb * MB) + 4, f"{mb} MB", "small", "end") for mb in (0, 5, 10)]
    for time in (0, 50, 100, 150, 200):
        x = LEFT + SPAN * time / 200
        lines.append(_text(x, PLOT + 65, f"{time} µs", "small", "middle"))
    return "\n".join(lines)


def _limits(story: Story) -> Iterable[str]:
    marking, end = story.case.marking, LEFT + SPAN
    assert marking
    pausing = "pause at" if story.case.pause else "full at"
    for level, word, style, lift in (
        (marking.highest, "Kmax", "ecn", 4),
        (marking.lowest, "Kmin", "ecn", 4),
        (story.queue_at_pause, pausing, "pfc", 9 if story.queue_at_pause < marking.lowest else 4),
    ):
        y = _y(level)
        yield f'<path class="limit {style}" d="M{LEFT} {y:g}H{end}"/>'
        yield _text(end + 8, y + lift, f"{word} {level / MB:.1f} MB", style)


def _outline(seen: Outcome, duration: int) -> tuple[str, str]:
    """Return line and area of the longest queue from point to point; it holds between changes."""
    points, queued, change = [], 0, 0
    for number in range(0, SPAN + 1, 2):  # two pixels to a point keep the file small
        longest = queued
        until = duration * (number + 2) // SPAN
        while change < len(seen.queue) and seen.queue[change][0] < until:
            queued = seen.queue[change][1]
            longest, change = max(longest, queued), change + 1
        points.append(f"{LEFT + number} {_y(longest):g}")
    line = "M" + "L".join(points)
    return line, f"{line}V{PLOT}H{LEFT}Z"


def _strips(seen: Outcome, duration: int) -> Iterable[str]:
    bins = {
        "paused": _paused(seen, duration),
        "marks": {time * SPAN // duration for time in seen.marks if time < duration},
        "drops": {time * SPAN // duration for time in seen.drops if time < duration},
    }
    for lane, (name, style) in enumerate(STRIPS):
        y = PLOT + 6 + 15 * lane
        yield f'<rect class="lane" x="{LEFT}" y="{y}" width="{SPAN}" height="11"/>'
        path = "".join(f"M{LEFT + x} {y}h{wide}v11h-{wide}z" for x, wide in _stretches(bins[name]))
        yield f'<path class="{style}" d="{path}"/>'
        yield _text(LEFT + SPAN + 8, y + 10, f"{name}: {_counted(seen, name)}", "small")


def _counted(seen: Outcome, name: str) -> str:
    events = {"paused": len(seen.pauses), "marks": len(seen.marks), "drops": len(seen.drops)}
    return f"{events[name]:,} times" if name == "paused" else f"{events[name]:,} frames"


def _paused(seen: Outcome, duration: int) -> set[int]:
    """Return the bins in which at least one port is paused, from decision to decision."""
    changes = sorted([(t, 1) for t, _ in seen.pauses] + [(t, -1) for t, _ in seen.resumes])
    bins: set[int] = set()
    ports = since = 0
    for time, change in [*changes, (duration, 0)]:
        if ports:
            bins.update(range(since * SPAN // duration, min(SPAN, time * SPAN // duration + 1)))
        ports, since = ports + change, time
    return bins


def _stretches(bins: set[int]) -> Iterable[tuple[int, int]]:
    """Return runs of neighboring bins as start and width."""
    for start in sorted(number for number in bins if number - 1 not in bins):
        end = start
        while end in bins:
            end += 1
        yield start, end - start


def _y(queue: float) -> float:
    return round(PLOT * (1 - queue / HIGHEST), 1)


def _text(x: float, y: float, words: str, style: str, anchor: str = "start") -> str:
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{style}" x="{x:g}" y="{y:g}"{anchored}>{words}</text>'
