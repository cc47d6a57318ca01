"""Implements `fabricgen lab exec`, `ssh`, `fail` and `heal`, which act on a running lab."""

from __future__ import annotations

import os
import select
import shutil
import sys
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_lab_switches
from fabricgen.cli.lab.terminal import lab_option, one_line
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    import socket
    from pathlib import Path

_SSH_PORT = 22


@click.command("exec", context_settings={"ignore_unknown_options": True})
@lab_option
@click.argument("name", metavar="SWITCH|HOST", shell_complete=complete_lab_switches)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND…")
@one_line
def execute(lab: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run COMMAND on a switch or in a host's network; its exit code is this one's."""
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    done = LabClient(chosen(lab).socket).execute(name, words)
    say(done.stdout, nl=False)
    say(done.stderr, nl=False, err=True)
    return done.status


@click.command("fail")
@lab_option
@click.option("--silent", is_flag=True, help="Lose packets, but keep the light on.")
@click.argument("name", metavar="SWITCH|SWITCH:PORT", shell_complete=complete_lab_switches)
@one_line
def fail(lab: str | None, silent: bool, name: str) -> int:  # noqa: FBT001 - click's way
    """Break a cable, named by the switch and port at one end, or a whole switch."""
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    done = LabClient(chosen(lab).socket).call("fail", name=name, silent=silent)
    for cable in done["cables"]:
        say(f"{'silent' if silent else 'down'}: {cable}")
    say(f"mend it: fabricgen lab heal {name}")
    return 0


@click.command("heal")
@lab_option
@click.argument(
    "name", required=False, metavar="[SWITCH|SWITCH:PORT]", shell_complete=complete_lab_switches
)
@one_line
def heal(lab: str | None, name: str | None) -> int:
    """Mend one thing, or everything that is broken; switches start again from their files."""
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    healed = LabClient(chosen(lab).socket).call("heal", name=name)["healed"]
    say("\n".join(f"mended {each}" for each in healed) or "nothing is broken")
    return 0


@click.command("ssh", context_settings={"ignore_unknown_options": True})
@lab_option
@click.option("--user", default="root", show_default=True, help="Account on the switch.")
@click.option("--pipe", is_flag=True, help="Carry the bytes only: for ssh's ProxyCommand.")
@click.argument("switch", shell_complete=complete_lab_switches)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND…]")
@one_line
def ssh(
    lab: str | None,
    user: str,
    pipe: bool,  # noqa: FBT001 - click's way
    switch: str,
    words: tuple[str, ...],
) -> int:
    """Log in on a switch with the lab's key, or run COMMAND there; host keys are checked."""
    from fabricgen.operate.lab.client import LabClient, LabFailure
    from fabricgen.operate.lab.place import chosen

    place = chosen(lab)
    if pipe:
        return _carry(LabClient(place.socket).connect(switch, _SSH_PORT))
    from fabricgen.operate.lab.tools import Tools

    program = shutil.which("ssh") or Tools.here().find("usr/bin/ssh")
    if program is None:
        raise LabFailure("no ssh on this machine: apt-get install openssh-client")
    LabClient(place.socket).execute(switch, ("true",))  # names the switches when there is none
    proxy = f"{sys.executable} -m fabricgen lab ssh --lab {place.name} --pipe {switch}"
    options = (
        f"ProxyCommand={proxy}",
        f"UserKnownHostsFile={place.known_hosts}",
        f"HostKeyAlias={switch}",
        f"IdentityFile={place.key}",
        "IdentitiesOnly=yes",
        "StrictHostKeyChecking=yes",
        "LogLevel=ERROR",
    )
    argv = ["ssh", *(f"-o{option}" for option in options), f"{user}@{switch}", *words]
    sys.stdout.flush()
    return _become(program, argv)


def _become(program: str | Path, argv: list[str]) -> int:
    os.execv(program, argv)  # noqa: S606 - this verb becomes ssh


def _carry(line: socket.socket) -> int:
    """Carry bytes between standard input and output and a socket until either ends."""
    sources: list[int] = [0, line.fileno()]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if line.fileno() in ready:
            data = line.recv(65536)
            if not data:
                return 0
            _out(data)
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                return 0
            line.sendall(data)


def _out(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]
