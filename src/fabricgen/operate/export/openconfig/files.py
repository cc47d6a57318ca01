"""Write one file of OpenConfig data for each switch, and the list of missing parts."""

import json
from collections.abc import Collection

from fabricgen.compile.compiler import File, slices
from fabricgen.core.record import record
from fabricgen.core.tables import csv_text
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos_of
from fabricgen.operate.export.absent import left_out
from fabricgen.operate.export.openconfig.acl import acl
from fabricgen.operate.export.openconfig.instances import instances
from fabricgen.operate.export.openconfig.interfaces import interfaces, lacp
from fabricgen.operate.export.openconfig.lacking import Lack, lacks
from fabricgen.operate.export.openconfig.policies import routing_policy
from fabricgen.operate.export.openconfig.qos import qos
from fabricgen.operate.export.openconfig.system import lldp, sampling, system
from fabricgen.operate.export.openconfig.tree import Piece, Tree, pruned

NOT_MODELED = "not-modeled.csv"
COLUMNS = ("switch", "part", "reason")


@record(kw_only=True)
class Written:
    """The files, the number of switches, and sentences about omitted switches."""

    files: tuple[File, ...]
    switches: int
    left: tuple[str, ...]


def openconfig(site: Site, only: Collection[str] = ()) -> Written:
    """Write all present switches, or only the switches that `only` names."""
    files: list[File] = []
    rows: list[tuple[str, Lack]] = []
    nameless: list[str] = []
    for fabric, switch_slice in slices(site):
        name, names = switch_slice.switch.name, nos_of(switch_slice.switch).names
        if name in fabric.absent or (only and name not in only):
            continue
        if names is None:
            nameless.append(name)
            continue
        piece = Piece(switch_slice=switch_slice, names=names)
        text = json.dumps(data(piece), indent=2) + "\n"
        files.append(File(f"{fabric.name}/{name}.json", text, executable=False))
        rows += ((name, each) for each in lacks(piece))
    table = csv_text(COLUMNS, [(name, *each) for name, each in rows])
    why = "their platform does not name its interfaces"
    left = [*(f"{name}: omitted, since {why}" for name in nameless)]
    return Written(
        files=(*files, File(NOT_MODELED, table, executable=False)),
        switches=len(files),
        left=(*left_out(site, servers=False), *left),
    )


def data(piece: Piece) -> Tree:
    """Return the data of a switch, by module."""
    return pruned(
        {
            "openconfig-system:system": system(piece),
            "openconfig-interfaces:interfaces": interfaces(piece),
            "openconfig-lacp:lacp": pruned({"interfaces": lacp(piece)}),
            "openconfig-lldp:lldp": lldp(piece),
            "openconfig-network-instance:network-instances": instances(piece),
            "openconfig-routing-policy:routing-policy": routing_policy(piece),
            "openconfig-acl:acl": acl(piece),
            "openconfig-qos:qos": qos(piece),
            "openconfig-sampling:sampling": sampling(piece),
        }
    )
