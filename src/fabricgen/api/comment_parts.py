"""Makes parts of pull-request comments: table cells, folded diff lines and risk rules."""

import re
from collections.abc import Iterable
from html import escape

from fabricgen.core.plain_text import clean

COMMENT_LIMIT = 60_000  # a pull-request comment holds 65,536 characters
_PLACE = 90  # characters


def cell(text: str) -> str:
    """Return a text for one Markdown table cell, without markup, mentions or new cells."""
    text = clean(text)
    for letter in "\\`*_[]<>|":
        text = text.replace(letter, f"\\{letter}")
    return text.replace("@", "@\u200b")


def comment(lines: list[str], blocks: Iterable[str], total: int, rest: str) -> str:
    """Return a pull-request comment of lines and as many blocks as fit.

    Args:
        lines: The first lines.
        blocks: The blocks.
        total: Number of blocks.
        rest: End of the sentence about blocks that do not fit.
    """
    size = sum(len(line) + 1 for line in lines)
    shown = list(lines)
    for number, block in enumerate(blocks):
        if size + len(block) > COMMENT_LIMIT - 200:
            shown.append(f"\n{total - number} more changes {rest}")
            break
        shown.append(block)
        size += len(block) + 1
    return "\n".join(shown) + "\n"


def folded(head: str, body: Iterable[str], table: str = "") -> str:
    """Return folded diff lines for a comment."""
    shown = "\n".join(fenced([*map(clean, body)]))
    return f"\n<details><summary>{escape(clean(head))}</summary>\n\n{table}{shown}\n</details>"


def fenced(body: list[str]) -> list[str]:
    """Return diff lines in a fence that is longer than any run of backticks in them."""
    longest = max((len(run) for line in body for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}diff", *body, fence]


def place_of_rule(file: str, place: str, more: int, kind: str) -> str:
    """Return the first place of a risk rule, shortened, and the number of further places."""
    first = clean(place)
    shown = first if len(first) <= _PLACE else f"{first[: _PLACE - 1]}…"
    where = f"{clean(file)}: {shown}" if file else "all files"
    return f"{where}{f' and {more} more' if more else ''} ({kind})"


def rule_lines(risk: str, where: str, why: str) -> list[str]:
    """Return two lines for a risk rule: class and place, then the reason."""
    return [f"  {risk:<20} {where}", f"  {'':<20} {why}"]
