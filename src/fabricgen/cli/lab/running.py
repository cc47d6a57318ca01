"""Implements `fabricgen lab exec`, `ssh`, `fail` and `restore`, which act on a running lab."""

from __future__ import annotations

import os
import select
import shutil
import sys
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_lab_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import lab_option, one_line
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    import socket
    from pathlib import Path

_SSH_PORT = 22


@define_verb(
    "exec",
    examples=("lab exec fe-leaf01 vtysh -c 'show bgp summary'", "lab exec gpu0001 ip address"),
    codes={0: "Success, otherwise the exit code of COMMAND"},
    context_settings={"ignore_unknown_options": True},
)
@lab_option
@click.argument("name", metavar="SWITCH|HOST", shell_complete=complete_lab_switches)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND…")
@one_line
def execute(lab: str | None, name: str, words: tuple[str, ...]) -> int:
    """Run a command in a lab.

    COMMAND runs on a switch or in the network of a host. Its exit code is returned.
    """
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    done = LabClient(chosen(lab).socket).execute(name, words)
    say(done.stdout, nl=False)
    say(done.stderr, nl=False, err=True)
    return done.status


@define_verb("fail", examples=("lab fail be-spine1", "lab fail fe-leaf01:swp1 --silent"))
@lab_option
@click.option("--silent", is_flag=True, help="Drop packets but keep the link up.")
@click.argument("name", metavar="SWITCH|SWITCH:PORT", shell_complete=complete_lab_switches)
@one_line
def fail(lab: str | None, silent: bool, name: str) -> int:  # noqa: FBT001 - click's way
    """Fail a link or a switch.

    A link is named by the switch and port at one end. `lab restore` restores it.
    """
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    done = LabClient(chosen(lab).socket).call("fail", name=name, silent=silent)
    for cable in done["cables"]:
        say(f"{'silent' if silent else 'down'}: {cable}")
    say(f"to restore: fabricgen lab restore {name}")
    return 0


@define_verb("restore", examples=("lab restore", "lab restore fe-leaf01:swp1"))
@lab_option
@click.argument(
    "name", required=False, metavar="[SWITCH|SWITCH:PORT]", shell_complete=complete_lab_switches
)
@one_line
def restore(lab: str | None, name: str | None) -> int:
    """Restore failed links and switches.

    Without an argument, the verb restores everything. A switch boots again from its files.
    """
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    restored = LabClient(chosen(lab).socket).call("restore", name=name)["restored"]
    say("\n".join(f"restored {name}" for name in restored) or "nothing to restore")
    return 0


@define_verb(
    "ssh",
    examples=("lab ssh fe-leaf01", "lab ssh fe-leaf01 ip route"),
    codes={0: "Success, otherwise the exit code of ssh"},
    context_settings={"ignore_unknown_options": True},
)
@lab_option
@click.option("--user", default="root", show_default=True, help="Account on the switch.")
@click.option("--pipe", is_flag=True, help="Act as an SSH ProxyCommand.")
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
    """Log in to a lab switch.

    With COMMAND, run it on the switch. The verb uses the SSH key and the host keys of the lab.
    """
    from fabricgen.operate.lab.client import LabClient, LabFailure
    from fabricgen.operate.lab.place import chosen

    place = chosen(lab)
    if pipe:
        return _forward(LabClient(place.socket).connect(switch, _SSH_PORT))
    from fabricgen.operate.lab.tools import Tools

    program = shutil.which("ssh") or Tools.here().find("usr/bin/ssh")
    if program is None:
        raise LabFailure("ssh is not installed: run apt-get install openssh-client")
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


def _forward(line: socket.socket) -> int:
    """Forward bytes between standard input and output and a socket until one of them ends."""
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
