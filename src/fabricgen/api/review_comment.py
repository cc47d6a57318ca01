"""Writes a review as a pull-request comment of bounded size."""

from fabricgen.api import review_words as words
from fabricgen.api.comment_parts import cell, fenced
from fabricgen.core.plain_text import clean
from fabricgen.core.units import counted
from fabricgen.review.model import Block, Review

MARKER = "<!-- fabricgen:diff -->"
MOST_LINES, MOST_BYTES = 40, 10_000
"""Size of a comment. `--full` lifts both and keeps below the limit of the forges."""
FORGE_BYTES = 60_000
"""GitHub takes 65,536 characters in a comment."""


def markdown(review: Review, *, full: bool = False, verdict: str = "", picture: str = "") -> str:
    """Return a comment: a summary, then folded effects and text.

    Args:
        review: The review.
        full: Print every template, up to the limit of the forges.
        verdict: Result of gates and of the declared change.
        picture: Mermaid text of the touched part, which comes on top of the limits.
    """
    lines = [MARKER, *_summary(review, verdict), ""]
    room = _Room(*((10**6, FORGE_BYTES) if full else (MOST_LINES, MOST_BYTES)))
    room.take(lines)
    effects = _effects(review, room, full=full)
    blocks = _blocks(review, room, full=full)
    drawn = ["", "<details><summary>picture</summary>", "", "```mermaid", *picture.splitlines(),
             "```", "</details>"]  # fmt: skip
    shown = drawn if picture else []
    return "\n".join([*lines, *effects, *blocks, *shown]) + "\n"


class _Room:
    """Lines and bytes that are left in a comment."""

    def __init__(self, lines: int, size: int) -> None:
        self.lines, self.size = lines, size

    def take(self, lines: list[str]) -> list[str]:
        """Use room for some lines."""
        self.lines -= len(lines)
        self.size -= sum(len(line.encode()) + 1 for line in lines)
        return lines

    def fits(self, lines: list[str], spare: int = 0) -> bool:
        """Return whether lines fit and leave some lines free."""
        size = sum(len(line.encode()) + 1 for line in lines)
        return len(lines) + spare <= self.lines and size + spare * 100 <= self.size


def _summary(review: Review, verdict: str) -> list[str]:
    hits = words.who(review)
    more = f" And {counted(len(hits) - 1, 'smaller loss')}." if len(hits) > 1 else ""
    hit = f"{cell(hits[0])}{more}"
    order = words.order(review.order)
    return [
        f"**{cell(words.what(review))}**",
        "",
        "| | |",
        "|--|--|",
        f"| who is hit | {hit} |",
        f"| risk | {cell(words.risk(review))} |",
        f"| order | {cell('. '.join(map(_sentence, order[:3])))} |",
        *([f"| verdict | {cell(verdict)} |"] if verdict else []),
        *([f"| note | {cell('. '.join(review.notes))} |"] if review.notes else []),
        *([f"| **not explained** | {counted(len(review.unexplained), 'line')} |"]
          if review.unexplained else []),
    ]  # fmt: skip


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _effects(review: Review, room: _Room, *, full: bool) -> list[str]:
    """Return the effects under their causes, the worst first."""
    rows: list[str] = []
    for heading, effects in words.by_cause(review):
        if heading:
            rows.append(f"- {cell(heading)}")
        indent = "  " if heading else ""
        rows += [f"{indent}- {cell(words.rated(each))}" for each in effects]
    if not rows:
        return []
    most = len(rows) if full else min(len(rows), max(4, room.lines // 2 - 4))
    number = counted(len(review.effects), "effect")
    head = ["<details open><summary>" + number + " by cause</summary>", ""]
    shown = rows[:most]
    if len(rows) > most:
        shown.append(f"- {counted(len(rows) - most, 'more line')}: `fabricgen diff`")
    while len(shown) > 2 and not room.fits([*head, *shown, "</details>", ""], 6):
        shown = [
            *shown[:-2],
            f"- {counted(len(rows) - len(shown) + 2, 'more line')}: `fabricgen diff`",
        ]
    return room.take([*head, *shown, "</details>", ""])


def _blocks(review: Review, room: _Room, *, full: bool) -> list[str]:
    """Return the changed text; blocks that do not fit are one line each, or counted."""
    if not review.blocks:
        return []
    head = [f"<details><summary>changed text: {counted(len(review.blocks), 'block')}</summary>", ""]
    room.take([*head, "```diff", "```", "</details>"])
    rows: list[str] = []
    left = len(review.blocks)
    for block in review.blocks:
        left -= 1
        title = [f"# {words.block_title(block)}"]
        body = _body(block, full=full)
        spare = min(left, 4)
        while body and not room.fits([*title, *body], spare):
            body = _less(body)
        if not room.fits([*title, *body], min(left, 1)):
            names = words.folders(review.blocks[-left - 1 :])
            rows += room.take(
                [clean(f"# and {counted(left + 1, 'more block')}: {', '.join(names)}"[:300])]
            )
            break
        rows += room.take([*title, *body])
    return [*head, *fenced(rows), "</details>"]


def _body(block: Block, *, full: bool) -> list[str]:
    lines = []
    for shape in block.shapes:
        lines.append(words.compact(shape)[: 10**6 if full else 300])
        if full:
            lines += [f"#{line}" for line in words.table(shape, None)]
        elif found := words.values(shape):
            lines[-1] = f"{lines[-1]}  [{found}]"[:400]
    return lines


def _less(body: list[str]) -> list[str]:
    """Return a body with one line less; the last line counts the sections that are left out."""
    if body[-1].startswith("# …"):
        number = int(body[-1].split()[2].replace(",", "")) + 1
        return (
            [*body[:-2], f"# … {number} more templates (fabricgen diff)"] if len(body) > 1 else []
        )
    return [*body[:-2], "# … 2 more templates (fabricgen diff)"] if len(body) > 1 else []
