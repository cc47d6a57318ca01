"""Compares the devices of two sites: added, removed, renamed, replaced and relocated ones."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.model.fabric.floor import Stand
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.review.model import Act

NAME, MODEL, SERIAL, MAC, STATE, PLACE = ("name", "model", "serial", "mac", "state", "place")
"""Attributes of a device."""
SWITCH, SERVER = "switch", "server"
"""Kinds of devices; the floor names other kinds."""
_UNKNOWN = Identity()


@record(kw_only=True)
class DeviceChange:
    """One difference of one device; a device may have several.

    Attributes:
        act: What happens to it.
        kind: SWITCH, SERVER, or the floor's word for other equipment.
        name: Current name, or the last name of a removed device.
        fabric: Fabric of a switch, or empty for other devices.
        attribute: Changed attribute, or empty if the device is added or removed.
        before: Old value.
        after: New value.
    """

    act: Act
    kind: str
    name: str
    fabric: str = ""
    attribute: str = ""
    before: str = ""
    after: str = ""


@dataclass(slots=True, kw_only=True)
class Inventory:
    """Devices of a site by name. `ports`: management ports of switches, which are no devices."""

    site: Site
    switches: dict[str, tuple[Switch, Fabric]] = field(default_factory=dict)
    servers: dict[str, Server] = field(default_factory=dict)
    ports: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Index the fabrics."""
        for fabric in self.site.fabrics:
            self.switches.update((each.name, (each, fabric)) for each in fabric.topology.switches)
        self.ports = set(map(management_port, self.switches))
        for fabric in self.site.fabrics:
            self.servers.update((each.name, each) for each in fabric.topology.servers)
        for name in self.ports:
            self.servers.pop(name, None)

    def __contains__(self, name: str) -> bool:
        """Return whether a device or a management port has this name."""
        return name in self.switches or name in self.servers or name in self.ports

    def identities(self) -> Iterator[tuple[str, Identity]]:
        """Yield the known identities of switches by name."""
        for fabric in self.site.fabrics:
            yield from fabric.identities.items()

    def identity(self, name: str) -> Identity:
        """Return the identity of a switch."""
        return self.switches[name][1].identities.get(name, _UNKNOWN)

    def stand(self, name: str) -> Stand | None:
        """Return the place of a device or of the owner of a management port, if it is known."""
        return self.site.floor.ends.get(name)

    def state(self, name: str) -> State:
        """Return the state of a device."""
        standing: Standing | None
        if name in self.switches:
            standing = self.switches[name][1].states.get(name)
        else:
            standing = self.servers[name].standing
        return standing.state if standing is not None else State.ACTIVE

    def kind(self, name: str) -> str:
        """Return the kind of a device."""
        if name in self.switches:
            return SWITCH
        stand = self.site.floor.stands.get(name)
        return stand.kind if stand is not None else SERVER


def renames(before: Inventory, after: Inventory) -> dict[str, str]:
    """Return the new name of each renamed switch, and of all that has its name from a switch.

    A former name on either side proves a renaming, and so does one serial number on both. Servers
    without a kind and management ports have their names from their switch.
    """
    found: dict[str, str] = {}
    for old, new in _declared(before, after):
        is_gone = old in before.switches and old not in after.switches
        is_new = new in after.switches and new not in before.switches
        if is_gone and is_new and old not in found and new not in found.values():
            found[old] = new
    found.update(list(_servers(found, before, after)))
    named = {each: new for each, new in found.items() if each in before.switches}
    return found | {management_port(old): management_port(new) for old, new in named.items()}


def _declared(before: Inventory, after: Inventory) -> Iterator[tuple[str, str]]:
    """Yield old and new names that the identities of either side declare."""
    serials = {known.serial: name for name, known in before.identities() if known.serial}
    for name, known in after.identities():
        if known.previous_name:
            yield known.previous_name, name
        if known.serial in serials:
            yield serials[known.serial], name
    for name, known in before.identities():
        if known.previous_name:
            yield name, known.previous_name


def _servers(
    switches: Mapping[str, str], before: Inventory, after: Inventory
) -> Iterator[tuple[str, str]]:
    """Yield old and new names of servers without a kind on the ports of renamed leafs."""
    for old, new in switches.items():
        was, now = _attached(before, old), _attached(after, new)
        for port in was.keys() & now.keys():
            one, other = was[port], now[port]
            if one.number == other.number and one.name not in after and other.name not in before:
                yield one.name, other.name


def _attached(side: Inventory, switch: str) -> dict[str, Server]:
    """Return the servers without a kind on a switch, by its port."""
    links = side.switches[switch][1].topology.links_at.get(switch, ())
    return {
        link.upper_port.label: link.lower
        for link in links
        if isinstance(link.lower, Server)
        and not link.lower.kind
        and link.lower.name in side.servers
    }


def device_changes(
    before: Inventory, after: Inventory, renamed: Mapping[str, str]
) -> Iterator[DeviceChange]:
    """Yield every difference of devices: removed ones first, then in the order of side B."""
    earlier: dict[str, str] = {}
    for old in (*before.switches, *before.servers):
        new = renamed.get(old, old)
        if new in after.switches or new in after.servers:
            earlier[new] = old
        else:
            yield _whole(Act.REMOVED, before, old)
    for new in (*after.switches, *after.servers):
        if new in earlier:
            yield from _differences(before, after, earlier[new], new)
        else:
            yield _whole(Act.ADDED, after, new)


def _whole(act: Act, side: Inventory, name: str) -> DeviceChange:
    fabric = side.switches[name][1].name if name in side.switches else ""
    return DeviceChange(act=act, kind=side.kind(name), name=name, fabric=fabric)


def _differences(before: Inventory, after: Inventory, old: str, new: str) -> Iterator[DeviceChange]:
    facts: list[tuple[Act, str, str, str]] = [(Act.RENAMED, NAME, old, new)]
    facts += _hardware(before, after, old, new)
    facts.append((Act.CHANGED, STATE, before.state(old), after.state(new)))
    facts.append((Act.MOVED, PLACE, place(before.stand(old)), place(after.stand(new))))
    fabric = after.switches[new][1].name if new in after.switches else ""
    for act, attribute, was, now in facts:
        if was != now and (attribute != PLACE or (was and now)):
            yield DeviceChange(
                act=act,
                kind=after.kind(new),
                name=new,
                fabric=fabric,
                attribute=attribute,
                before=was,
                after=now,
            )


def _hardware(
    before: Inventory, after: Inventory, old: str, new: str
) -> Iterable[tuple[Act, str, str, str]]:
    """Return the first proof that another device takes a place: model, serial number, or MAC.

    A number that one side lacks proves nothing.
    """
    if old not in before.switches or new not in after.switches:
        return
    was, now = before.identity(old), after.identity(new)
    models = before.switches[old][0].model.name, after.switches[new][0].model.name
    pairs = ((MODEL, *models), (SERIAL, was.serial, now.serial), (MAC, was.mac, now.mac))
    for attribute, one, other in pairs:
        if one and other and one != other:
            yield Act.REPLACED, attribute, one, other
            return
        if attribute == SERIAL and one and other:
            return


def place(stand: Stand | None) -> str:
    """Return a place on the floor, as `r01-03 U12`, or an empty text if it is not known."""
    if stand is None:
        return ""
    return stand.rack.name if stand.unit is None else f"{stand.rack.name} U{stand.unit}"
