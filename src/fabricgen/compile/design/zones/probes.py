"""Write the rules by which servers answer the pings of a push."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import Diagnostics
from fabricgen.model.fabric.zones import ICMP, Rule

_REPLY = 0  # RFC 792


def probe_rules(vlan: Vlan, probed: Iterable[Diagnostics]) -> Iterator[Rule]:
    """Yield a rule for each set of diagnostic addresses: echo replies of a VLAN, nothing else."""
    own = vlan.gateway(4)
    if own is None:
        return
    for each in probed:
        yield Rule(
            permit=True,
            protocol=ICMP,
            source=own.subnet,
            target=each.sources.whole,
            message=_REPLY,
            answers=True,
            because=replace(each.because, rule="servers answer the pings of leafs"),
        )
