"""Name the lines that a switch does not act on because another line is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Examined, shortened
from fabricgen.prove.foreign.finding import finding
from fabricgen.prove.invariants.switch import one
from fabricgen.prove.repeated import lacking
from fabricgen.prove.walk.effective import WITHOUT_HOPS, effective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

NAME, NOUN = "effects", "objects that depend on others"


_BOTH = frozenset({("vrf", "vni"), ("switch", "hostname")})


def _halves(switch: Judged) -> Iterator[tuple[str, str]]:
    """Yield VNIs of VRFs, and names, that only one of CONFIG_DB and frr.conf has.

    In split mode bgpcfgd does not write frr.conf (sonic-buildimage, docker_routing_config_mode).
    """
    if one(switch.own(("switch",)).get("routing-mode")).startswith("split"):
        yield from lacking(switch.facts, _BOTH, switch.by_file())


def judge(network: Network) -> Examined:
    """Check that each line has the lines that it depends on."""
    found = [
        finding(Code.NO_EFFECT, f"{switch.name}: {each.why}", switch.place(each.key))
        for switch in network.switches
        for each in effective(switch.facts, switch.platform).idle
        if not each.why.endswith(WITHOUT_HOPS)
    ]
    found += [
        finding(Code.NO_EFFECT, f"{switch.name}: {path}: {why}", switch.top)
        for switch in network.switches
        for path, why in _halves(switch)
    ]
    objects = sum(len(switch.facts) for switch in network.switches)
    return Examined(
        check=NAME, objects=objects, noun=NOUN, findings=shortened(found, "lines without effect")
    )
