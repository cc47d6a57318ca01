"""Prints the versioned JSON document of every verb, one value a line, and parts of comments."""

import json
import re
from collections.abc import Iterable, Mapping
from html import escape

from fabricgen.cli.plain import clean

COMMENT_LIMIT = 60_000  # a pull-request comment holds 65,536 characters
_PLACE = 90  # characters

FORMAT = 1
"""A newer one may leave keys out or change what they mean; keys may come without it."""


def document(data: Mapping[str, object]) -> str:
    """Print data as one document."""
    return json.dumps({"format_version": FORMAT, **data}, indent=1) + "\n"


def cell(text: str) -> str:
    """Keep text inside one Markdown table cell: no markup, no mention, no new cell."""
    text = clean(text)
    for letter in "\\`*_[]<>|":
        text = text.replace(letter, f"\\{letter}")
    return text.replace("@", "@\u200b")


def comment(lines: list[str], blocks: Iterable[str], total: int, rest: str) -> str:
    """Return a pull-request comment: lines, then blocks, as many as it holds.

    total: the number of blocks. rest: the words about blocks that do not fit, after their number.
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
    """Fold the lines of a difference for a comment."""
    shown = "\n".join(fenced([*map(clean, body)]))
    return f"\n<details><summary>{escape(clean(head))}</summary>\n\n{table}{shown}\n</details>"


def fenced(body: list[str]) -> list[str]:
    """Put lines of a difference into a fence that is longer than any run of ticks in them."""
    longest = max((len(run) for line in body for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}diff", *body, fence]


def place_of_rule(file: str, place: str, more: int, kind: str) -> str:
    """Return where a rule of risk applies: the first place, cut to its length."""
    first = clean(place)
    shown = first if len(first) <= _PLACE else f"{first[: _PLACE - 1]}…"
    where = f"{clean(file)}: {shown}" if file else "all of it"
    return f"{where}{f' and {more} more' if more else ''} ({kind})"


def rule_lines(risk: str, where: str, why: str) -> list[str]:
    """Return two lines for a rule of risk: its class and place, and its reason."""
    return [f"  {risk:<20} {where}", f"  {'':<20} {why}"]
