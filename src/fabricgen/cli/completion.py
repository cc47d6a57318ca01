"""Implements `fabricgen completion SHELL` and answers completion requests of shells."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from fabricgen.cli.help import define_verb
from fabricgen.cli.plain import is_inert, say
from fabricgen.cli.verbs import SHELL_VARIABLE
from fabricgen.core.plain_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECONDS = 3.0
"""Processor time after which a site is too large to complete."""
_BREAKS = re.compile("[:=]+")
"""Characters of COMP_WORDBREAKS that occur in names. bash splits names at these."""
_BASH = """\
%(complete_func)s() {
    local kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(IFS=$'\\n'; env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _TimeIsUpError(BaseException):
    """Completion took too long. No handler of errors in the compiler catches this."""


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    def end(*_: object) -> None:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class QuietCompletion(ShellComplete):
    """Completion that prints no error and offers only words that a shell does not expand."""

    def complete(self) -> str:
        """Return candidates for the shell, and none after an error or a long time."""
        try:
            with contextlib.redirect_stderr(io.StringIO()), _limited_time():
                return super().complete()
        except (Exception, _TimeIsUpError):  # noqa: BLE001 - an error would disturb the prompt
            return ""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """Return candidates. After `--option=` they include this prefix: they replace the word."""
        option = incomplete.partition("=")[0] if incomplete.startswith("-") else ""
        prefix = f"{option}=" if "=" in incomplete and option else ""
        return [
            CompletionItem(
                f"{prefix}{item.value}" if item.type == "plain" else item.value,
                type=item.type,
                help=clean(" ".join(item.help.split())) if item.help else None,
            )
            for item in super().get_completions(args, incomplete)
            if item.type != "plain" or is_inert(item.value)
        ]


class QuietBash(QuietCompletion, BashComplete):
    """Completion for bash, which splits `sonic:202505` and `--limit=be` into several words."""

    source_template = _BASH
    _typed = ""
    """Part of the word before the cursor that bash keeps."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Join the words that bash split."""
        raw, current = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        joined: list[str] = []
        glued = False
        for word in raw[: current + 1]:
            is_break = _BREAKS.fullmatch(word) is not None
            if joined and (glued or is_break):
                joined[-1] += word
            else:
                joined.append(word)
            glued = is_break
        last = "" if _BREAKS.fullmatch(raw[current]) else raw[current]
        self._typed = joined[-1].removesuffix(last)
        return [_unquoted(word) for word in joined[1:-1]], _unquoted(joined[-1])

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return a candidate without the part that bash keeps."""
        value = str(item.value)
        return f"{item.type},{value.removeprefix(self._typed) if item.type == 'plain' else value}"


class QuietZsh(QuietCompletion, ZshComplete):
    """Completion for zsh."""


class QuietFish(QuietCompletion, FishComplete):
    """Completion for fish."""


_SHELLS = {shell.name: shell for shell in (QuietBash, QuietZsh, QuietFish)}


def _unquoted(word: str) -> str:
    return "".join(split_arg_string(word)[:1])


def register_shells() -> None:
    """Register the classes of this module with click."""
    for shell in _SHELLS.values():
        add_completion_class(shell)


@define_verb("completion", examples=("completion bash", "completion fish"))
@click.argument("shell", type=click.Choice(tuple(_SHELLS)))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell.

    The script completes verbs, options and the names in a site. ~/.bashrc and ~/.zshrc (below
    compinit) need the line eval "$(fabricgen completion bash)", with zsh in the latter. config.fish
    needs the line fabricgen completion fish | source.
    """
    program = context.find_root()
    say(_SHELLS[shell](program.command, {}, "fabricgen", SHELL_VARIABLE).source(), nl=False)
    return 0
