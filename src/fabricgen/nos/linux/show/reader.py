"""Read the running state of plain Linux with FRR: its commands and the facts of Linux alone.

It uses one shell and one vtysh per switch, because a vtysh takes 0.25 s in a virtual lab. After
each output comes a record separator, which no JSON has, with the command's key and exit status.
Standard error is part of the output, so that failures can be reported.
"""

import re
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from fabricgen.core.tree.facts import CHOSEN, GLOBAL, Attributes, Facts, Key, merged
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import (
    BRIDGE,
    LOOPBACK,
    MANAGEMENT_PORT,
    bond_name,
    frr_names,
    gre_name,
    tunnel_name,
    vlan_name,
)
from fabricgen.nos.linux.show import filters as packets
from fabricgen.nos.linux.show import interfaces, kernel, queues
from fabricgen.nos.linux.show.kernel import STATIC
from fabricgen.nos.linux.show.planned import planned
from fabricgen.nos.shared.documents import VTYSH, Look, script
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.shared.health import neighbors
from fabricgen.nos.show import ENABLED, UP, Observed, Part, Reader
from fabricgen.nos.spelling import Names


class Command(NamedTuple):
    """One command; `line` is shell."""

    key: str
    line: str


_ASKED = " ".join(f"-c '{line}'" for line in VTYSH)

# Kernel routes, not zebra's, because packets follow them. Routes of bgpd and ospfd have these
# protocols in iproute2's rt_protos. tc cannot list filters and classes of all ports, but one batch
# can list them port by port. Classes are text even with -j, so the list of filters, which is never
# omitted, ends each port.
COMMANDS = (
    Command("addresses", "ip -j -d address show"),
    Command("vlans", "bridge -j vlan show"),
    Command("routes", "ip -j -4 route show table main"),
    Command("queues", "tc -j -d qdisc show"),
    Command(
        "filters",
        'cd /sys/class/net && set -- $(ls -d swp* 2>/dev/null); echo "$@"; for port; do '
        'echo "class show dev $port"; echo "filter show dev $port parent 1:"; done '
        "| tc -j -batch -",
    ),
    Command("lldp", "lldpcli -f json0 show neighbors"),
    Command("frr", f"vtysh -E {_ASKED}"),
    Command("version", "/usr/lib/frr/zebra --version"),
    *(Command(*each) for each in (*kernel.COMMANDS, *packets.COMMANDS)),
)

SCRIPT = script(COMMANDS)
"""The shell script for the switch. It writes nothing."""


_VNIS, _, _BGP, _EVPN, _BFD = VTYSH


def parse(output: str) -> Observed:
    """Return the state in the output of the script."""
    look: Look[Part] = Look(output)
    facts: Facts = look.json(Part.INTERFACES, "addresses", [], interfaces.interfaces)
    look.json(Part.BRIDGE, "vlans", [], lambda ports: interfaces.bridged(facts, ports))
    filters = look.text(Part.FILTERS, "filters", lambda shown: queues.by_port(shown.text), {})
    for part, asked, empty, read in (
        (Part.BGP, _BGP, {}, routing.sessions),
        (Part.BFD, _BFD, [], routing.bfd),
        (Part.VNIS, _VNIS, [], routing.routed),
        (Part.EVPN, _EVPN, {}, routing.announced),
        (Part.LLDP, "lldp", {}, neighbors),
        (Part.ROUTES, "routes", [], routing.routes),
        (Part.QUEUES, "queues", [], lambda shown: queues.observed(shown, filters)),
        (Part.QUEUES, "queues", [], packets.qdiscs),
        (Part.INTERFACES, "addresses", [], packets.devices),
        (Part.FLAGS, "flags", [], kernel.flags),
    ):
        for key, own in look.json(part, asked, empty, read).items():
            facts[key] = merged(facts.get(key, {}), own)
    facts |= look.made(Part.FILTERS, lambda: packets.queued(filters), {})
    facts |= _beside(look, facts)
    pulses = look.json(Part.BGP, _BGP, {}, routing.pulses)
    return Observed(
        facts=facts, pulses=pulses, unread=look.unread, runs=_runs(look.optional("version"))
    )


def _runs(printed: str) -> str:
    """Return the FRR of the first line of `zebra --version`: `zebra version 8.4.4`."""
    version = re.match(r"zebra version (\d\S*)", printed.lstrip())
    return f"FRR {version[1]}" if version else ""


def _beside(look: Look[Part], facts: Facts) -> Facts:
    """Return the kernel state outside the design. `facts`: of its interfaces."""
    vrfs = frozenset(key[1] for key in facts if key[0] == "vrf")
    found: Facts = {}
    for part, asked, read in (
        (Part.WAYS, "ways", lambda answer: kernel.routes(answer, facts)),
        (Part.RULES, "rules", lambda answer: kernel.rules(answer, facts)),
        (Part.SETTINGS, "settings", kernel.settings),
        (Part.ENTRIES, "entries", kernel.entries),
        (Part.TC, "tc", packets.tc),
        (Part.TABLES, "nft", lambda answer: packets.tables(answer, vrfs)),
    ):
        found |= look.text(part, asked, read, {})
    return found


_OWN_ADDRESS = "127.0.0.1/8"
_OWN_VLAN = "1"  # of the bridge itself

_ABOUT = (
    (Part.INTERFACES, "interface", "link mtu mac address vrf bundle bridge"),
    (Part.INTERFACES, "interface", "local remote key below"),
    (Part.BRIDGE, "interface", "vlans untagged"),
    (Part.INTERFACES, "vrf", "exists table"),
    (Part.INTERFACES, "vni", "device source"),
    (Part.BRIDGE, "vni", "vlan"),
    (Part.VNIS, "vni", "layer vrf"),
    (Part.EVPN, "vni", "rd import export"),
    (Part.BGP, "session", "asn families state"),
    (Part.BFD, "bfd", "timers state"),
    (Part.LLDP, "cable", "far"),
    (Part.ROUTES, "route", "ports"),
    (Part.QUEUES, "queues", "scheduler bands marking"),
    (Part.FILTERS, "queues", "service dscp default"),
    (Part.WAYS, "kernel-route", "way"),
    (Part.WAYS, "fib", "protocols"),
    (Part.RULES, "kernel-rule", "does"),
    (Part.SETTINGS, "setting", "value"),
    (Part.FLAGS, "flag", "value"),
    (Part.TC, "filter", "does"),
    (Part.TABLES, "table", "does"),
    (Part.QUEUES, "qdisc", "kind"),
    (Part.ENTRIES, "neighbor", "mac"),
    (Part.ENTRIES, "mac", "to"),
)


def own(switch_slice: SwitchSlice) -> Iterator[tuple[Key, Attributes]]:
    """Yield facts of Linux alone: tables, devices of VRFs and VNIs, the bridge, and its queues."""
    vrf, mtu = switch_slice.services.vrf, str(switch_slice.routing.tenant_mtu)
    yield ("interface", LOOPBACK), {"address": (_OWN_ADDRESS, "::1/128")}
    yield ("interface", vrf), {"link": UP, "address": (_OWN_ADDRESS,)}
    yield ("vrf", vrf), {"table": CHOSEN}
    for each in switch_slice.vrfs:
        yield ("interface", each.name), {"link": UP}
        yield ("vrf", each.name), {"table": CHOSEN}
    for each in switch_slice.tunneled:
        transit: Attributes = {"link": UP, "mtu": mtu, "vrf": each.name}
        yield ("interface", vlan_name(each.transit_vlan)), transit
    if switch_slice.vlans or switch_slice.tunneled:
        yield ("interface", BRIDGE), _bridge(switch_slice, mtu)
    if switch_slice.vtep is not None:
        numbers = (
            *(vlan.vni for vlan in switch_slice.vlans),
            *(each.vni for each in switch_slice.tunneled),
        )
        for vni in (number for number in numbers if number is not None):
            yield ("interface", tunnel_name(vni)), {"link": UP, "mtu": mtu}
            yield ("vni", str(vni)), {"device": tunnel_name(vni)}
    yield from planned(switch_slice).items()
    yield from static_routes(switch_slice)


def _bridge(switch_slice: SwitchSlice, mtu: str) -> Attributes:
    """Return the bridge, which is only in VLANs with an interface: ifupdown2 adds those."""
    vlans = {str(vlan.id) for vlan in switch_slice.vlans if vlan.gateways}
    if switch_slice.vtep is not None:
        vlans |= {str(each.transit_vlan) for each in switch_slice.tunneled}
    return {
        "link": ENABLED,
        "mtu": mtu,
        "mac": switch_slice.router_mac,
        "vlans": tuple(sorted(vlans | {_OWN_VLAN})),
        "untagged": _OWN_VLAN,
    }


LINUX = Reader(
    names=Names(
        loopback=LOOPBACK,
        tunnel=LOOPBACK,
        management=MANAGEMENT_PORT,
        gateway=vlan_name,
        bundle=bond_name,
        through=gre_name,
        diagnostic=attrgetter("name"),
        unsaid=frozenset({("diagnostic", "vrf")}),
        more=own,
    ),
    about={(kind, name): part for part, kind, names in _ABOUT for name in names.split()},
    script=SCRIPT,
    parse=parse,
    runs=lambda release: f"FRR {frr_names(release).version}",
)


def static_routes(switch_slice: SwitchSlice) -> Iterator[tuple[Key, Attributes]]:
    """Yield the static routes of VRFs, and the routing daemons that own the rest of each table.

    BGP or OSPF owns the underlay. BGP owns hosts and subnets of EVPN, imports of VRFs and routes of
    external routers; OSPF owns its external routes. The number of their routes is not compared.
    """
    for key in {(route.vrf, route.prefix.prefix) for route in switch_slice.routes}:
        yield ("kernel-route", *key), {"way": (STATIC,)}
    flooding = {peer.vrf for peer in switch_slice.flooding}
    for name in (GLOBAL, *(vrf.name for vrf in switch_slice.vrfs)):
        protocols = ("bgp", "ospf") if name in flooding else ("bgp",)
        if name == GLOBAL and switch_slice.routing.ospf:
            protocols = ("ospf",)
        yield ("fib", name), {"protocols": protocols}
