"""WRITTEN answers of a whole right EOS switch, from its rendered file and the model of its site.

No switch has answered this. Values follow the file that fabricgen renders and the slices of the
fabric; shapes follow public data of real switches, named at each command. Nothing here imports the
reader.

Sources: ANTA = aristanetworks/anta, tests/units/anta_tests; NAPALM = napalm-automation/napalm,
test/eos/mocked_data; SUZ = netenglabs/suzieq, tests/integration/sqcmds/eos-input; EANTC =
krikoon73/cc_eantc_2025, eantc2024/testbeds/evpn-vxlan/tests (text); DNE = facebook/DNE-TaaC.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests.written.eos.counters import Counters
from tests.written.eos.overlay import Overlay
from tests.written.eos.ports import Ports
from tests.written.eos.routing import Routing
from tests.written.eos.state import State
from tests.written.eos.world import CLOCK, Shown, World

from fabricgen.compile.compiler import slices
from fabricgen.nos.lowering import heard_in
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.underlay import underlay

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site, SwitchSlice

__all__ = ["CLOCK", "Shown", "written"]


class Writer(State, Ports, Overlay, Routing, Counters):
    """Writes the answers of one switch."""

    def shown(self) -> Shown:
        return {
            **self.system(),
            **self.ports(),
            **self.bridge(),
            **self.overlay(),
            **self.routing(),
            **self.optics(),
            **self.counters(),
            **self.services(),
        }


def written(site: Site) -> dict[str, Shown]:
    """Return the answers of each EOS switch of a site."""
    texts, heard = Texts(site), heard_in(site)
    by_fabric: dict[str, list[SwitchSlice]] = defaultdict(list)
    for fabric, piece in slices(site):
        by_fabric[fabric.name].append(piece)
    serials = {
        name: own.serial for fabric in site.fabrics for name, own in fabric.identities.items()
    }
    found: dict[str, Shown] = {}
    for pieces in by_fabric.values():
        eos = [piece for piece in pieces if piece.switch.platform == "eos"]
        files = {piece.switch.name: texts.of(piece.switch.name).text for piece in eos}
        world = World(tuple(pieces), underlay(pieces), heard, files)
        for piece in eos:
            serial = serials.get(piece.switch.name) or f"WRT{piece.switch.ordinal:08}"
            found[piece.switch.name] = Writer(world, piece, serial).shown()
    return found
