"""Draws a change as SVG: the fabrics that it touches, one below the other."""

from fabricgen.core.svg import sheet, text, width_of
from fabricgen.core.tree.risk import Risk
from fabricgen.core.units import counted
from fabricgen.model.fabric.switch import Site
from fabricgen.review.model import Review
from fabricgen.review.picture.groups import Picture, picture_of
from fabricgen.review.picture.layout import MARGIN, Section
from fabricgen.review.picture.style import STYLE, key_of_colors, marker
from fabricgen.review.picture.touched import Touched
from fabricgen.review.topology import CableChanges

_NARROWEST = 640.0
_WIDEST_HEAD = 1_200.0
_HEAD = 78


def svg(
    before: Site | None, after: Site, review: Review, *, changes: CableChanges | None = None
) -> str:
    """Draw the fabrics of a change with touched switches, servers and cables.

    Args:
        before: Site of side A, or None if side A has no model, as a rendered tree.
        after: Site of side B.
        review: Review of both, for the risk of each device.
        changes: Differences of both topologies, if the caller has them already.
    """
    touched = Touched(before=before, after=after, review=review, known=changes)
    pictures: list[Picture] = []
    other: list[str] = []
    for old, new in touched.fabrics():
        found = picture_of(touched, old, new)
        if found is not None:
            pictures.append(found)
        elif new is not None:
            other.append(new.name)
    sections, top = [], float(_HEAD)
    for picture in pictures:
        section = Section.of(picture, top)
        sections.append(section)
        top = section.bottom
    title = f"{after.name}: {_summary(review)}"
    widest = max((section.width for section in sections), default=0)
    heads = [width_of(title, 18), *(width_of(each.title, 15) for each in pictures)]
    width = max(_NARROWEST, widest, min(_WIDEST_HEAD, max(heads) + 2 * MARGIN))
    rows = [
        marker(),
        text(MARGIN, 32, title, size=18, kind="b", most=width - 2 * MARGIN),
        *key_of_colors(MARGIN, 58, pictures),
        *(row for section in sections for row in section.rows(width)),
    ]
    if other:
        words = f"Not touched: {', '.join(other)}"
        rows.append(text(MARGIN, top + 14, words, kind="dim", most=width - 2 * MARGIN))
        top += 24
    return sheet(title, width, top + 12, rows, style=STYLE)


def _summary(review: Review) -> str:
    """Return the numbers of devices by risk: `12 of 209 devices change: 8 hitless, 4 reboot`."""
    number = len(review.changed)
    if not number:
        return f"no changed files on {counted(review.devices, 'device')}"
    risks = [
        f"{review.radius[risk]:,} {risk.word}"
        for risk in sorted(Risk, reverse=True)
        if review.radius.get(risk)
    ]
    numbers = f": {', '.join(risks)}" if risks else ""
    return f"{number:,} of {counted(review.devices, 'device')} change{numbers}"
