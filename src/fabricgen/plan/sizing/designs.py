"""Defines the fabric designs to choose from and writes the intent of one for given needs.

The sizes are counted from the compiled intent, so those of `fabricgen size` equal those of
`fabricgen render`.
"""

from collections.abc import Collection, Iterator

from fabricgen.core.record import record
from fabricgen.intent.model.servers import PortSet
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.model.catalog.infiniband import infiniband
from fabricgen.plan.sizing.needs import Needs, Ports, Tiers, refused


@record(kw_only=True)
class Design:
    """One backend design. `design`: its name in the intent. `tiers`: their number.

    `apart`: rails never meet in it. `infiniband`: it is counted, and never configured.
    """

    name: str
    design: str
    tiers: int
    told: str
    apart: bool = False
    infiniband: bool = False


DESIGNS = (
    Design(
        name="rail-only",
        design="rail-only",
        tiers=1,
        apart=True,
        told="one leaf per rail and no spine: rails meet only in the servers",
    ),
    Design(
        name="rails-apart",
        design="rail-optimized",
        tiers=2,
        apart=True,
        told="leafs and spines for each rail: rails meet only in the servers",
    ),
    Design(
        name="rail-optimized",
        design="rail-optimized",
        tiers=2,
        told="one leaf per rail of a unit, and spines that connect all leafs",
    ),
    Design(
        name="three-tier",
        design="three-tier",
        tiers=3,
        told="pods of leafs and spines, joined by superspines",
    ),
    Design(
        name="infiniband-2",
        design="rail-optimized",
        tiers=2,
        infiniband=True,
        told="two tiers of InfiniBand switches, by counts",
    ),
    Design(
        name="infiniband-3",
        design="three-tier",
        tiers=3,
        infiniband=True,
        told="three tiers of InfiniBand switches, by counts",
    ),
)
"""Designs with fewer tiers first."""

SITE = """\
# The site. Every *.yaml file of this folder adds its keys to the same intent.
# Next steps: fabricgen check DIR, fabricgen cabling DIR -o OUT, fabricgen render DIR -o OUT.
site:
  name: sized                        # replace it: the name is part of interface descriptions
  management:
    subnet: 10.255.0.0/16            # each fabric takes a quarter for its management addresses
    # Replace these addresses by those of your time servers. Add syslog, dns, snmp and users.
    ntp: [10.255.239.250, 10.255.239.251]
"""

RACKS, OOB, EDGE, TENANTS = "racks", "oob", "edge", "tenants"
PARTS = (RACKS, OOB, EDGE, TENANTS)
"""Parts of a written site that the counts of a design do not need."""


def design_of(name: str) -> Design:
    """Return the design of that name. Raises KeyError if unknown."""
    return {design.name: design for design in DESIGNS}[name]


def intent(needs: Needs, design: Design | None, added: Collection[str] = ()) -> dict[str, str]:
    """Return the files of a site with this design of the needs, by name.

    Args:
        needs: The servers and the hardware.
        design: The design of the backend; None for only the other fabrics.
        added: Parts of `PARTS` that the site has in other files, so that these files fit them.

    """
    parts = {"servers": _servers(needs, rails=design is not None, added=added)}
    if design is not None:
        parts["backend"] = _backend(needs, design, added)
    if needs.frontend is not None:
        parts["frontend"] = _frontend(needs.frontend, needs.catalog)
    if needs.storage is not None:
        parts["storage"] = _storage(needs, needs.storage, added)
    texts = {name: "".join(f"{line}\n" for line in lines) for name, lines in parts.items()}
    written = {f"{name}.yaml": text for name, text in {"site": SITE, **texts}.items()}
    return {**written, **needs.facts}


def _servers(needs: Needs, *, rails: bool, added: Collection[str]) -> Iterator[str]:
    length = "" if RACKS in added else f", cable_length: {needs.near}"
    yield "# Kinds of servers, and their ports by network."
    yield "servers:"
    yield "  gpu:"
    yield f"    count: {needs.servers}"
    yield f"    gpus: {needs.gpus}"
    if RACKS in added:
        yield f"    height: {GPU_HEIGHT}                # rack units"
    yield "    ports:"
    if rails:
        yield (
            f"      rail: {{fabric: backend, speed: {needs.nic_speed}, nics: {needs.nics}, "
            f"nic_ports: {needs.nic_ports}, nic: {_nic(needs)}{length}}}"
        )
    if (front := needs.frontend) is not None:
        ports = f"ports: {front.count}{_spread(front, needs.catalog)}, speed: {front.speed}"
        yield f"      front: {{fabric: frontend, group: racks, {ports}{length}}}"
    if (data := needs.storage) is not None:
        ports = f"ports: {data.count}, speed: {data.speed}{length}"
        yield f"      data: {{fabric: storage, group: compute, {ports}}}"
    if OOB in added:
        yield _BMC
    if needs.storage is not None:
        yield "  store:"
        yield f"    count: {needs.storage_servers}"
        yield "    ports:"
        yield f"      data: {{fabric: storage, group: storage, {ports}}}"
        if OOB in added:
            yield _BMC


GPU_HEIGHT = 8
"""Rack units of a GPU server: those of an HGX server with 8 GPUs and air cooling."""
_BMC = "      bmc: {fabric: oob, speed: 1G}"


def _spread(front: Ports, catalog: Catalog) -> str:
    """Return the keys that spread the frontend ports of a server, and servers, over leafs."""
    keys = "" if front.per_leaf is None else f", per_leaf: {front.per_leaf}"
    if front.leafs == 1:
        return keys
    eos = platform_of(front.tiers, 0, catalog, FRONT) == "eos"
    return f"{keys}, leafs: {front.leafs}, bond: {'lacp' if eos else 'active-backup'}"


def _nic(needs: Needs) -> str:
    """Return the first matching NIC of the catalog; an error names the possible speeds."""
    usual = PortSet.model_fields["nic"].default
    nics = sorted(needs.catalog.nics(), key=lambda nic: nic.name != usual)
    for nic in nics:
        if nic.runs(needs.nic_ports, needs.nic_speed):
            return nic.name
    known = sorted({speed for nic in nics for speed in nic.speeds})
    told = f"no NIC of the catalog has {needs.nic_ports} port(s) of {needs.nic_speed}"
    raise refused(told, f"possible speeds: {', '.join(map(str, known))}")


def _backend(needs: Needs, design: Design, added: Collection[str]) -> Iterator[str]:
    tiers = needs.backend
    yield f"# The GPU fabric: {design.told}."
    yield "backend:"
    yield f"  design: {design.design}"
    if needs.planes > 1:
        yield f"  planes: {needs.planes}"
    if needs.unit:
        yield f"  scalable_unit: {{servers: {needs.unit}}}"
    ratios = ("", *(f", ratio: {ratio:g}" for ratio in tiers.ratios))
    for number, role in enumerate(("leaf", "spine", "superspine")[: design.tiers]):
        model = infiniband(needs.nic_speed) if design.infiniband else tiers.models[number]
        rails = ", per_rail: true" if design.apart and role == "spine" else ""
        platform = "linux" if design.infiniband else platform_of(tiers, number, needs.catalog)
        yield f"  {role}: {{model: {model}, platform: {platform}{ratios[number]}{rails}}}"
    if design.tiers > 1:
        length = "" if RACKS in added else f", length: {needs.far}"
        yield f"  links: {{speed: {_link_speed(needs, design)}{length}}}"
        yield "  underlay: {links: unnumbered}      # no address plan for links at all"
        if not design.infiniband:
            yield "  # queue pairs of a connection in NCCL; 4 give too few flows to hash"
            yield "  load_balancing: {queue_pairs: 8}"
    if needs.reserved > needs.servers or design.tiers > 1:
        yield f"  growth: {{servers: {needs.reserved}}}"
    if design.infiniband or unconfigured(needs, design):
        # credits of InfiniBand hold packets back: no pause frames, no packet memory
        yield "  roce: {pfc: false}"


def unconfigured(needs: Needs, design: Design) -> list[str]:
    """Return the models of the GPU fabric that run no known network OS, so they are counted."""
    tiers = () if design.infiniband else needs.backend.models[: design.tiers]
    return [model for model in dict.fromkeys(tiers) if not _runs(needs.catalog, model)]


def _runs(catalog: Catalog, model: str) -> list[str]:
    facts = catalog.known(model).platforms
    return [name for name, told in facts.items() if "unsupported" not in told]


def _link_speed(needs: Needs, design: Design) -> str:
    return str(needs.nic_speed if design.infiniband else needs.backend.speed)


def _frontend(ports: Ports, catalog: Catalog) -> Iterator[str]:
    tiers, links = ports.tiers, f", links: {ports.links}" if ports.links > 1 else ""
    leaf, spine = (platform_of(tiers, number, catalog, FRONT) for number in (0, 1))
    yield "# The frontend: EVPN. The links to the spines follow from the ratio."
    yield "frontend:"
    yield f"  leaf: {{model: {tiers.models[0]}, platform: {leaf}}}"
    yield f"  spine: {{model: {tiers.models[1]}, platform: {spine}{links}}}"
    yield f"  oversubscription: {tiers.ratios[0]:g}"
    yield f"  links: {{speed: {tiers.speed}}}"
    if ports.behind_border:
        yield "  leaf_groups:"
        yield "    border: {leafs: 1-2}           # leafs of the external connections"
        last = ports.behind_border + 2
        yield f"    racks: {{leafs: 3-{last}}}           # add leafs before you add racks"
    else:
        yield "  leaf_groups: {racks: {}}"
    yield f"  growth: {{spines: {ports.spines}}}            # spines that each leaf keeps links for"


def _storage(needs: Needs, ports: Ports, added: Collection[str]) -> Iterator[str]:
    length = "" if RACKS in added else f", length: {needs.far}"
    tiers = ports.tiers
    yield "# The storage fabric: servers that read on one side, those that keep on the other."
    yield "fabrics:"
    yield "  storage:"
    yield "    kind: routed"
    for number, role in enumerate(("leaf", "spine")):
        platform = platform_of(tiers, number, needs.catalog)
        yield f"    {role}: {{model: {tiers.models[number]}, platform: {platform}}}"
    yield f"    links: {{speed: {tiers.speed}{length}}}"
    yield f"    sides: {{compute: {{ratio: {tiers.ratios[0]:g}}}, storage: {{ratio: 1}}}}"
    if needs.reserved > needs.servers:
        yield f"    growth: {{compute: {needs.reserved}}}"


BACK = ("sonic", "eos", "linux")
"""Preference for a model that runs several platforms."""
FRONT = ("eos", "sonic", "linux")
"""On a frontend: only EOS has server bonds over two leafs without a cable between them."""


def platform_of(tiers: Tiers, number: int, catalog: Catalog, order: tuple[str, ...] = BACK) -> str:
    """Return the network OS of a tier: the given one, or the first that its model runs.

    A model that runs none is counted and never configured, with any name of an OS.
    """
    runs = _runs(catalog, tiers.models[number])
    return tiers.platform or min(runs, key=order.index, default=order[-1])
