"""Design the routing of a fabric: ASNs, ECMP width and allowed prefixes."""

from collections.abc import Iterator

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Milliseconds
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.routing import AllowedPrefix, AsnPlan, Bfd, Routing
from fabricgen.model.fabric.topology import Role, Switch, Topology

LEAST_ECMP = 64  # maximum-paths has a fixed minimum: a new spine must not change other lines
FIRST_PINNED = 100  # sequence in the prefix list, above those of pools


def route(
    words: AnyFabric,
    topology: Topology,
    addresses: Addresses,
    width: int,
    findings: Findings,
    *,
    overlay: bool,
) -> Routing:
    """Design the routing of one fabric; `width` is the maximum number of ECMP paths."""
    path, underlay = at(*words.here, "underlay"), words.underlay
    shared = underlay.asn.scheme == "rfc7938"
    said = underlay.asn
    plan = AsnPlan(
        first=said.first,
        last=said.last,
        shared=shared,
        pins=addresses.pins,
        plan=addresses.plan,
    )
    leafs = [s.ordinal for s in topology.switches if s.role is Role.LEAF]
    uppers = [plan.computed(s) for s in topology.switches if s.role is not Role.LEAF]
    need = max(leafs, default=0) + 1 + (plan.last - min(uppers) + 1 if uppers else 0)
    have = plan.last - plan.first + 1
    planned = any(kind == "asn" for kind, _ in addresses.plan.every)
    if need > have and not planned:
        findings.spoil(
            Code.ASN_RANGE_TOO_SMALL,
            f"{need:,} ASNs are needed, but {plan.first}-{plan.last} has {have:,}",
            (*path, "asn"),
            "use the 4-byte private range 4200000000-4294967294, or scheme: rfc7938",
        )
    bfd = underlay.bfd
    ecmp = max(LEAST_ECMP, 1 << (max(width, 1) - 1).bit_length())
    return Routing(
        path=path,
        links=underlay.links,
        asns=plan,
        bfd=Bfd(Milliseconds(bfd.interval), bfd.multiplier) if bfd.enabled else None,
        mtu=underlay.mtu,
        ecmp=ecmp,
        allowed=_allowed(topology, addresses, tenants=overlay),
        overlay=overlay,
        password=underlay.password,
        ospf=underlay.ospf,
    )


def _allowed(
    topology: Topology, addresses: Addresses, *, tenants: bool
) -> tuple[AllowedPrefix, ...]:
    """Return the prefixes that the underlay advertises: with tenants, NICs are only in VRFs."""
    pools = [(addresses.loopbacks.whole, 32)]
    if addresses.vteps is not None:
        pools.append((addresses.vteps.whole, 32))
    if addresses.nics is not None and not tenants:
        pools.append((addresses.nics.pool.whole, addresses.nics.subnet_length or 31))
    pinned = (each for switch in topology.switches for each in _pinned(addresses, switch))
    return (
        *(
            AllowedPrefix(prefix=prefix, longest=length, shortest=length, sequence=10 * number)
            for number, (prefix, length) in enumerate(pools, 1)
        ),
        *sorted(pinned, key=lambda each: each.sequence),
    )


def _pinned(addresses: Addresses, switch: Switch) -> Iterator[AllowedPrefix]:
    """Yield the pinned addresses of a switch that no pool holds.

    Their sequence follows from the switch, as all its numbers: four for each ordinal.
    """
    pin = addresses.pins.get(switch.name)
    if pin is None:
        return
    own = (("loopback", addresses.loopback(switch)), ("vtep", addresses.vtep(switch)))
    pools = [addresses.loopbacks, addresses.vteps]
    for key, address in own:
        if getattr(pin, key) is None or address is None:
            continue
        if any(pool is not None and pool.whole.holds(address) for pool in pools):
            continue
        place = 4 * switch.ordinal + (switch.role.tier if key == "loopback" else 0)
        why = pin.why(Provenance((), "outside of the pools"), key)
        yield AllowedPrefix(
            prefix=address, longest=32, shortest=32, sequence=FIRST_PINNED + place, why=why
        )
