"""Writes the racks, the out-of-band network, the external connections and a tenant of a sized site.

The counts of a design do not need these parts. The defaults below are the usual ones, and a comment
in each file names them, so that a reader can replace them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from math import ceil

from fabricgen.compile.design.floor.rack_placement import UNSAID
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.sizing.designs import (
    EDGE,
    FRONT,
    GPU_HEIGHT,
    OOB,
    PARTS,
    RACKS,
    TENANTS,
    platform_of,
)
from fabricgen.plan.sizing.needs import Needs, refused

HEIGHT = 48
"""Rack units of every rack."""
GPU_PER_RACK = 4
"""GPU servers in a rack: 32 units, and about 40 kW with servers of 10 kW."""
STORE_PER_RACK = 12
"""Storage servers in a rack, of two units each."""
SWITCH_UNITS = 40
"""Units of a rack with switches that switches fill; the rest is for cable managers."""
PER_ROW = 16
"""Racks in a row."""
PORTS = {"gpu": 12, "store": 16}
"""Out-of-band ports of a rack: its servers, four power units and some spare ports."""
ACCESS_PORTS = 48
"""Ports of an access switch, SN2201."""
ACCESS, PAIR = "SN2201", "7050CX3-32S"
"""Models of the out-of-band network."""
EXTERNAL = (1, 2)
"""Numbers of the external routers, and of the leafs that they are connected to."""
OFFICE_CAGE = 51
"""Cage of an SN2201 that leads to the office network: no uplink needs it."""


@record(kw_only=True)
class Rack:
    """One rack of switches.

    Attributes:
        switches: Names of the switches, in the order of the out-of-band ports.
        units: Rack units that are taken.
    """

    switches: tuple[str, ...]
    units: int


def reduced(without: Collection[str], needs: Needs) -> tuple[str, ...]:
    """Return the parts that a site has.

    Args:
        without: Parts that the user leaves out.
        needs: The servers and the hardware.

    Raises:
        Failure: The out-of-band network has no racks.

    """
    parts = [part for part in PARTS if part not in without]
    if RACKS in without and OOB in parts:
        raise refused(
            "the out-of-band network is cabled to racks, and there are none",
            "`--without racks --without oob`",
        )
    if needs.frontend is None:
        parts = [part for part in parts if part not in {EDGE, TENANTS}]
    if TENANTS not in parts and EDGE in parts:
        parts.remove(EDGE)  # a tenant has the external connections
    return tuple(parts)


def part_files(needs: Needs, site: Site, parts: Collection[str]) -> dict[str, str]:
    """Return the files of the parts, by path; the lines of `frontend.yaml` belong to its end.

    Args:
        needs: The servers and the hardware.
        site: The design without these parts.
        parts: Parts to write.

    """
    lines: dict[str, Iterator[str]] = {}
    if RACKS in parts:
        racks = _pack(needs, site, with_oob=OOB in parts)
        lines["racks.yaml"] = _racks(needs, racks)
        if OOB in parts:
            lines["oob.yaml"] = _out_of_band(needs, len(racks))
    if EDGE in parts and _has_tags(needs):
        lines["frontend.yaml"] = _edge(_cages_outside(needs))
    if TENANTS in parts:
        lines["tenants.yaml"] = _tenants(needs, EXTERNAL if EDGE in parts else ())
    return {name: "".join(f"{line}\n" for line in own) for name, own in lines.items()}


def _pack(needs: Needs, site: Site, *, with_oob: bool) -> list[Rack]:
    """Fill racks with switches, fabric by fabric. More racks may need more access switches."""
    switches = [
        (switch.name, switch.model.rack_units or UNSAID)
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    ]
    racks = _fill(switches)
    while with_oob:
        access = len(racks) + sum(_access_switches(needs).values())
        names = [f"oob-spine{number}" for number in (1, 2)]
        names += [f"oob-leaf{number:02}" for number in range(1, access + 1)]
        before, racks = len(racks), _fill([*switches, *((name, 1) for name in names)])
        with_oob = len(racks) != before
    return racks


def _fill(switches: Sequence[tuple[str, int]]) -> list[Rack]:
    racks: list[Rack] = []
    names: list[str] = []
    taken = 0
    for name, units in switches:
        if names and taken + units > SWITCH_UNITS:
            racks.append(Rack(switches=tuple(names), units=taken))
            names, taken = [], 0
        names.append(name)
        taken += units
    return [*racks, Rack(switches=tuple(names), units=taken)]


def _rack_counts(needs: Needs) -> dict[str, int]:
    counts = {"store": ceil(needs.storage_servers / STORE_PER_RACK)}
    counts["gpu"] = ceil(needs.servers / GPU_PER_RACK)
    return {kind: count for kind, count in counts.items() if count}


def _access_switches(needs: Needs) -> dict[str, int]:
    """Return the access switches of each type of racks: racks of a row share switches."""
    found = {}
    for kind, count in _rack_counts(needs).items():
        rows, rest = divmod(count, PER_ROW)
        full = ceil(PER_ROW * PORTS[kind] / ACCESS_PORTS)
        found[kind] = rows * full + ceil(rest * PORTS[kind] / ACCESS_PORTS)
    return found


def _racks(needs: Needs, racks: Sequence[Rack]) -> Iterator[str]:
    yield "# The racks. Cable lengths follow from the places of the racks."
    yield "# Lossless settings follow from the cable lengths."
    yield f"# Defaults: {GPU_PER_RACK} GPU servers in a rack, and {PER_ROW} racks in a row."
    yield "# Switches are in the first rows. Change all of this to match your floor."
    yield "# Add `power: WATTS` to racks and `watts` to servers to check the power."
    yield "racks:"
    every = [name for rack in racks for name in rack.switches]
    for number, rack in enumerate(racks, 1):
        row, position = divmod(number - 1, PER_ROW)
        yield f"  network{number}:"
        yield f"    row: {row + 1}"
        yield f"    position: {position + 1}"
        yield f"    height: {HEIGHT}"
        yield "    contents:"
        for pattern in _patterns(rack.switches, every):
            yield f'      - {{switches: "{pattern}"}}'
        yield "      - {pdus: 2}"
    row = ceil(len(racks) / PER_ROW) + 1
    held = {"gpu": (GPU_PER_RACK, GPU_HEIGHT), "store": (STORE_PER_RACK, UNSAID)}
    for kind, count in _rack_counts(needs).items():
        servers, units = held[kind]
        yield f"  {kind}:                   # {servers} servers of {units} units in a rack"
        yield f"    count: {count}"
        yield f"    row: {row}"
        yield f"    per_row: {PER_ROW}"
        yield f"    height: {HEIGHT}"
        pdus = 4 if kind == "gpu" else 2
        yield f"    contents: [{{servers: {kind}, count: {servers}}}, {{pdus: {pdus}}}]"
        row += ceil(count / PER_ROW)


def _patterns(names: Sequence[str], every: Sequence[str]) -> Iterator[str]:
    """Yield one pattern for names of one stem, or the names where others match the pattern, too."""
    stems: dict[str, list[str]] = defaultdict(list)
    for name in names:
        stems[name.rstrip("0123456789")].append(name)
    for stem, own in stems.items():
        matching = [name for name in every if fnmatchcase(name, f"{stem}*")]
        yield from [f"{stem}*"] if len(own) > 1 and matching == own else own


def _out_of_band(needs: Needs, racks: int) -> Iterator[str]:
    yield "# The out-of-band network, for BMCs, power units and management ports of switches."
    yield f"# Default: access switches {ACCESS} with {ACCESS_PORTS} ports of 1G."
    yield "# A rack of switches has its own access switch."
    yield "# Other racks of a row share access switches."
    yield "fabrics:"
    yield "  oob:"
    yield "    kind: access"
    yield f"    leaf: {{model: {ACCESS}, platform: sonic}}"
    yield f"    spine: {{model: {PAIR}, platform: sonic}}"
    yield "    zones:                           # access switches of each type of racks"
    for number in range(1, racks + 1):
        yield f"      network{number}: {{switch: {number}}}"
    first = racks + 1
    for kind, switches in _access_switches(needs).items():
        ports = f"ports: {PORTS[kind]}}}     # ports of a rack, some are spare"
        yield f"      {kind}: {{switch: {first}, {ports}"
        first += switches
    yield "    vlans:"
    yield "      switches: {id: 20}             # uses site.management.subnet"
    yield "      bmc: {id: 10, subnet: 10.250.0.0/17}"
    yield "      pdu: {id: 30, subnet: 10.250.128.0/17}"
    yield "    external:"
    yield "      # The routers of your office network. Replace the addresses and the ASN."
    for number in EXTERNAL:
        own, peer = f"192.0.2.{4 + 2 * number}/31", f"192.0.2.{5 + 2 * number}"
        yield (
            f"      office{number}: {{leaf: {number}, cage: {OFFICE_CAGE}, address: {own}, "
            f"peer: {peer}, asn: 64496}}"
        )


def _has_tags(needs: Needs) -> bool:
    """Return whether a cable carries several VRFs: SONiC filters no source on a tag (FG362)."""
    front = needs.frontend
    return front is not None and platform_of(front.tiers, 0, needs.catalog, FRONT) == "eos"


def _cages_outside(needs: Needs) -> int:
    """Return the cages of each external link that carry ingest and inference with growth."""
    assert needs.frontend is not None  # it has the border leafs
    cage = needs.catalog.known(needs.frontend.tiers.models[0]).usable[0]
    bits = (needs.demands.ingest + needs.demands.inference) * needs.growth
    return max(1, ceil(bits / len(EXTERNAL) / cage.modes[0].speed))


def _edge(cages: int) -> Iterator[str]:
    yield "  # External connections. Default: two providers, one on each border leaf."
    yield "  # One cable carries all VRFs. Each VRF has its own VLAN tag on it (tenants.yaml)."
    yield "  edge:"
    for number in EXTERNAL:
        told = f"1-{cages}" if cages > 1 else "1"
        yield f'    wan{number}: {{leaf: {number}, cages: "{told}"}}'


def _tenants(needs: Needs, external: Collection[int]) -> Iterator[str]:
    length = next(length for length in range(22, 7, -1) if 2 ** (32 - length) > 2 * needs.reserved)
    yield "# The tenants. Default: one tenant that has all GPU servers in one VLAN."
    yield "tenants:"
    yield "  training:"
    yield "    vrfs:"
    yield "      training:"
    yield "        id: 1                        # the L3VNI is 50000 + id"
    yield "        vlans:"
    jobs = f"jobs: {{id: 100, subnet: 10.128.0.0/{length}}}"
    yield f"          {jobs}    # the L2VNI is 10000 + VLAN ID"
    if external:
        yield "        external:"
        yield "          # Replace the addresses and ASNs of the providers."
        yield "          # A leaf accepts a default route and advertises the subnets of the VRF."
    for number, prefer in zip(external, ("primary", "backup"), strict=False):
        own, peer = f"192.0.2.{2 * number - 1}/31", f"192.0.2.{2 * number - 2}"
        place = f"link: wan{number}, vlan: 101" if _has_tags(needs) else f"leaf: {number}, cage: 1"
        yield (
            f"          wan{number}: {{{place}, address: {own}, peer: {peer}, "
            f"asn: 64496, prefer: {prefer}}}"
        )
    yield "    attachments:"
    yield "      - {servers: gpu, access: jobs}"
