"""`fabricgen lab exec NAME COMMAND…`: a command on a switch, or in a host's network."""

from __future__ import annotations

import click

from fabricgen.cli.lab_saying import lab_option, one_line


@click.command("exec", context_settings={"ignore_unknown_options": True})
@lab_option
@click.argument("name", metavar="SWITCH|HOST")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND…")
@one_line
def command(lab: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run COMMAND on a switch or in a host's network; its exit code is this one's."""
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.place import chosen

    done = LabClient(chosen(lab).socket).execute(name, words)
    click.echo(done.stdout, nl=False)
    click.echo(done.stderr, nl=False, err=True)
    return done.status
