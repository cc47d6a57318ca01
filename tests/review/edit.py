"""Describes an edit of an example site with the summary of an engineer, and carries it out."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.core.record import record
from fabricgen.review.build import review
from fabricgen.review.model import Review
from fabricgen.review.sides import read_sides

INTENT = Path(__file__).resolve().parents[2] / "intent"
Steps = tuple[tuple[str, str, str], ...]
"""File, old text, new text. The old text of a new file is empty."""


@record(kw_only=True)
class Edit:
    """One edit, and the review that an engineer wrote before the tool was asked.

    Attributes:
        name: Name of the test.
        site: Example in `intent/`; empty for a site that `given` defines.
        steps: The edit.
        given: Steps on both sides before the edit.
        engineer: Summary in one to four sentences.
        words: Words of the engineer in the first line of the comment.
        causes: Changed keys.
        effects: Patterns of keys of leading effects.
        hit: Who loses what, in the words of the engineer.
        extra: Patterns of further leading effects, each with the reason to accept it.
        lines: Most lines of the Markdown.
        corrected: What the engineer got wrong, as the files of the devices show. The summary stays,
            and `words` and `effects` are the right ones.
    """

    name: str
    site: str
    steps: Steps
    engineer: str
    words: tuple[str, ...]
    causes: tuple[str, ...]
    effects: tuple[str, ...]
    hit: str
    given: Steps = ()
    extra: tuple[tuple[str, str], ...] = ()
    lines: int = 40
    corrected: str = ""


def carry_out(site: str, steps: Iterable[tuple[str, str, str]], folder: Path) -> Path:
    """Write a changed copy of a site.

    Raises:
        ValueError: If an old text does not occur exactly once.
    """
    if folder.exists():
        shutil.rmtree(folder)
    if site:
        shutil.copytree(INTENT / site, folder)
    for name, old, new in steps:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text() if file.exists() else ""
        if not old and text:
            raise ValueError(f"{name} exists in {site}: give the text to replace")
        if old and text.count(old) != 1:
            raise ValueError(f"{name} of {site} has {old!r} {text.count(old)} times, not once")
        file.write_text(text.replace(old, new) if old else new)
    return folder


def reviewed(one: Path, other: Path) -> Review:
    """Return the review of two sites that compile."""
    sides = read_sides(str(one), str(other))
    for side in sides:
        assert side.site is not None, [each.message for each in side.findings]
    return review(*sides)


def review_of(edit: Edit, folder: Path) -> Review:
    """Return the review of an edit."""
    one = carry_out(edit.site, edit.given, folder / "before")
    other = carry_out(edit.site, (*edit.given, *edit.steps), folder / "after")
    return reviewed(one, other)


def keys(review: Review) -> Iterator[str]:
    """Yield the key of every leading effect."""
    yield from (each.key for each in review.effects if not each.derived)
