"""Defines the result of a secret provider: a value that hides itself, or a reason of failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Found:
    """A secret value, with a warning about its storage if needed."""

    value: str = field(repr=False)
    warning: str = ""


class NoSecret(Exception):  # noqa: N818 - shown to the operator: which secret is missing, and why
    """The provider does not have the secret. The text is shown: never put a value into it."""


class Unresolved(Exception):  # noqa: N818 - shown to the operator
    """Secrets that cannot be resolved or used. sentences: one per secret, without a value."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        self.sentences = sentences
        super().__init__("\n".join(sentences))


if TYPE_CHECKING:
    Provider = Callable[[str, Path], Found]
    """Resolves the part after the scheme, relative to the site's folder. Raises NoSecret."""
