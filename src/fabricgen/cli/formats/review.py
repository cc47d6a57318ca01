"""Prints a review as text."""

from collections.abc import Callable, Iterator, Mapping

from fabricgen.api import review_words as words
from fabricgen.api.comment_parts import place_of_rule, rule_lines
from fabricgen.core.plain_text import clean
from fabricgen.review.model import Block, Review

Texts = Callable[[str, str], Mapping[str, str]]
"""Function that returns the files of a new or removed device, by its folder and status."""


def text(
    review: Review, *, full: bool = False, verdict: str = "", texts: Texts | None = None
) -> str:
    """Return the review for a terminal.

    Args:
        review: The review.
        full: Print every place of every template, and the files of new and removed devices.
        verdict: Result of gates and of the declared change.
        texts: Files of new and removed devices, for `full`.
    """
    lines = [f"what    {words.what(review)}"]
    lines += _labelled("hit", words.who(review))
    lines.append(f"risk    {words.risk(review)}")
    lines += _labelled("order", words.order(review.order))
    lines += [f"verdict {verdict}"] if verdict else []
    lines += [clean(f"note    {note}") for note in review.notes]
    for heading, effects in words.by_cause(review):
        lines += ["", f"cause   {heading}"] if heading else [""]
        lines += [f"  {words.risk_of(each):<20} {words.effect(each)}" for each in effects]
    for each in review.unexplained[: None if full else 20]:
        lines.append(clean(f"  not explained        {each.folder}/{each.file}: {each.line}"))
    for block in review.blocks:
        lines += ["", words.block_title(block)]
        for why in block.reasons:
            where = place_of_rule(why.file, why.place, why.more, why.kind)
            lines += rule_lines(why.risk.word, where, clean(why.why))
        for shape in block.shapes:
            lines += words.lines_of(shape) + words.table(shape, None if full else 6)
        if full and texts is not None and block.status != "changed":
            lines += _complete(block, texts)
    return "\n".join(lines) + "\n"


def _complete(block: Block, texts: Texts) -> Iterator[str]:
    """Yield all lines of new or removed devices."""
    sign = "+" if block.status == "new" else "-"
    for folder in block.folders:
        for path, content in texts(folder, block.status).items():
            yield clean(f"{sign} {folder}/{path}")
            yield from (clean(f"{sign}   {line}") for line in content.splitlines())


def _labelled(label: str, lines: list[str]) -> list[str]:
    return [f"{label if not number else '':<8}{line}" for number, line in enumerate(lines)]
