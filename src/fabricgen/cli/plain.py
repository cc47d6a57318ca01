"""Removes control characters from text before it reaches a terminal or a log.

Names and sentences come from switches, files and journals that others write. A control character
could move the cursor, hide a line or set the title of a terminal. A lone surrogate cannot be
printed at all. So all output goes through `say` or `console`, which show such a character as its
number. In a GitHub job, text that the runner would execute as a command is broken up.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from fabricgen.core.plain_text import clean_lines
from fabricgen.core.progress import make_room

if TYPE_CHECKING:
    from rich.console import (
        Console,
        ConsoleOptions,
        ConsoleRenderable,
        RenderHook,
        RenderResult,
    )

# actions/runner, src/Runner.Common/ActionCommand.cs: `::command::` begins a line, `##[command]`
# may be anywhere in a line.
_COMMAND = re.compile(r"^(\s*:)(?=:)|(##)(?=\[)", re.MULTILINE)
_INERT = re.compile(r"(?:-{0,2}|~/)[A-Za-z0-9_./][A-Za-z0-9_./:@+,%=-]*")


def is_inert(word: str) -> bool:
    """Check whether a shell leaves a word unchanged, except for a leading `~/`."""
    return _INERT.fullmatch(word) is not None


def shell_word(text: str) -> str:
    """Return a path as one word of a command, quoted where a shell or an option needs it."""
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def lines(text: str) -> str:
    """Return lines in which control characters are visible, except line breaks and tabs."""
    text = clean_lines(text)
    return _COMMAND.sub("\\g<0>\u200b", text) if os.environ.get("GITHUB_ACTIONS") else text


def say(text: object = "", *, err: bool = False, nl: bool = True, finished: bool = False) -> None:
    """Print a text.

    Args:
        text: The text.
        err: Print to stderr.
        nl: Add a line break.
        finished: The parts of the text are clean already, and then got colors or runner commands.
    """
    make_room()
    click.echo(str(text) if finished else lines(str(text)), err=err, nl=nl, color=finished or None)


def colored(stream: object) -> bool:
    """Check whether a stream gets colors, by NO_COLOR, TERM, FORCE_COLOR and the terminal."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(getattr(stream, "isatty", bool)())


def console(*, err: bool = False, soft_wrap: bool = True) -> Console:
    """Return the console for tables, bars and colored lines."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    out = Console(stderr=err, highlight=False, no_color=not colored(stream), soft_wrap=soft_wrap)
    out.push_render_hook(_hook())
    return out


def _hook() -> RenderHook:
    """Return the hook that cleans all text of a console. rich's control codes stay."""
    from rich.console import RenderHook

    class Hook(RenderHook):
        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[Any]:
            make_room()
            return list(map(_Cleaned, renderables))

    return Hook()


def cleaned(shown: ConsoleRenderable) -> ConsoleRenderable:
    """Return a renderable with clean text. A live display does not pass the hook of `console`."""
    return _Cleaned(shown)


class _Cleaned:
    def __init__(self, shown: ConsoleRenderable) -> None:
        self.shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.shown, options):
            yield segment if segment.control else segment._replace(text=lines(segment.text))
