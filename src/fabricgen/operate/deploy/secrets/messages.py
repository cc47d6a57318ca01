"""Defines the result of a secret provider: a value that hides itself, or a reason of failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Found:
    """A value, and a sentence about how it is kept when that deserves one."""

    value: str = field(repr=False)
    warning: str = ""


class NoSecret(Exception):  # noqa: N818 - said to the operator: which secret, and why not
    """A provider does not have it. The text is shown: never put a value into it."""


class Unresolved(Exception):  # noqa: N818 - the same, for all of them at once
    """Secrets that cannot be had or used. sentences: one for each, without a value."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        self.sentences = sentences
        super().__init__("\n".join(sentences))


if TYPE_CHECKING:
    Provider = Callable[[str, Path], Found]
    """What follows the scheme, and the site's folder, in; a value out. NoSecret for none."""
