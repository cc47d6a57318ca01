"""`fabricgen lab …`: a site as a running network."""

from __future__ import annotations

import importlib

import click

from fabricgen.diagnostics import did_you_mean

VERBS = {
    "up": "boot a site, or a part of it, and prove that it runs as designed",
    "status": "compare every running switch with the model",
    "exec": "run a command on a switch or in a host's network",
    "ssh": "log in on a switch",
    "traffic": "send real packets and judge by the model what they prove",
    "fail": "break a cable or a switch",
    "heal": "mend what was broken",
    "down": "end a lab; nothing stays",
    "tools": "unpack the programs that a lab needs; nothing is installed",
    "export": "write a folder that containerlab deploys with vendors' images",
}


class LabVerbs(click.Group):
    """Finds a verb's module when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order people need them."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb."""
        del ctx
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"fabricgen.cli.lab_{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when one is misspelt."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            ctx.fail(f"no verb {args[0]!r}; {did_you_mean(args[0], VERBS)}")
        return super().resolve_command(ctx, args)


@click.command("lab", cls=LabVerbs)
def command() -> None:
    """Boot a site as real FRR switches on this machine, or export it for containerlab."""
