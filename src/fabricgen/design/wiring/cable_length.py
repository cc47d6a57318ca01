"""The words about cables in, their lengths out; one that no server's optics reach, said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath
from fabricgen.intent.model.backend import Backend, GpuServers
from fabricgen.intent.model.hardware import Links
from fabricgen.intent.model.routed import Routed
from fabricgen.units import Metres

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.frontend import Frontend, RackServers
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.intent.model.routed import SideServers
    from fabricgen.intent.model.servers import PortSet

FARTHEST = 500
"""Metres that DR optics reach (IEEE 802.3 clause 124); a server stands in the row of its leaf."""


def length_of(words: GpuServers | RackServers | SideServers | PortSet | Links) -> Metres:
    """Return the length of cables; 0 where it was refused: no port and no address needs it."""
    key = "length" if isinstance(words, Links) else "cable_length"
    return Metres(words.unless_refused(key) or 0)


def judge_lengths(words: Frontend | LosslessFabric, findings: Findings) -> None:
    """Look at all servers of a fabric."""
    if isinstance(words, Backend):
        _judge(words.servers, words.at("servers", "cable_length"), findings)
        return
    for each in words.served:
        _judge(each.ports, each.at("cable_length"), findings)
    if isinstance(words, Routed):
        for name, side in words.each_side.items():
            if side.kind is None:
                place = words.servers_at(name, "cable_length")
                _judge(side.unless_refused("servers"), place, findings)
        return
    for name, group in words.leaf_groups.items():
        place = words.at("leaf_groups", name, "servers", "cable_length")
        _judge(group.unless_refused("servers"), place, findings)


def _judge(
    words: GpuServers | RackServers | SideServers | PortSet | None,
    place: IntentPath,
    findings: Findings,
) -> None:
    metres = length_of(words) if words is not None else 0
    if metres > FARTHEST:
        findings.warn(
            Code.BAD_VALUE,
            f"servers are {metres:,} m from their leaf; DR optics reach {FARTHEST} m",
            place,
            "give the length in metres, or put leafs where the servers are",
        )
