"""The inventory of an example, as its operators would have it: devices, racks and cables."""

from tests.unit.adopt.examples import compiled

from fabricgen.core.diagnostics import Position
from fabricgen.importer.inventory.model import Cable, Device, End, Inventory
from fabricgen.importer.tree import Tree
from fabricgen.model.fabric.floor import Stand
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell

AT = Position("devices.csv", 1, 1)


def inventory(tree: Tree, as_platform: str | None = None) -> Inventory:
    """Return what an inventory says of a site, with nothing of its intent."""
    site = compiled(tree, as_platform).site
    assert site is not None
    stands = dict(site.floor.stands)
    cables: list[Cable] = []
    owners: dict[str, Switch] = {}
    for fabric in site.fabrics:
        owners |= {each.name: each for each in fabric.topology.switches}
        for link in fabric.topology.links:
            lower, upper = (
                End(owner.name, spell(owner, port))
                for owner, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
            )
            cables.append(Cable(near=lower, far=upper, place=AT))
    return Inventory(
        devices=tuple(
            _device(name, owners.get(name), stands.get(name)) for name in {**stands, **owners}
        ),
        cables=tuple(cables),
    )


def _device(name: str, switch: Switch | None, stand: Stand | None) -> Device:
    role = switch.role.value if switch is not None else "server" if stand is None else stand.kind
    return Device(
        name=name,
        place=AT,
        role=role,
        model=switch.model.name if switch is not None else None,
        platform=switch.platform if switch is not None else None,
        rack=stand.rack.name if stand is not None else None,
        unit=stand.unit if stand is not None else None,
    )
