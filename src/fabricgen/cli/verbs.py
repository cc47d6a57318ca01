"""Groups of verbs: words of the command line in, the module of a verb imported when it is used."""

import importlib
from collections.abc import Mapping
from types import MappingProxyType

import click


class Verbs(click.Group):
    """Finds a verb's module when it is used; `--help` imports none of them.

    verbs: each with one line about it. modules: what stands before the verb in its module's name.
    homes: the modules of verbs that share one.
    """

    verbs: Mapping[str, str]
    modules: str
    homes: Mapping[str, str] = MappingProxyType({})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order people need them."""
        del ctx
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb."""
        del ctx
        if cmd_name not in self.verbs:
            return None
        home = importlib.import_module(self.modules + self.homes.get(cmd_name, cmd_name))
        commands = (item for item in vars(home).values() if isinstance(item, click.Command))
        return next(item for item in commands if item.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl(list(self.verbs.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when one is misspelt."""
        from fabricgen.core.diagnostics import did_you_mean

        if args and not args[0].startswith("-") and args[0] not in self.verbs:
            ctx.fail(f"no verb {args[0]!r}; {did_you_mean(args[0], self.verbs)}")
        return super().resolve_command(ctx, args)
