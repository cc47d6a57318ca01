"""Groups of verbs whose modules are imported when a verb is used."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from fabricgen.core.record import record

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELL_VARIABLE = "_FABRICGEN_COMPLETE"
"""The environment variable by which a shell asks for candidates. click names it so."""


@record()
class Verb:
    """A verb, its line in `--help`, and the module that has its command.

    Attributes:
        needs: Optional wings below `fabricgen` that the verb imports. An installation without one
            of them has no such verb.
    """

    name: str
    line: str
    module: str
    needs: tuple[str, ...] = ()


@cache
def is_installed(wing: str) -> bool:
    """Tell whether a wing, named below `fabricgen`, is part of this installation."""
    spec = find_spec(f"fabricgen.{wing}")
    return spec is not None and spec.origin is not None  # a folder without files has no origin


class Verbs(click.Group):
    """A group that imports the module of a verb when the verb is used; `--help` imports none."""

    verbs: tuple[Verb, ...]

    def _installed(self) -> dict[str, Verb]:
        return {verb.name: verb for verb in self.verbs if all(map(is_installed, verb.needs))}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order people need them."""
        del ctx
        return list(self._installed())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb."""
        del ctx
        verb = self._installed().get(cmd_name)
        if verb is None:
            return None
        home = importlib.import_module(verb.module)
        commands = (item for item in vars(home).values() if isinstance(item, click.Command))
        return next(item for item in commands if item.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl([(verb.name, verb.line) for verb in self._installed().values()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete the verbs without importing them, and the options of the group."""
        from click.shell_completion import CompletionItem

        verbs = [verb for verb in self._installed().values() if verb.name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(verb.name, help=verb.line) for verb in verbs), *options]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when one is misspelled, and the wing when one is missing."""
        from fabricgen.core.diagnostics import did_you_mean

        is_verb = bool(args) and args[0] in self._installed()
        if args and not args[0].startswith("-") and not is_verb and not ctx.resilient_parsing:
            needs = (verb.needs for verb in self.verbs if verb.name == args[0])
            lacks = [wing for each in needs for wing in each if not is_installed(wing)]
            why = did_you_mean(args[0], self._installed())
            if lacks:
                why = f"this installation lacks fabricgen.{' and fabricgen.'.join(lacks)}"
            ctx.fail(f"no verb {args[0]!r}; {why}")
        return super().resolve_command(ctx, args)
