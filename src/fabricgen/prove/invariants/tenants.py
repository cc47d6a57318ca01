"""Checks the laws of tenants: routing tables, VNIs, VLANs and gateways."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import TRUE, Key
from fabricgen.prove.invariants.law import (
    Breach,
    Law,
    Member,
    Spot,
    at_port,
    breach,
    grouped,
    sharing,
    unlike,
)
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import (
    Address,
    Port,
    Switch,
    anycast,
    one,
    plain,
    several,
    whole_number,
)

_EBGP = 20
"""The distance of eBGP in FRR (bgpd/bgpd.h, ZEBRA_EBGP_DISTANCE_DEFAULT)."""
_ONE = ("vrf", "table", "mac", "speed")
"""Attributes with one value per interface."""
RESERVED = frozenset(range(253, 256)) | {0}
"""RT_TABLE_DEFAULT, MAIN, LOCAL and UNSPEC of include/uapi/linux/rtnetlink.h."""


def _tables(network: AnyNetwork) -> Iterator[Breach]:
    """Yield VRF devices that share a kernel table, or use a reserved one."""
    for switch in network.switches:
        first: dict[int, Key] = {}
        for key, own in (*switch.each("interface"), *switch.each("vrf")):
            if "table" not in own:
                continue
            number, here = whole_number(own["table"]), Spot(switch, key, ("table",))
            other = first.setdefault(number, key)
            if number in RESERVED:
                said = f"{switch.name}: VRF {key[1]} has table {number}, which the kernel reserves"
                yield breach(said, here)
            elif other[1] != key[1]:
                said = f"{switch.name}: VRFs {other[1]} and {key[1]} share routing table {number}"
                yield breach(said, here, Spot(switch, other, ("table",)))
            if "rule-table" in own and own["rule-table"] != own["table"]:
                said = f"{switch.name}: rules send packets of VRF {key[1]} to another table"
                yield breach(said, Spot(switch, key, ("rule-table",)))


def _vnis(network: AnyNetwork) -> Iterator[Breach]:
    """Yield a VNI of two VRFs, two VLANs, or a VRF and a VLAN with servers."""
    for switch in network.switches:
        held = [
            Member(f"VRF {key[1]}", int(number), Spot(switch, key, ("vni",)))
            for key, own in switch.each("vrf")
            for number in filter(
                str.isdigit, several(own.get("vni"))
            )  # two files may have one each
        ]
        transit = {each.value for each in held}
        for vlan, vni in switch.vnis.items():
            gateway = switch.gateways.get(vlan)
            if vni not in transit or (gateway is not None and gateway.addresses):
                spot = Spot(switch, ("vlan", str(vlan)), ("vni",))
                held.append(Member(f"VLAN {vlan}", vni, spot))
        for owners in sharing(held):
            names = " and ".join(each.name for each in owners)
            said = f"{switch.name}: {names} share VNI {owners[0].value}"
            yield breach(said, *(each.spot for each in owners))


def _vlans(network: AnyNetwork) -> Iterator[Breach]:
    """Yield routed VLANs that do not exist, and those that no port carries."""
    for switch in network.switches:
        known = {
            *several(switch.own(("switch",)).get("vlans")),
            *several(switch.bridge[1].get("vlans")),
            *(key[1] for key, own in switch.each("vlan") if "number" in own),
        }
        if not known:  # the files of its bridge are not here
            continue
        carried = [port for port in switch.ports.values() if port.up and not port.vlan]
        for vlan, port in switch.gateways.items():
            here = Spot(switch, ("interface", port.name), ("address",))
            if not port.up:
                continue
            if str(vlan) not in known and vlan != 1:
                yield breach(
                    f"{switch.name}: {port.name} routes VLAN {vlan}, which is absent", here
                )
            elif not _reached(switch, vlan, carried):
                said = f"{switch.name}: {port.name} routes VLAN {vlan}, which no port carries"
                yield breach(said, here, severity=Severity.WARNING)
        for vlan in switch.vnis:
            if str(vlan) not in known and switch.bridge[0]:
                said = (
                    f"{switch.name}: VNI {switch.vnis[vlan]} belongs to VLAN {vlan}, which is "
                    "absent"
                )
                yield breach(said, Spot(switch, switch.bridge[0], ("vlans",)))


def _reached(switch: Switch, vlan: int, carried: list[Port]) -> bool:
    own = switch.own(("vlan", str(vlan)))
    follows = switch.own(("interface", switch.gateways[vlan].name)).get("follows") != "false"
    if vlan in switch.vnis or "vni" in own or "group" in own or not follows:
        return True
    bridge = switch.bridge[0]
    ports = (each for each in carried if not bridge or each.name != bridge[1])
    return any(each.vlans is None or str(vlan) in each.vlans for each in ports)


def _gateways(network: AnyNetwork) -> Iterator[Breach]:
    """Yield gateways of one VNI whose address or MAC differs from other leafs."""
    alike = grouped(
        ((network.parts[switch], switch.vnis[vlan]), (switch, port))
        for switch in network.switches
        for vlan, port in switch.gateways.items()
        if port.up and vlan in switch.vnis and anycast(switch, port)
    )
    for (_, vni), held in alike.items():
        group = f"the same VNI {vni}"
        yield from unlike(
            "MAC", group, [at_port(leaf, port.name, _mac(leaf, port), "mac") for leaf, port in held]
        )
        for has in _addresses(held):
            values = zip(held, has, strict=True)
            told = [at_port(leaf, port.name, each, "address") for (leaf, port), each in values]
            yield from unlike("address", group, told)


def _addresses(held: list[tuple[Switch, Port]]) -> Iterator[list[str]]:
    """Yield the shared addresses of gateways.

    Without a shared address of an IP version each leaf may have its own, unless all are virtual.
    Without any shared address they are compared completely.
    """
    every = [{each for each in port.addresses if not each.is_link_local} for _, port in held]
    common = {each for addresses in every for each in addresses if _is_usual(each, every)}
    has = (leaf.own(("interface", port.name)) for leaf, port in held)
    are_virtual = all(own.get("anycast") == TRUE and "virtual-router" not in own for own in has)
    if not common:
        yield [_shared(own, common) for own in every]
        return
    for version in (4, 6):
        own = [{each for each in one if each.version == version} for one in every]
        shared = {each for each in common if each.version == version}
        if shared or are_virtual:
            yield [_shared(each, shared) for each in own]


def _is_usual(address: Address, own: list[set[Address]]) -> bool:
    """Return whether most gateways have an address; a leaf may also have its own."""
    return sum(address in each for each in own) * 2 > len(own)


def _shared(own: set[Address], shared: set[Address]) -> str:
    """Return the shared addresses of a gateway, or all if no gateway shares one."""
    return ", ".join(sorted(map(str, own & shared if shared else own)))


def _mac(switch: Switch, port: Port) -> str:
    own = one(switch.own(("interface", port.name)).get("mac"))
    return own or one(switch.own(("switch",)).get("anycast-mac"))


def _anycast(network: AnyNetwork) -> Iterator[Breach]:
    """Yield switches with virtual addresses but without a virtual MAC."""
    for switch in network.switches:
        for port in switch.gateways.values():
            own = switch.own(("interface", port.name))
            if own.get("anycast") == TRUE and port.up and not _mac(switch, port):
                said = f"{switch.name}: {port.name} has a virtual address, but no virtual MAC"
                yield breach(said, Spot(switch, ("interface", port.name), ("address",)))
                break


def _ospf(network: AnyNetwork) -> Iterator[Breach]:
    """Yield OSPF processes with one number, and distances that do not precede eBGP's."""
    for switch in network.switches:
        first: dict[str, Key] = {}
        for key, own in switch.each("ospf"):
            number, distance = one(own.get("number")), one(own.get("distance"))
            other = first.setdefault(number, key) if number else key
            if other[1] != key[1]:
                said = (
                    f"{switch.name}: OSPF of VRFs {other[1]} and {key[1]} share process number "
                    f"{number}"
                )
                yield breach(said, Spot(switch, key, ("number",)))
            if distance and not 0 < whole_number(distance) < _EBGP:
                said = (
                    f"{switch.name}: OSPF of VRF {key[1]} has distance {distance}, but eBGP of "
                    f"another leaf precedes it with {_EBGP}"
                )
                yield breach(said, Spot(switch, key, ("distance",)))


def _single(network: AnyNetwork) -> Iterator[Breach]:
    """Yield interfaces with contradicting lines: two objects share one name."""
    for switch in network.switches:
        for key, own in switch.each("interface"):
            # FRR may have another description than its host OS
            for word in (*_ONE, *([] if switch.is_frr else ["description"])):
                if len({plain(each) for each in several(own.get(word))}) > 1:
                    values = " and ".join(several(own[word]))
                    said = f"{switch.name}:{key[1]} has two values of {word}: {values}"
                    yield breach(said, Spot(switch, key, (word,)))


LAWS = (
    Law(
        name="one routing table per VRF",
        code=Code.LAW_VRF,
        source="Linux Documentation/networking/vrf.rst; include/uapi/linux/rtnetlink.h",
        needs=frozenset({("interface", "table"), ("vrf", "table")}),
        breaches=_tables,
        alone=True,
    ),
    Law(
        name="one VNI per VRF and VLAN",
        code=Code.LAW_VRF,
        source="RFC 9136 section 4.4.1: an IP-VRF has one VNI; RFC 8365 section 5.1.2",
        needs=frozenset({("vrf", "vni"), ("vlan", "vni"), ("interface", "vni")}),
        breaches=_vnis,
        alone=True,
    ),
    Law(
        name="each routed VLAN exists and has ports",
        code=Code.LAW_VLAN,
        source="IEEE 802.1Q; EOS manual, `interface vlan` and autostate",
        needs=frozenset({("switch", "vlans"), ("vlan", "number"), ("interface", "vlan-aware")}),
        breaches=_vlans,
        alone=True,
    ),
    Law(
        name="gateways of one VNI have one address and one MAC",
        code=Code.LAW_GATEWAY,
        source="RFC 9135 section 4.1: an anycast gateway has one IP and one MAC on all leafs",
        needs=frozenset({("interface", "anycast"), ("interface", "mac")}),
        breaches=_gateways,
    ),
    Law(
        name="virtual addresses have a virtual MAC",
        code=Code.LAW_GATEWAY,
        source="EOS manual, `ip address virtual` and `ip virtual-router mac-address`",
        needs=frozenset({("switch", "anycast-mac")}),
        breaches=_anycast,
        alone=True,
    ),
    Law(
        name="each interface is in one VRF and has a unique name",
        code=Code.LAW_VRF,
        source="RFC 4364 section 3: an interface is associated with one VRF",
        needs=frozenset({("interface", "vrf")}),
        breaches=_single,
        alone=True,
    ),
    Law(
        name="OSPF has one process per VRF, and precedes eBGP",
        code=Code.LAW_VRF,
        source="EOS manual, `router ospf`: a process belongs to one VRF; FRR manual, `distance`: "
        "a leaf prefers its own port",
        needs=frozenset({("ospf", "number"), ("ospf", "distance")}),
        breaches=_ospf,
        alone=True,
    ),
)
