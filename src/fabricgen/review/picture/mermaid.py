"""Draws the touched switches of a change as a Mermaid flowchart, which forges render."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fabricgen.core.svg import GLYPH, cut
from fabricgen.core.units import counted
from fabricgen.model.fabric.switch import Site
from fabricgen.review.model import Review
from fabricgen.review.picture.boxes import BELOW, Box, Key
from fabricgen.review.picture.groups import Bundle, Picture, picture_of
from fabricgen.review.picture.style import RISKS, STATUSES
from fabricgen.review.picture.touched import Status, Touched
from fabricgen.review.topology import CableChanges

NODES = 30
"""Maximum nodes of a flowchart that a forge draws legibly."""
_NAME = 40
_CLASSES = {risk: risk.word.replace("-", "") for risk in RISKS}
_APART = {Status.NEW: "added", Status.REMOVED: "gone", Status.MOVED: "moved"}
_EDGES = {
    Status.NEW: ("new", "#15803d"),
    Status.REMOVED: ("removed", "#b91c1c"),
    Status.MOVED: ("moved", "#6d28d9"),
    Status.CHANGED: ("changed", "#b45309"),
}
_CODES = {letter: f"#{ord(letter)};" for letter in '"#&<>`;\\|[]{}()*_~'}


def mermaid(
    after: Site,
    review: Review,
    limit: int = NODES,
    *,
    before: Site | None = None,
    changes: CableChanges | None = None,
) -> str:
    """Draw touched switches and their changed cables, the highest risk first.

    Args:
        after: Site of side B.
        review: Review of both sides, for the risk of each device.
        limit: Maximum nodes, one of which counts the rest.
        before: Site of side A. Without it, cables and removed devices are not known.
        changes: Differences of both topologies, if the caller has them already.

    Returns:
        A flowchart without the fence around it, or an empty text if nothing is touched.
    """
    touched = Touched(before=before, after=after, review=review, known=changes)
    pictures = [found for pair in touched.fabrics() if (found := picture_of(touched, *pair))]
    chart = _Chart(limit)
    chart.choose(pictures)
    return "\n".join(chart.lines(pictures)) + "\n" if chart.nodes or chart.left else ""


def escaped(words: str, most: int = _NAME) -> str:
    """Return a text for a quoted label: no markup, no entity, no end of the fence."""
    shown = cut(words, most, 1 / GLYPH)
    return "".join(
        _CODES.get(letter, letter) if letter.isprintable() else "\ufffd" for letter in shown
    )


@dataclass(slots=True)
class _Chart:
    """Nodes by fabric and box, with their identifiers."""

    limit: int
    nodes: dict[tuple[str, Key], str] = field(default_factory=dict)
    left: int = 0

    def choose(self, pictures: Sequence[Picture]) -> None:
        """Take touched switches, then the servers of changed cables, as far as they fit."""
        every = [(picture, each) for picture in pictures for each in picture.boxes]
        ends = {
            (picture.name, key)
            for picture in pictures
            for bundle in picture.bundles
            if bundle.status is not Status.SAME
            for key in (bundle.low, bundle.high)
        }
        wanted = [
            (picture, each)
            for picture, each in every
            if (each.tier > BELOW and each.status is not Status.SAME)
            or (picture.name, each.key) in ends
        ]
        wanted.sort(key=lambda pair: (pair[1].tier == BELOW, -(pair[1].risk or 0)))
        most = self.limit if len(wanted) <= self.limit else self.limit - 1
        for picture, each in wanted[:most]:
            self.nodes[picture.name, each.key] = f"n{len(self.nodes)}"
        self.left = sum(len(each.names) for _, each in wanted[most:])

    def lines(self, pictures: Iterable[Picture]) -> Iterator[str]:
        """Yield the flowchart."""
        yield "flowchart TB"
        colors: list[str] = []
        for number, picture in enumerate(pictures):
            boxes = [each for each in picture.boxes if (picture.name, each.key) in self.nodes]
            if boxes:
                yield f'  subgraph f{number}["{escaped(picture.title, 120)}"]'
                for each in sorted(boxes, key=lambda each: -each.tier):
                    yield f"    {self._node(picture, each)}"
                for bundle in picture.bundles:
                    yield from self._edge(picture, bundle, colors)
                yield "  end"
        if self.left:
            yield f'  rest["{counted(self.left, "more touched device")}"]'
        yield from (f"  linkStyle {place} {color}" for place, color in enumerate(colors))
        yield from _classes()

    def _node(self, picture: Picture, each: Box) -> str:
        words = "<br/>".join(escaped(line) for line in (each.title, *each.notes))
        return f'{self.nodes[picture.name, each.key]}["{words}"]:::{_class(each)}'

    def _edge(self, picture: Picture, each: Bundle, colors: list[str]) -> Iterator[str]:
        """Yield a line of changed cables between two nodes."""
        high, low = (self.nodes.get((picture.name, key)) for key in (each.high, each.low))
        if high and low and each.status in _EDGES:
            word, color = _EDGES[each.status]
            dashed = "-.-" if each.status in (Status.NEW, Status.REMOVED) else "---"
            yield f'    {high} {dashed}|"{each.cables:,} {word}"| {low}'
            colors.append(f"stroke:{color},stroke-width:2px")


def _class(each: Box) -> str:
    if each.status in _APART:
        return _APART[each.status]
    return _CLASSES[each.risk] if each.risk is not None else "plain"


def _classes() -> Iterator[str]:
    """Yield the colors, with dark text on each, also on dark pages."""
    ink = "color:#111827"
    for risk, name in _CLASSES.items():
        yield f"  classDef {name} fill:{RISKS[risk]},stroke:#374151,{ink}"
    edges = {Status.NEW: "#15803d", Status.REMOVED: "#b91c1c", Status.MOVED: "#6d28d9"}
    for status, name in _APART.items():
        dashed = "" if status is Status.MOVED else ",stroke-dasharray:7 3"
        yield f"  classDef {name} fill:{STATUSES[status]},stroke:{edges[status]},{ink}{dashed}"
    yield f"  classDef plain fill:#ffffff,stroke:#374151,{ink}"
