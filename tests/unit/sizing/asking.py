"""Needs in the words of the command line: what a test does not say is as its defaults have it."""

from typing import Any

from fabricgen.cli.size import command, needs_of
from fabricgen.plan.sizing.needs import Needs


def needs(*words: str) -> Needs:
    """Return the needs of `fabricgen size` with these words."""
    with command.make_context("size", list(words)) as context:
        said: dict[str, Any] = dict(context.params)
    return needs_of(said)
