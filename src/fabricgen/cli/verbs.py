"""Groups verbs. The module of a verb is imported when the verb is used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from fabricgen.api import is_installed
from fabricgen.cli.help import VerbCommand
from fabricgen.core.record import record

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELL_VARIABLE = "_FABRICGEN_COMPLETE"
"""The environment variable of a shell's completion request. click defines its form."""


@record()
class Verb:
    """A verb, its line in `--help`, and the module that has its command.

    Attributes:
        home: Module of the command. Default: `fabricgen.cli.NAME`.
        needs: Optional packages below `fabricgen` that the verb imports. An installation without
            a needed package omits the verb.
    """

    name: str
    line: str
    home: str = ""
    needs: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module that has the command."""
        return self.home or f"fabricgen.cli.{self.name}"


class Verbs(VerbCommand, click.Group):
    """A group that imports the module of a verb when the verb is used. `--help` imports none."""

    verbs: tuple[Verb, ...]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, subcommand_metavar="VERB …", **settings)

    def _installed(self) -> dict[str, Verb]:
        return {verb.name: verb for verb in self.verbs if all(map(is_installed, verb.needs))}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of their use."""
        del ctx
        return list(self._installed())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb."""
        del ctx
        verb = self._installed().get(cmd_name)
        if verb is None:
            return None
        module = importlib.import_module(verb.module)
        commands = (item for item in vars(module).values() if isinstance(item, click.Command))
        return next(item for item in commands if item.name == cmd_name)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them, then the options."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb.name, verb.line) for verb in self._installed().values()])
        VerbCommand.format_options(self, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete verbs without importing them, and options of the group."""
        from click.shell_completion import CompletionItem

        verbs = [verb for verb in self._installed().values() if verb.name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(verb.name, help=verb.line) for verb in verbs), *options]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest verb for a misspelled one, or name the missing package."""
        from fabricgen.core.diagnostics import did_you_mean

        is_verb = bool(args) and args[0] in self._installed()
        if args and not args[0].startswith("-") and not is_verb and not ctx.resilient_parsing:
            needs = (verb.needs for verb in self.verbs if verb.name == args[0])
            missing = [package for names in needs for package in names if not is_installed(package)]
            hint = did_you_mean(args[0], self._installed())
            if missing:
                hint = f"this installation lacks fabricgen.{' and fabricgen.'.join(missing)}"
            ctx.fail(f"no verb {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)
