"""Implements `fabricgen explain SITE OWNER [LINE|TEXT]`, which traces a line to its intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.api.files import Explanations
from fabricgen.api.nearest import hinted
from fabricgen.cli.candidates import complete_owners
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import as_option, designed, ended, site_argument
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from pathlib import Path

    from fabricgen.api.files import ExplainedLine
    from fabricgen.compile.compiler import Owner
    from fabricgen.model.fabric.switch import Site

_MOST = 40
_NAMED = 5
"""Line numbers that are listed of identical lines."""


@define_verb(
    "explain",
    examples=(
        "explain intent/lab fe-leaf01 router-id",
        "explain intent/lab hosts/gpu0001/etc/nccl.conf:3",
    ),
)
@site_argument
@click.argument("owner", shell_complete=complete_owners)
@click.argument("what", required=False, metavar="[LINE|TEXT]")
@as_option
def command(site: Path, owner: str, what: str | None, as_platform: str | None) -> int:
    """Trace a configuration line to its intent and rule.

    OWNER is a switch, a server, or a file or FILE:LINE of the rendered tree. LINE is a line number
    or FILE:LINE; TEXT is a part of the line. Without both, each rule of OWNER is listed once, with
    the first line that it renders.
    """
    design = designed(site, as_platform)
    from fabricgen.compile.compiler import Cutter

    folder, name, file = _parted(owner)
    found = _owners(design.site, folder).get(name)
    if found is None:
        ended([no_such_owner(design.site, folder, name)], design.source)
    explained = Explanations(found, design.site, design.source, Cutter(design.site)).lines()
    lines = [line for line in explained if _is(line, file)]
    chosen = _first_of_each_rule(lines) if what is None else _matching(lines, what)
    if file and what is None:
        chosen = lines
    if not chosen:
        nothing = Diagnostic(
            Code.NO_SUCH_OBJECT,
            f"no line of {name} contains {what or file!r}",
            hint="TEXT is a part of a rendered line; `fabricgen lossless SITE` shows headroom, "
            "Kmin and pause",
        )
        ended([nothing], design.source)
    _print(chosen)
    return 0


def _parted(owner: str) -> tuple[str, str, str]:
    """Split a name or a path of the rendered tree into folder, switch or server, and the rest."""
    if "/" not in owner:
        return "", owner, ""
    folder, name, *rest = owner.split("/", 2)
    return folder, name, "".join(rest)


def _owners(site: Site, folder: str) -> dict[str, Owner]:
    """Return switches and servers by name, of the site or of one folder of the rendered tree."""
    from fabricgen.compile.compiler import HOSTS
    from fabricgen.nos.hosts.slices import HostSlicer

    owners: dict[str, Owner] = {}
    if folder in ("", HOSTS):
        owners = {server.name: server for server in HostSlicer(site).servers()}
    for fabric in site.fabrics:
        if folder in ("", fabric.name):
            owners |= {switch.name: switch for switch in fabric.topology.switches}
    return owners


def no_such_owner(site: Site, folder: str, name: str) -> Diagnostic:
    """Return the finding for an unknown name, with the nearest known name."""
    from fabricgen.compile.compiler import HOSTS

    kind = "server" if folder == HOSTS else "switch"
    return Diagnostic(
        Code.NO_SUCH_OBJECT,
        f"no {kind} {name!r} in this site",
        hint=hinted(site, name, _owners(site, folder)),
    )


def _is(line: ExplainedLine, file: str) -> bool:
    """Check whether a line is in FILE, or at FILE:LINE."""
    path, colon, number = file.rpartition(":")
    if colon and number.isdigit():
        return line.file == path and line.number == int(number)
    return file in ("", line.file)


def _matching(lines: list[ExplainedLine], what: str) -> list[ExplainedLine]:
    file, colon, number = what.rpartition(":")
    if what.isdigit() and (numbered := [line for line in lines if line.number == int(what)]):
        return numbered[:1]
    if colon and number.isdigit():
        hits = [line for line in lines if line.file.endswith(file) and line.number == int(number)]
        if hits:
            return hits
    return [line for line in lines if what in line.text]


def _first_of_each_rule(lines: list[ExplainedLine]) -> list[ExplainedLine]:
    seen: set[object] = set()
    chosen = []
    for line in lines:
        if line.reasons and line.reasons[0] not in seen:
            seen.add(line.reasons[0])
            chosen.append(line)
    return chosen


def _print(lines: list[ExplainedLine]) -> None:
    equal: dict[tuple[object, ...], list[ExplainedLine]] = {}
    for line in lines:
        key = (line.file, line.text.strip(), line.template, line.reasons)
        equal.setdefault(key, []).append(line)
    groups = list(equal.values())
    for first, *others in groups[:_MOST]:
        say(first)
        if others:
            say(f"    the same at {_listed([line.number for line in others])}")
    if len(groups) > _MOST:
        say(f"… and {counted(len(groups) - _MOST, 'more line')}: give a longer TEXT")


def _listed(numbers: list[int]) -> str:
    """Return `line 5`, or `lines 5, 7, 9 and 40 more`."""
    shown = ", ".join(map(str, numbers[:_NAMED]))
    more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
