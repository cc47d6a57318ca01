"""Defines the colors and lines of the picture of a change, and its key."""

from collections.abc import Iterable, Sequence

from fabricgen.core.svg import PALETTE, box, text, way, width_of
from fabricgen.core.tree.risk import Risk
from fabricgen.review.picture.boxes import Box
from fabricgen.review.picture.groups import Picture
from fabricgen.review.picture.touched import Status

RISKS = {
    Risk.HITLESS: PALETTE[0],
    Risk.SESSION_RESET: PALETTE[2],
    Risk.LOSSLESS_DISRUPTIVE: "#fdba74",
    Risk.REBOOT: "#fca5a5",
}
STATUSES = {
    Status.SAME: "#f3f4f6",
    Status.CHANGED: "#ffffff",
    Status.NEW: "#f0fdf4",
    Status.REMOVED: "#fef2f2",
    Status.MOVED: PALETTE[4],
}
CLASSES = {
    Status.SAME: "same",
    Status.CHANGED: "",
    Status.NEW: "new",
    Status.REMOVED: "gone",
    Status.MOVED: "moved",
}
"""Class of an edge or a line."""
STYLE = (
    ".same{stroke:#9ca3af}.way.same{stroke:#cbd5e1}"
    ".way.cable{stroke:#b45309;stroke-opacity:1}"
    ".new{stroke:#15803d;stroke-dasharray:7 3;stroke-width:2;stroke-opacity:1}"
    ".gone{stroke:#b91c1c;stroke-dasharray:7 3;stroke-width:2;stroke-opacity:1}"
    ".moved{stroke:#6d28d9;stroke-width:2;stroke-opacity:1}"
    ".shift{stroke:#6d28d9;stroke-width:2.5;stroke-opacity:1;marker-end:url(#fg-arrow)}"
    ".tn{fill:#166534;font-weight:600}.tg{fill:#991b1b;font-weight:600}"
    ".tm{fill:#5b21b6;font-weight:600}.tc{fill:#92400e;font-weight:600}"
)
TEXTS = {
    Status.SAME: "dim",
    Status.CHANGED: "tc",
    Status.NEW: "tn",
    Status.REMOVED: "tg",
    Status.MOVED: "tm",
}
"""Class of the number on a line."""


def marker() -> str:
    """Return the head of an arrow, which moves use."""
    head = '<path d="M0,0L8,4L0,8z" fill="#6d28d9"/>'
    place = 'viewBox="0 0 8 8" refX="7" refY="4" orient="auto"'
    size = 'markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse"'
    return f'<defs><marker id="fg-arrow" {place} {size}>{head}</marker></defs>'


def line_class(status: Status) -> str:
    """Return the class of a line of cables."""
    return "cable" if status is Status.CHANGED else CLASSES[status]


def fill(each: Box) -> str:
    """Return the color of a box: its risk, except for devices on one side only."""
    if each.status in (Status.NEW, Status.REMOVED, Status.MOVED) or each.risk is None:
        return STATUSES[each.status]
    return RISKS[each.risk]


def key_of_colors(x: float, y: float, pictures: Sequence[Picture]) -> Iterable[str]:
    """Yield the colors and lines in use with their meaning, in one row."""
    boxes = [each for picture in pictures for each in picture.boxes]
    for risk, color in RISKS.items():
        if any(fill(each) == color for each in boxes):
            yield box(x, y - 11, 18, 13, color)
            yield text(x + 23, y, risk.word)
            x += 41 + width_of(risk.word, 12)
    used = {each.status for each in boxes}
    used |= {each.status for picture in pictures for each in picture.bundles}
    for status in (Status.NEW, Status.REMOVED, Status.MOVED):
        if status in used:
            yield way([(x, y - 4), (x + 24, y - 4)], kind=line_class(status))
            yield text(x + 30, y, status.value)
            x += 48 + width_of(status.value, 12)
    if Status.SAME in used:
        yield box(x, y - 11, 18, 13, STATUSES[Status.SAME], kind=CLASSES[Status.SAME])
        yield text(x + 23, y, Status.SAME.value)
