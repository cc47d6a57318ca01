"""Report numbers of a numbering plan that occur twice or lie outside of their range."""

from collections.abc import Iterator

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, dotted
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, NicPlan, Pool, host_text
from fabricgen.model.fabric.numbering import NO_PLAN, Formula
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Role, Switch


@record(kw_only=True)
class _Numbered:
    """One object with its number.

    owner: equal for objects that may share a number. where: the required range.
    """

    name: str
    noun: str
    value: int
    text: str
    formula: Formula
    owner: object
    inside: bool
    where: str


def judge_plan(fabric: Fabric, findings: Findings) -> bool:
    """Report duplicate numbers of a plan, or numbers outside of pools; return True if none."""
    if fabric.addresses.plan is NO_PLAN:
        return True
    whole, told = findings.whole, set[object]()
    for kind in (_of_switches, _of_links, _of_nics):
        owners: dict[tuple[str, int], _Numbered] = {}
        for each in kind(fabric):
            other = owners.setdefault((each.noun, each.value), each)
            path = each.formula.said or other.formula.said
            if not path or path in told:
                continue
            if not each.inside and each.formula.said:
                told.add(path)
                _outside(each, findings)
            elif other.owner != each.owner:
                told.add(path)
                _twice(each, other, findings)
    _judge_rails(fabric, findings)
    return whole and findings.whole


def _outside(each: _Numbered, findings: Findings) -> None:
    findings.spoil(
        Code.PLAN_OUT_OF_POOL,
        f"{each.name} has the {each.noun} {each.text} by this formula, which is outside of "
        f"{each.where}",
        each.formula.said,
        "use another base or step, or a pool that contains all numbers",
    )


def _twice(each: _Numbered, other: _Numbered, findings: Findings) -> None:
    first, second = (each, other) if each.formula.said else (other, each)
    said = second.formula.said
    by = f", the latter by {dotted(said)}" if said else ", the latter by design"
    findings.spoil(
        Code.PLAN_CLASH,
        f"{first.name} and {second.name} both have the {each.noun} {each.text}"
        f"{'' if said == first.formula.said else by}",
        first.formula.said,
        "use a step for each coordinate that differs, larger than the range of the coordinates "
        "inside it",
    )


def _of_switches(fabric: Fabric) -> Iterator[_Numbered]:
    for switch in fabric.topology.switches:
        yield from _of_switch(fabric, switch)


def _of_switch(fabric: Fabric, switch: Switch) -> Iterator[_Numbered]:
    """Yield the numbers of a switch without pins."""
    addresses, asns, role = fabric.addresses, fabric.routing.asns, switch.role
    pin = addresses.pins.get(switch.name)

    def free(key: str) -> bool:
        return pin is None or getattr(pin, key) is None

    if free("loopback"):
        formula = addresses.formula("loopbacks", role)
        own, pool = addresses.loopback(switch).value, addresses.loopbacks
        yield _address(switch.name, "loopback", own, formula, pool, switch.name)
    if free("management"):
        subnet = Ip(addresses.management.first, addresses.management_length).subnet
        size = 1 << 32 - subnet.length
        inner = Pool(name="management", first=subnet.value + 1, size=size - 2)
        formula, own = (
            addresses.formula("management", role),
            addresses.management_address(switch).value,
        )
        yield _address(
            switch.name, "management address", own, formula, inner, switch.name, str(subnet)
        )
    vtep = addresses.vtep(switch)
    if vtep is not None and addresses.vteps is not None and free("vtep"):
        formula = addresses.tunnel(addresses.vteps)
        yield _address(switch.name, "VTEP", vtep.value, formula, addresses.vteps, switch.shared)
    if free("asn"):
        asn = asns.asn(switch)
        yield _Numbered(
            name=switch.name,
            noun="ASN",
            value=asn,
            text=str(asn),
            formula=asns.formula(role),
            owner=_speaker(switch, shared=asns.shares(role)),
            inside=asns.first <= asn <= asns.last,
            where=f"{asns.first}-{asns.last} of `underlay.asn`",
        )


def _speaker(switch: Switch, *, shared: bool) -> object:
    """Return the owner of an ASN: RFC 7938 section 5.2.1 where a tier shares one."""
    if shared:
        return switch.role, switch.pod if switch.role is Role.SPINE else 0
    return (switch.role, switch.shared) if switch.is_leaf else switch.name


def _address(
    name: str,
    noun: str,
    value: int,
    formula: Formula,
    pool: Pool,
    owner: object,
    where: str = "",
) -> _Numbered:
    return _Numbered(
        name=name,
        noun=noun,
        value=value,
        text=host_text(value, pool.version),
        formula=formula,
        owner=owner,
        inside=pool.first <= value <= pool.high(0),
        where=where or f"`addressing.{pool.name}`, {pool.text}",
    )


def _of_links(fabric: Fabric) -> Iterator[_Numbered]:
    pool = fabric.addresses.links
    if pool is None:
        return
    for link in fabric.topology.links:
        ends = None if link.to_server else fabric.addresses.link(link)
        if ends is not None:
            lower = Role.LEAF if link.upper.role.tier == 2 else Role.SPINE
            yield _pair(link, ends[0], fabric.addresses.run(pool, lower), pool)


def _of_nics(fabric: Fabric) -> Iterator[_Numbered]:
    nics = fabric.addresses.nics
    for link in fabric.topology.links if nics is not None and nics.said is not None else ():
        if link.to_server and nics is not None:
            yield _pair(link, nics.ends(link)[0], nics.formula, nics.pool)


def _pair(link: Link, own: Ip, formula: Formula, pool: Pool) -> _Numbered:
    """Return a link by the first address of its pair."""
    first = own.value & ~1
    name = f"{link.lower.name} {link.lower_port.label}"
    return _address(name, f"pair of addresses /{own.length}", first, formula, pool, link)


def _judge_rails(fabric: Fabric, findings: Findings) -> None:
    """Report rails that have no route of their own, where servers need one."""
    nics, overlay = fabric.addresses.nics, fabric.overlay
    railed = any(plan.railed for plan in fabric.hosts.values())
    if nics is None or nics.said is None or not railed:
        return
    apart = all(each.rails for each in fabric.topology.switches if not each.is_leaf)
    local = overlay is not None and any(vrf.local for vrf in overlay.vrfs.values())
    if not nics.room and (local or apart):
        findings.spoil(
            Code.PLAN_OUT_OF_POOL,
            "rails without a common switch need a block each, but this formula mixes them",
            nics.said.said,
            "use steps per rail and plane that are powers of two and larger than all others",
        )
    strays = (link for link in fabric.topology.links if nics.room and _strays(nics, link))
    for link in strays:
        block = nics.block_prefix(link.lower_port.rail, link.upper.plane)  # type: ignore[union-attr]
        findings.spoil(
            Code.PLAN_OUT_OF_POOL,
            f"{link.lower.name} {link.lower_port.label} has {nics.ends(link)[0].host} by this "
            f"formula, which is outside of the block of its rail, {block}",
            nics.said.said,
            "use a larger step per rail and plane",
        )
        return


def _strays(nics: NicPlan, link: Link) -> bool:
    """Return whether a NIC lies outside of the block of its rail and plane."""
    nic = link.lower_port
    return isinstance(nic, Nic) and not nics.block_prefix(nic.rail, link.upper.plane).holds(
        nics.ends(link)[0]
    )
