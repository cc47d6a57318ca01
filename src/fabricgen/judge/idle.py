"""Name the lines that a switch does not act on because another line is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, Examined, shortened
from fabricgen.judge.finding import finding
from fabricgen.reach.written.effective import effective

if TYPE_CHECKING:
    from fabricgen.judge.network import Network

NAME, NOUN = "effects", "objects that depend on others"


def judge(network: Network) -> Examined:
    """Check that each line has the lines that it depends on."""
    found = [
        finding(Code.NO_EFFECT, f"{switch.name}: {each.why}", switch.place(each.key))
        for switch in network.switches
        for each in effective(switch.facts, switch.platform).idle
    ]
    objects = sum(len(switch.facts) for switch in network.switches)
    return Examined(
        check=NAME, objects=objects, noun=NOUN, findings=shortened(found, "lines without effect")
    )
