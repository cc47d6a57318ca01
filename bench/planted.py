"""Single faults of a running lab: what plants one, what mends it, and its right roots.

A fault is drawn over every cable, switch, daemon and filter of the site. The judge is the fault
that was planted: the incident must have its kind and one of its roots.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricgen.nos.lowering import spell
from fabricgen.prove.incidents.model import Kind

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.operate.lab.client import LabClient

DAEMONS = ("bgpd", "bfdd", "zebra", "lldpd")
Root = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault.

    Attributes:
        roots: Right kinds and roots.
        places: Its switch, or the ends of its cable.
        silent: Switches that no longer answer.
    """

    kind: str
    what: str
    plant: Callable[[LabClient], object]
    mend: Callable[[LabClient], object]
    roots: frozenset[tuple[Kind, Root]]
    places: frozenset[str]
    silent: tuple[str, ...] = ()


def run(client: LabClient, switch: str, script: str) -> None:
    """Run a script that has to succeed on a switch."""
    done = client.execute(switch, ("sh", "-c", script))
    if done.status:
        raise RuntimeError(f"{switch}: {script}: {done.stdout}{done.stderr}")


def failed(client: LabClient, name: str, *, silent: bool = False) -> None:
    """Fail a cable or a switch."""
    client.call("fail", name=name, silent=silent)


def restored(client: LabClient, name: str) -> None:
    """Restore a cable or a switch."""
    client.call("restore", name=name)


def cables(fabric: Fabric) -> list[tuple[Root, Root]]:
    """Return the cables between switches, as the switches name their ports."""
    return [
        (
            (link.lower.name, spell(link.lower, link.lower_port)),
            (link.upper.name, spell(link.upper, link.upper_port)),
        )
        for link in fabric.topology.links
        if not link.to_server
    ]


def name_of(cable: tuple[Root, Root]) -> str:
    """Return both ends of a cable, as an incident names it."""
    return " -- ".join(map(":".join, cable))


def of_cables(fabric: Fabric) -> list[Fault]:
    """Return faults of cables: a port is shut at either end, or both ends receive nothing."""
    found = []
    for cable in cables(fabric):
        for end in cable:
            at = ":".join(end)
            found.append(
                Fault(
                    kind="cable",
                    what=f"{at} shut",
                    plant=lambda client, at=at: failed(client, at),  # type: ignore[misc]
                    mend=lambda client, at=at: restored(client, at),  # type: ignore[misc]
                    roots=frozenset({(Kind.SHUT, end)}),
                    places=frozenset(map(":".join, cable)),
                )
            )
        at, name = ":".join(cable[0]), name_of(cable)
        found.append(
            Fault(
                kind="cable",
                what=f"{name} silent",
                plant=lambda client, at=at: failed(client, at, silent=True),  # type: ignore[misc]
                mend=lambda client, at=at: restored(client, at),  # type: ignore[misc]
                roots=frozenset({(Kind.FILTER, (name,))}),
                places=frozenset(map(":".join, cable)),
            )
        )
    return found


def of_switches(fabric: Fabric) -> list[Fault]:
    """Return faults of switches: cut off but answering over management, or without an answer."""
    found = []
    for switch in fabric.topology.switches:
        name = switch.name
        for silent in (False, True):
            kind = Kind.SWITCH_DOWN if silent else Kind.SWITCH_ISOLATED
            found.append(
                Fault(
                    kind="switch",
                    what=f"{name} {'off' if silent else 'cut off'}",
                    plant=lambda client, name=name: failed(client, name),  # type: ignore[misc]
                    mend=lambda client, name=name: restored(client, name),  # type: ignore[misc]
                    roots=frozenset({(kind, (name,))}),
                    places=frozenset({name}),
                    silent=(name,) if silent else (),
                )
            )
    return found


def of_daemons(fabric: Fabric) -> list[Fault]:
    """Return faults of daemons: each is killed on each switch."""

    def mend(client: LabClient, switch: str, daemon: str) -> None:
        if daemon == "lldpd":
            run(client, switch, "rm -f /run/lldpd.*; /usr/sbin/lldpd")
        else:
            failed(client, switch)
            restored(client, switch)

    return [
        Fault(
            kind="daemon",
            what=f"{switch.name} {daemon} killed",
            plant=lambda client, name=switch.name, daemon=daemon: run(  # type: ignore[misc]
                client,
                name,
                "kill -KILL $(cat /run/lldpd.pid) $(pidof lldpd)"
                if daemon == "lldpd"
                else f"kill -KILL $(cat /run/frr/{daemon}.pid)",
            ),
            mend=lambda client, name=switch.name, daemon=daemon: mend(client, name, daemon),  # type: ignore[misc]
            roots=frozenset({(Kind.DAEMON, (switch.name, daemon))}),
            places=frozenset({switch.name}),
        )
        for switch in fabric.topology.switches
        for daemon in DAEMONS
    ]


_SAVED = "/tmp/planted"  # noqa: S108 - of the switch in the lab
_LIST = "vtysh -c 'show running-config' | grep '^ip prefix-list ALLOWED'"


def of_filters(fabric: Fabric) -> list[Fault]:
    """Return faults of filters: a lost prefix list, and a tc filter that drops at one port."""
    found = []
    for switch in fabric.topology.switches:
        name = switch.name
        found.append(
            Fault(
                kind="filter",
                what=f"{name} prefix list ALLOWED deleted",
                plant=lambda client, name=name: run(  # type: ignore[misc]
                    client,
                    name,
                    f"{_LIST} > {_SAVED} && "
                    "vtysh -c 'configure terminal' -c 'no ip prefix-list ALLOWED'",
                ),
                mend=lambda client, name=name: run(  # type: ignore[misc]
                    client, name, f"(echo 'configure terminal'; cat {_SAVED}) | vtysh"
                ),
                roots=frozenset({(Kind.ROUTES, (name, "routes"))}),
                places=frozenset({name}),
            )
        )
    for cable, end in ((pair, end) for pair in cables(fabric) for end in pair):
        name, port = end
        drop = f"tc filter add dev {port} ingress matchall action drop"
        found.append(
            Fault(
                kind="filter",
                what=f"{name}:{port} drops what arrives",
                plant=lambda client, name=name, port=port, drop=drop: run(  # type: ignore[misc]
                    client, name, f"tc qdisc add dev {port} clsact && {drop}"
                ),
                mend=lambda client, name=name, port=port: run(  # type: ignore[misc]
                    client, name, f"tc qdisc del dev {port} clsact"
                ),
                roots=frozenset({(Kind.FILTER, end)}),
                places=frozenset(map(":".join, cable)),
            )
        )
    return found


SORTS = (of_cables, of_switches, of_daemons, of_filters)


def drawn(fabric: Fabric, number: int, seed: int) -> list[Fault]:
    """Draw faults of a fabric by seed, equally many of cables, switches, daemons and filters."""
    lots = random.Random(f"{seed} {fabric.name}")  # noqa: S311 - the same lots each time
    each = [lots.sample(sort(fabric), number // len(SORTS)) for sort in SORTS]
    return [fault for some in zip(*each, strict=True) for fault in some]


def hides(one: Fault, other: Fault) -> bool:
    """Return whether one of two faults hides the other: both are at one switch or cable."""
    return any(
        a == b or b.startswith(f"{a}:") or a.startswith(f"{b}:")
        for a in one.places
        for b in other.places
    )


def drawn_pairs(fabric: Fabric, number: int, seed: int) -> list[tuple[Fault, Fault]]:
    """Draw pairs of faults of a fabric by seed; neither hides the other."""
    lots = random.Random(f"pairs {seed} {fabric.name}")  # noqa: S311 - the same lots each time
    pairs: list[tuple[Fault, Fault]] = []
    while len(pairs) < number:
        one, other = (lots.choice(sort(fabric)) for sort in lots.sample(SORTS * 2, 2))
        if not hides(one, other):
            pairs.append((one, other))
    return pairs
