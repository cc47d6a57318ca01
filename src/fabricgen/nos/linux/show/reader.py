"""Read the running state of plain Linux with FRR: its commands and the facts of Linux alone.

It uses one shell and one vtysh per switch, because a vtysh takes 0.25 s in a virtual lab. After
each output comes a record separator, which no JSON has, with the command's key and exit status.
Standard error is part of the output, so that failures can be reported.
"""

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter

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
from fabricgen.nos.linux.show import interfaces, kernel, measures, pauses, queues, system
from fabricgen.nos.linux.show.kernel import STATIC
from fabricgen.nos.linux.show.planned import planned
from fabricgen.nos.linux.show.sources import ABOUT, MEASURED, SOURCES, UNKNOWN
from fabricgen.nos.questions import Answers, Question
from fabricgen.nos.shared import paths
from fabricgen.nos.shared.documents import VTYSH, Look, answers, shell_request
from fabricgen.nos.shared.frr import evpn_routes
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.shared.frr import traffic as overlay
from fabricgen.nos.shared.health import neighbors
from fabricgen.nos.show import ENABLED, UP, BgpActivity, Observed, Part, Reader, Wanted
from fabricgen.nos.spelling import Names

_ASKED = " ".join(f"-c '{line}'" for line in VTYSH)

# Kernel routes, not zebra's, because packets follow them. Routes of bgpd and ospfd have these
# protocols in iproute2's rt_protos. tc cannot list filters and classes of all ports, but one batch
# can list them port by port. Classes are text even with -j, so the list of filters, which is never
# omitted, ends each port.
QUESTIONS = (
    Question("addresses", "ip -s -j -d address show"),
    Question("vlans", "bridge -j vlan show"),
    Question("routes", "ip -j -4 route show table main"),
    Question("queues", "tc -s -j -d qdisc show"),
    Question(
        "filters",
        'cd /sys/class/net && set -- $(ls -d swp* 2>/dev/null); echo "$@"; for port; do '
        'echo "class show dev $port"; echo "filter show dev $port parent 1:"; done '
        "| tc -j -batch -",
    ),
    Question("lldp", "lldpcli -f json0 show neighbors"),
    Question("frr", f"vtysh -E {_ASKED}"),
    Question("version", "/usr/lib/frr/zebra --version"),
    *(Question(*each) for each in (*kernel.COMMANDS, *packets.COMMANDS)),
    Question("floods", overlay.FLOODS),
    Question("evpn_routes", evpn_routes.command("vtysh"), slow=True),
    Question("pfc", pauses.ASK),
    Question("system", system.SYSTEM),
    Question("clock", system.CLOCK),
    Question("flaps", system.FLAPS),
)

_VNIS, _, _BGP, _EVPN, _BFD = VTYSH

_FOLLOW = (
    (Part.INTERFACES, Part.BRIDGE),  # a port that is not listed has no VLANs
    (Part.INTERFACES, Part.BUNDLES),
    (Part.INTERFACES, Part.VNIS),  # the device of a VNI
    (Part.VNIS, Part.FLOOD),
    (Part.VNIS, Part.PREFIXES),
    (Part.QUEUES, Part.FILTERS),  # the queues of a port, and their classes
)
"""Parts that are unread without another one: one answer lists the objects of the other."""


def parse(given: Answers) -> Observed:
    """Return the state in the answers."""
    look: Look[Part] = Look(given)
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
        (Part.BUNDLES, "addresses", [], system.bundled),
    ):
        for key, own in look.json(part, asked, empty, read).items():
            facts[key] = merged(facts.get(key, {}), own)
    facts |= look.made(Part.FILTERS, lambda: packets.queued(filters), {})
    facts |= _beside(look, facts)
    pulses = look.json(Part.BGP, _BGP, {}, routing.pulses)
    asked, unknown = look.text(Part.PATHS, paths.KEY, paths.paths, ({}, {}), optional=True)
    more = _Running(look, facts, pulses)
    look.follow(_FOLLOW)
    return Observed(
        facts=facts | asked,
        pulses=pulses,
        unread=look.unread,
        unknown={**UNKNOWN, **unknown, **more.unknown},
        measures=more.measures,
        clock=more.clock,
        runs=_runs(look.optional("version")),
    )


class _Running:
    """EVPN routes, daemons, clock and counters of a running switch.

    `facts`: of its interfaces and VNIs, to which this adds its own.
    """

    def __init__(self, look: Look[Part], facts: Facts, pulses: Mapping[Key, BgpActivity]) -> None:
        self._look, self._facts = look, facts
        self.unknown: dict[tuple[str, ...], str] = {}
        self.measures = dict(measures.of_sessions(pulses))
        self.clock: float | None = None
        self._overlay()
        self._system()
        self._counters()

    def _overlay(self) -> None:
        look, vnis = self._look, self._look.json(Part.VNIS, _VNIS, [])
        flooded = look.text(Part.FLOOD, "floods", overlay.floods, {})
        devices = {
            str(own["device"]): str(own["vlan"])
            for key, own in self._facts.items()
            if key[0] == "vni" and "device" in own and "vlan" in own
        }
        for device, far in flooded.items():
            if device in devices:
                self._facts["flood", devices[device]] = {"vteps": tuple(sorted(far))}
        targets = look.json(Part.EVPN, _EVPN, {})
        routes = look.text(Part.PREFIXES, "evpn_routes", evpn_routes.Routes, None)
        if routes is not None:
            self._facts |= look.made(Part.PREFIXES, lambda: routes.facts(vnis, targets), {})
            self.measures |= routes.measures()
        self.measures |= look.made(Part.VNIS, lambda: measures.of_vnis(vnis, self._facts), {})

    def _system(self) -> None:
        look = self._look
        seen = look.text(Part.IDENTITY, "system", system.System, None)
        if seen is None:
            look.unread.setdefault(Part.DAEMONS, look.unread[Part.IDENTITY])
        else:
            self._facts |= seen.identity() | look.made(Part.DAEMONS, seen.daemons, {})
            self.unknown |= seen.absent()
            self.clock = look.made(Part.IDENTITY, lambda: seen.number("clock"), None)
            uptime = look.made(Part.IDENTITY, lambda: seen.number("uptime"), None)
            self.measures |= {("uptime",): uptime} if uptime is not None else {}
        clock = look.text(Part.TIME, "clock", system.clock, {})
        self._facts |= clock
        if not clock and Part.TIME not in look.unread:
            self.unknown["clock", "synchronized"] = "chronyc is not installed"

    def _counters(self) -> None:
        look = self._look
        self.measures |= look.json(Part.INTERFACES, "addresses", [], measures.of_ports)
        self.measures |= look.json(Part.QUEUES, "queues", [], measures.of_queues)
        self.measures |= look.text(Part.COUNTERS, "flaps", system.flaps, {})
        facts, counted, unknown = look.text(Part.QOS, "pfc", pauses.read, ({}, {}, {}))
        self._facts |= facts
        self.measures |= counted
        self.unknown |= unknown


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


def expects(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield the daemons that the design needs (nos/linux/files.py enables them)."""
    names = ["zebra", "lldpd"]
    names += ["bgpd"] if switch_slice.sessions or switch_slice.peers else []
    names += ["bfdd"] if switch_slice.routing.bfd is not None and switch_slice.sessions else []
    names += ["ospfd"] if switch_slice.adjacencies or switch_slice.flooding else []
    names += ["chronyd"] if switch_slice.services.ntp else []
    for name in names:
        yield ("daemon", name), {"state": system.RUNNING}, switch_slice.switch.because


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
    about=ABOUT,
    questions=lambda expected: (*QUESTIONS, *paths.question(expected)),
    encode=shell_request,
    decode=answers,
    parse=parse,
    measured=MEASURED,
    sources=SOURCES,
    expects=expects,
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
