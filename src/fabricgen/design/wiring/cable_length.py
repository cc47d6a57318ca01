"""The length of the cables of servers in; one that no server's optics reach, said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.diagnostics import IntentPath

FARTHEST = 500
"""Metres that DR optics reach (IEEE 802.3 clause 124); a server stands in the row of its leaf."""


def judge_length(metres: int, servers: IntentPath, findings: Findings) -> None:
    """Warn where servers are farther from their leaf than a hall is long."""
    if metres > FARTHEST:
        findings.warn(
            Code.BAD_VALUE,
            f"servers are {metres:,} m from their leaf; DR optics reach {FARTHEST} m",
            (*servers, "cable_length"),
            "give the length in metres, or put leafs where the servers are",
        )
