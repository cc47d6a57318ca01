"""The length of the cables of servers in; one that no server's optics reach, said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code
from fabricgen.intent.model.backend import Backend

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.diagnostics import IntentPath
    from fabricgen.intent.model.frontend import Frontend

FARTHEST = 500
"""Metres that DR optics reach (IEEE 802.3 clause 124); a server stands in the row of its leaf."""


def judge_lengths(words: Backend | Frontend, findings: Findings) -> None:
    """Look at all servers of a fabric."""
    if isinstance(words, Backend):
        _judge(words.servers.cable_length, ("backend", "servers"), findings)
        return
    for name, group in words.leaf_groups.items():
        if group.servers is not None:
            place = ("frontend", "leaf_groups", name, "servers")
            _judge(group.servers.cable_length, place, findings)


def _judge(metres: int, servers: IntentPath, findings: Findings) -> None:
    if metres > FARTHEST:
        findings.warn(
            Code.BAD_VALUE,
            f"servers are {metres:,} m from their leaf; DR optics reach {FARTHEST} m",
            (*servers, "cable_length"),
            "give the length in metres, or put leafs where the servers are",
        )
