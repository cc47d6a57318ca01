"""Pools from the intent in, the address functions of a fabric out; what does not fit is said."""

from dataclasses import replace

from netaddr import IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.numbering import plan_of
from fabricgen.compile.design.pins import pins_of
from fabricgen.compile.design.share import judge_part, management_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.site import Management
from fabricgen.model.fabric.addressing import Addresses, Ip, NicPlan, Pool
from fabricgen.model.fabric.topology import Role, Topology


def prefix_of(network: IPNetwork) -> Ip:
    """Turn a prefix of the intent into that of the model."""
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
    """Report pools of another version than what takes addresses from them."""
    here: IntentPath = words.at("addressing")
    six = words.underlay.links == "numbered-v6"
    for key, network in words.addressing:
        space = pool(key, network)
        if key != "links":
            _four(space, (*here, key), findings)
        elif words.underlay.links != "unnumbered" and (space.version == 6) is not six:
            findings.spoil(
                Code.BAD_VALUE,
                f"{words.underlay.links} links need an IPv{6 if six else 4} pool; {space.text} is "
                "not one",
                (*here, "links"),
                'a prefix of its own, as `addressing: {links: "fd00:0:0:1::/64"}`'
                if six
                else "an IPv4 prefix, or leave it out",
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
        _fits(part, need, what, path, findings, "use a larger prefix, or give it `management`")
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
    """Count what the pools must hold, with `leafs` at least reserved."""
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
    """How a NIC pool is cut: into `rails` times `planes` blocks.

    ports: NIC ports of a leaf in a block. units: of leafs. most: NIC ports of a block, in all.
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
            f"a {noun} needs {need:,} NIC addresses; {whole.text} over {over} gives {block:,} each",
            here,
            "use a larger prefix",
        )
    return NicPlan(pool=whole, planes=cut.planes, block=block, subnet_length=length)


def _four(space: Pool, path: IntentPath, findings: Findings) -> None:
    if space.version != 4:
        findings.spoil(
            Code.BAD_VALUE,
            f"this pool must be IPv4: router IDs and VXLAN tunnels are; {space.text} is not",
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
            f"{need:,} {what} are needed, with growth; the pool has {space.size:,}",
            path,
            hint,
        )
