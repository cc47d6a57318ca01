"""Write a site as the files of NetBox's bulk import.

Columns are fields of the import forms of NetBox 4: DeviceImportForm, InterfaceImportForm and
CableImportForm in netbox-community/netbox@016a5335 netbox/dcim/forms/bulk_import.py,
IPAddressImportForm in @068d493c netbox/ipam/forms/bulk_import.py. Referenced objects must exist
first: the site, its racks and VRFs, the roles, platforms and device types.
"""

from collections.abc import Container, Iterable, Iterator, Sequence

from fabricgen.compile.compiler import File, slices
from fabricgen.compile.design.floor.rack_placement import POWER
from fabricgen.core.record import record
from fabricgen.core.tables import csv_text
from fabricgen.model.cabling.cables import Cable, End, cables
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.nos.lowering import Heard, heard_in, spell
from fabricgen.nos.registry import nos_of

DEVICES = (
    *("name", "role", "manufacturer", "device_type", "platform", "status"),
    *("site", "rack", "position", "face"),
)
INTERFACES = ("device", "name", "type", "enabled", "mtu", "mgmt_only")
CABLES = (
    *("side_a_device", "side_a_type", "side_a_name"),
    *("side_b_device", "side_b_type", "side_b_name"),
    *("status", "label", "length", "length_unit"),
)
ADDRESSES = ("address", "vrf", "status", "device", "interface", "is_primary")
_PORT, _VIRTUAL, _TERMINATION = "other", "virtual", "dcim.interface"
"""Types of interfaces, and of the ends of a cable (netbox/dcim/choices.py)."""
_STATUS = {State.PLANNED: "planned", State.DEAD: "failed"}
"""Status of a switch or server that is not `active` (DeviceStatusChoices there). A dead cable stays
`connected`: it will be repaired, and LinkStatusChoices has only `planned` and `decommissioning`.
"""
_SERVER, _PDU = ("server", "Generic", "Server"), ("pdu", "Generic", "PDU")
"""Role, manufacturer and type of a power unit, and of a server, whose intent has only NICs."""
Row = Sequence[object]


@record(kw_only=True)
class Export:
    """The files in the order of their import, and the numbers of objects."""

    files: tuple[File, ...]
    devices: int
    cables: int


def netbox(site: Site) -> Export:
    """Write all devices, their interfaces and their cables."""
    pieces = [switch_slice for _, switch_slice in slices(site)]
    ends = _Ends(heard_in(site), _planned(site))
    laid = [row for cable in cables(site) if (row := ends.row(cable)) is not None]
    devices = list(_devices(site))
    interfaces = dict.fromkeys((*_interfaces(pieces), *ends.nics))
    addresses = [row for switch_slice in pieces for row in _addresses(switch_slice)]
    return Export(
        files=(
            _file("devices", DEVICES, devices),
            _file("interfaces", INTERFACES, interfaces),
            _file("cables", CABLES, laid),
            _file("ip-addresses", ADDRESSES, addresses),
        ),
        devices=len(devices),
        cables=len(laid),
    )


def _file(name: str, columns: Sequence[str], rows: Iterable[Row]) -> File:
    return File(f"{name}.csv", csv_text(columns, rows), executable=False)


def _devices(site: Site) -> Iterator[Row]:
    managed, servers = heard_in(site).managed, dict[str, Server]()
    for fabric in site.fabrics:
        servers |= {each.name: each for each in fabric.topology.servers if each.name not in managed}
        for each in fabric.topology.switches:
            what = (each.role.value, each.model.vendor, each.model.name, each.platform)
            status = _status(fabric.states.get(each.name))
            yield each.name, *what, status, *_place(site, each.name)
    power = {each.name: None for each in site.floor.stands.values() if each.kind == POWER}
    for name in {**servers, **power}:
        own = _PDU if name in power else _SERVER
        status = _status(servers[name].standing if name in servers else None)
        yield name, *own, "", status, *_place(site, name)


def _status(standing: Standing | None) -> str:
    return _STATUS.get(standing.state, "active") if standing is not None else "active"


def _planned(site: Site) -> set[str]:
    """Return the planned switches."""
    every = ((name, own) for fabric in site.fabrics for name, own in fabric.states.items())
    return {name for name, own in every if own.state is State.PLANNED}


def _place(site: Site, name: str) -> Row:
    """Return site, rack, lowest unit, and face, which NetBox requires with a unit."""
    stand = site.floor.stands.get(name)
    if stand is None:
        return site.name, "", "", ""
    return site.name, stand.rack.name, stand.unit or "", "front" if stand.unit else ""


def _interfaces(pieces: Iterable[SwitchSlice]) -> Iterator[Row]:
    for switch_slice in pieces:
        switch, names = switch_slice.switch, nos_of(switch_slice.switch).names
        for each in switch_slice.interfaces:
            up = str(bool(each.use != "unused" and not each.shut)).lower()
            yield switch.name, spell(switch, each.port), _PORT, up, each.mtu, "false"
        if names is not None:
            yield switch.name, names.loopback, _VIRTUAL, "true", "", "false"
            yield switch.name, names.management, _PORT, "true", "", "true"


def _addresses(switch_slice: SwitchSlice) -> Iterator[Row]:
    switch, names = switch_slice.switch, nos_of(switch_slice.switch).names
    if names is not None:
        yield _address(switch_slice.loopback), "", "active", switch.name, names.loopback, "false"
        yield _address(switch_slice.management), "", "active", switch.name, names.management, "true"
    for each in switch_slice.interfaces:
        for address in (each.address, each.address6):
            if address is not None:
                here = switch.name, spell(switch, each.port)
                yield _address(address), each.vrf or "", "active", *here, "false"


def _address(ip: Ip) -> str:
    return f"{ip.host}/{ip.length}"


class _Ends:
    """Names the ends of cables: the management port of a switch belongs to that switch.

    planned: switches that do not exist yet.
    """

    def __init__(self, heard: Heard, planned: Container[str]) -> None:
        self.heard, self.planned = heard, planned
        self.nics: list[Row] = []

    def row(self, cable: Cable) -> Row | None:
        """Return a cable as a row; None where an end is outside."""
        near, far = self.end(cable.near), self.end(cable.far)
        if near is None or far is None:
            return None
        length = round(cable.length.meters, 2) or ""
        sides = (near[0], _TERMINATION, near[1], far[0], _TERMINATION, far[1])
        status = "planned" if self.comes(cable) else "connected"
        return (*sides, status, cable.name, length, "m" if length else "")

    def comes(self, cable: Cable) -> bool:
        """Check whether the cable or one of its ends is planned."""
        own = cable.link.standing if cable.link is not None else None
        planned = own is not None and own.state is State.PLANNED
        return planned or cable.near.name in self.planned or cable.far.name in self.planned

    def end(self, end: End) -> tuple[str, str] | None:
        """Return a device and its port."""
        if end.owner is None or end.port is None:
            return None
        if end.owner.name in self.heard.managed:
            return self.heard(end.owner, end.port)
        port = spell(end.owner, end.port)
        if not isinstance(end.owner, Switch):
            self.nics.append((end.owner.name, port, _PORT, "true", "", "false"))
        return end.owner.name, port
