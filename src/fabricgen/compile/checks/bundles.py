"""The links of a bundle are of one speed: to a server, on all its leafs, and between a pair.

Links that are unlike in speed are no bundle (IEEE 802.1AX): those of one speed carry all, the
others wait, and nobody sees it but in the load. Fix the design: a set of ports has one speed, and
so have the links between the leafs of a pair. A switch without bundles counts as examined.
"""

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic

if TYPE_CHECKING:
    from fabricgen.core.because import Because


class Bundles(Tallied):
    """Keeps the links of every bundle, by its two ends in words."""

    name, code, noun = "bundles", Code.BUNDLE_UNLIKE, "switches and bundles"

    def __init__(self, site: Site) -> None:
        """Start with nothing seen."""
        super().__init__(site)
        self.links: dict[str, list[tuple[Interface, Because]]] = defaultdict(list)

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Keep the bundles of one switch."""
        del fabric
        self.tally.objects += 1 + len(piece.lags) + (piece.pair is not None)
        for lag in piece.lags:
            for each in lag.members:
                network = each.peer_port.network if isinstance(each.peer_port, Nic) else ""
                whose = f"{network} of" if network else f"of the {piece.switch.fabric} to"
                name = f"the bundle {whose} {lag.far}"
                self.links[name].append((each, lag.because))
        pair = piece.pair
        for each in pair.members if pair is not None else ():
            assert pair is not None
            name = f"the peer link of the MLAG pair {pair.domain}"
            self.links[name].append((each, pair.because))

    def result(self) -> Examined:
        """Compare the speeds of each."""
        for name, links in self.links.items():
            speeds = sorted({each.port.speed for each, _ in links})
            if len(speeds) > 1:
                text = f"{name} has links of {' and '.join(map(str, speeds))}"
                self.tally.add("unlike links", text, links[0][1])
        return self.tally.result()
