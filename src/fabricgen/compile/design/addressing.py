"""Plan the addresses and the numbers of a fabric."""

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address

from netaddr import IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.pins import pins_of
from fabricgen.compile.design.share import judge_part, management_of
from fabricgen.compile.design.wiring.naming import PATTERN_WORDS
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.site import Management
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Addresses, Ip, NicPlan, Pool
from fabricgen.model.fabric.numbering import NO_PLAN, Formula, Plan
from fabricgen.model.fabric.topology import Role, Topology

_NIC_WORDS = {
    "rails": {"plane", "unit", "rail", "server", "port", "number"},
    "routed": {"unit", "rail", "server", "port", "number"},
}
_ROLES = [role.value for role in Role]


def plan_of(words: AnyFabric, findings: Findings) -> Plan:
    """Return the formulas of the intent, and report those that cannot apply."""
    plan = {}
    for kind, role, said in _said(words):
        path = at(*words.at("numbering", kind), *([role] if role else []))
        lacks = _lacks(words, kind, role)
        if lacks:
            findings.spoil(Code.BAD_VALUE, lacks, path, "leave it out")
            continue
        if _judge_base(words, kind, str(said), path, findings):
            plan[kind, role] = _parsed(str(said), path)
            _judge_words(words, (kind, role), plan[kind, role], findings)
    return Plan(plan) if plan else NO_PLAN


def _said(words: AnyFabric) -> Iterator[tuple[str, str, object]]:
    """Yield the formulas that are given: kind of number, role, formula."""
    numbering = words.unless_refused("numbering")
    for kind, value in vars(numbering).items() if numbering is not None else ():
        if value is None or isinstance(value, str):
            yield from [(kind, "", value)] if value else []
        else:
            yield from ((kind, role, each) for role, each in vars(value).items() if each)


def _lacks(words: AnyFabric, kind: str, role: str) -> str:
    """Return the part that a fabric lacks for a formula."""
    if kind == "nics" and words.nic_addressing.mode == "subnet":  # type: ignore[union-attr]
        return "with `nic_addressing: {mode: subnet}` each leaf has a subnet by its place"
    if kind == "vteps" and "vteps" not in type(words.addressing).model_fields:
        return f"the {words.name} has no tunnels"
    if kind == "links" and words.underlay.links == "unnumbered":
        return "links are `unnumbered`"
    above = _ROLES[_ROLES.index(role) + 1] if kind == "links" else role
    if above and getattr(words, above, None) is None:
        return f"the {words.name} has no {above}s"
    return ""


def _parsed(text: str, path: IntentPath) -> Formula:
    """Read `10.0.0.1 + 0.0.1.0 per pod - 1 per index`."""
    base, *rest = text.split(" ")
    terms = zip(rest[0::4], rest[1::4], rest[3::4], strict=True)
    steps = tuple((word, int(f"{sign}{_number(step)}")) for sign, step, word in terms)
    return Formula(_number(base), steps, path)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else int(ip_address(text))


def _judge_words(
    words: AnyFabric, kind: tuple[str, str], formula: Formula, findings: Findings
) -> None:
    """Report coordinates that the numbered object does not have, or that occur twice."""
    name, role = kind
    known = _NIC_WORDS.get(words.kind, set())
    if name != "nics":
        coordinates = {"plane", "pod", "unit", "rail", "index"}
        known = PATTERN_WORDS[words.kind][role or "leaf"] & coordinates | {"number"}
    known = known | {"upper", "link"} if name == "links" else known
    said = [word for word, _ in formula.steps]
    for word in said:
        if word not in known:
            hint = did_you_mean(word, known) or f"allowed coordinates: {', '.join(sorted(known))}"
            findings.spoil(
                Code.BAD_VALUE, f"unknown coordinate {word!r} in this formula", formula.said, hint
            )
        elif said.count(word) > 1:
            findings.spoil(Code.BAD_VALUE, f"this formula contains {word!r} twice", formula.said)


def _judge_base(
    words: AnyFabric, kind: str, text: str, path: IntentPath, findings: Findings
) -> bool:
    """Report a formula that begins with no number of its kind; return whether it does."""
    base = text.split(" ", maxsplit=1)[0]
    if kind == "asn":
        good, example = base.isdigit(), "an ASN, for example 65001"
    elif kind == "links" and words.underlay.links == "numbered-v6":
        good, example = ":" in base, "an IPv6 address, for example fd00::1"
    else:
        good, example = base.count(".") == 3, "an IPv4 address, for example 10.0.0.1"
    try:
        _parsed(text, path)
    except ValueError:
        good = False
    if not good:
        findings.spoil(Code.BAD_VALUE, f"this formula must begin with {example}", path)
    return good


def prefix_of(network: IPNetwork) -> Ip:
    """Return a prefix of the intent as a prefix of the model."""
    return Ip(int(network.first), int(network.prefixlen), int(network.version))


@record()
class Reserved:
    """The highest counts that pools must hold: leafs from the bottom, places from the top, links.

    Spines take the odd places below the top of a pool, superspines the even ones from the second.
    """

    leafs: int
    top: int
    links: int


def pool(name: str, network: IPNetwork) -> Pool:
    """Turn a prefix of the intent into a pool."""
    return Pool(
        name=name, first=int(network.first), size=int(network.size), version=int(network.version)
    )


def judge_pools(words: AnyFabric, findings: Findings) -> None:
    """Report pools with the wrong IP version for their addresses."""
    here: IntentPath = words.at("addressing")
    six = words.underlay.links == "numbered-v6"
    for key, network in words.addressing:
        space = pool(key, network)
        if key != "links":
            _four(space, (*here, key), findings)
        elif words.underlay.links != "unnumbered" and (space.version == 6) is not six:
            findings.spoil(
                Code.BAD_VALUE,
                f"{words.underlay.links} links need an IPv{6 if six else 4} pool, but "
                f"{space.text} is not one",
                (*here, "links"),
                'set an IPv6 prefix, for example `addressing: {links: "fd00:0:0:1::/64"}`'
                if six
                else "set an IPv4 prefix, or remove it",
            )


def allocate(
    words: AnyFabric,
    reserved: Reserved,
    management: Management,
    nics: NicPlan | None,
    findings: Findings,
    *,
    tunnels: bool = True,
) -> Addresses:
    """Build the address functions of one fabric, and report every pool that is too small.

    tunnels: leafs are tunnel ends, where the intent has a pool for those.
    """
    here: IntentPath = words.at("addressing")
    need = reserved.leafs + 1 + reserved.top
    said = words.addressing  # a refused pool ends this step as it is read
    keys = (key for key in type(said).model_fields if tunnels or key != "vteps")
    allocated = {key: pool(key, getattr(said, key)) for key in keys}
    plan = plan_of(words, findings)
    planned = {kind for kind, _ in plan.every}
    for key in ("loopbacks", "vteps"):
        if key in allocated and key not in planned:
            _fits(allocated[key], need, "addresses", (*here, key), findings)
    link_pool = None
    if words.underlay.links != "unnumbered":
        link_pool = allocated["links"]
        if "links" not in planned:
            need_links, what = 2 * reserved.links, "addresses for links"
            _fits(link_pool, need_links, what, (*here, "links"), findings)
    judge_part(words, management.subnet, findings)
    part, path = management_of(words, management.subnet)
    what = f"management addresses of {words.name}"
    if "management" not in planned:
        _fits(part, need, what, path, findings, "use a larger prefix, or set `management`")
    if nics is not None:
        nics = replace(nics, said=plan.get("nics"))
    return Addresses(
        loopbacks=allocated["loopbacks"],
        links=link_pool,
        management=part,
        management_length=int(management.subnet.prefixlen),
        vteps=allocated.get("vteps"),
        nics=nics,
        pins=pins_of(words),
        plan=plan,
    )


def reserve(topology: Topology, leafs: int, uplinks: int, spine_uplinks: int) -> Reserved:
    """Count the required size of each pool, with at least `leafs` reserved."""
    top = {
        role: max(
            (switch.ordinal + 1 for switch in topology.switches if switch.role is role), default=0
        )
        for role in Role
    }
    leafs = max(leafs, top[Role.LEAF])
    return Reserved(
        leafs,
        max(2 * top[Role.SPINE], top[Role.SUPERSPINE] and 2 * top[Role.SUPERSPINE] + 1),
        leafs * uplinks + top[Role.SPINE] * spine_uplinks,
    )


@record(kw_only=True)
class NicBlocks:
    """Division of a NIC pool into `rails` times `planes` blocks.

    ports: NIC ports of a leaf in a block. units: number of leaf units. most: all NIC ports of a
    block.
    """

    rails: int
    planes: int
    ports: int
    units: int
    most: int


def plan_nics(words: Backend | Routed, cut: NicBlocks, findings: Findings) -> NicPlan:
    """Cut the NIC pool into one block per rail and plane."""
    here: IntentPath = words.at("addressing", "nics")
    whole = pool("nics", words.addressing.nics)
    block = whole.size >> (cut.rails * cut.planes - 1).bit_length()
    length = None
    need = 2 * cut.most
    if words.nic_addressing.mode == "subnet":
        size = 1 << (cut.ports + 2).bit_length()
        length, need = 33 - size.bit_length(), size * cut.units
    if need > block and not vars(words.numbering).get("nics"):
        noun, over = "rail", f"{cut.rails} rails and {cut.planes} plane(s)"
        if words.kind == "routed":
            noun, over = "block", f"{cut.rails} blocks, one for each leaf that a server reaches,"
        findings.spoil(
            Code.POOL_TOO_SMALL,
            f"a {noun} needs {need:,} NIC addresses, but {whole.text} divided into {over} gives "
            f"{block:,} each",
            here,
            "use a larger prefix",
        )
    return NicPlan(pool=whole, planes=cut.planes, block=block, subnet_length=length)


def _four(space: Pool, path: IntentPath, findings: Findings) -> None:
    if space.version != 4:
        findings.spoil(
            Code.BAD_VALUE,
            f"this pool must be IPv4, because router IDs and VXLAN tunnels are, but {space.text} "
            "is not",
            path,
        )


def _fits(
    space: Pool,
    need: int,
    what: str,
    path: IntentPath,
    findings: Findings,
    hint: str = "use a larger prefix",
) -> None:
    if need > space.size:
        findings.spoil(
            Code.POOL_TOO_SMALL,
            f"{need:,} {what} are needed, including growth, but the pool has {space.size:,}",
            path,
            hint,
        )
