"""Whole sites, drawn: kinds of servers on fabrics of every kind, racks, tenants, own hardware.

What is drawn fits: every fabric has room for MOST servers of each of KINDS kinds, so that a site
which is refused is a fault of the compiler.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Words = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

MOST = 8
"""Servers of one kind; units and places of a leaf are kept for so many of each."""
KINDS = 4
"""Kinds of servers, the one that comes later among them."""
LAST = 7
"""The number of a fabric that comes later."""
RAILS, EVPN, ROUTED, ACCESS = "rails", "evpn", "routed", "access"
PLATFORMS = ("eos", "sonic", "linux")
LOSSLESS = {"ecn": {"enabled": False}, "over_subscription": 16}
OWN, SMALL = "ACME-32", "7050CX3-32S"
ACCESS_LEAF = {"eos": "7050TX3-48C8", "sonic": "SN2201", "linux": "SN2201"}
CATALOG = {
    "catalog/asics.yaml": (
        'Anvil: {packet_buffer: 113620296, cell: null, source: "Acme, guide 7.2, page 40"}\n'
    ),
    "catalog/switches/acme-acme-32.yaml": f"""
model: {OWN}
vendor: Acme
asic: Anvil
source: "Acme, data sheet, 2026-03"
cages:
  - first: 1
    last: 32
    form: QSFP28
    lanes: 4
    modes: {{1x100G: 4, 2x50G: 2, 4x25G: 1, 4x10G: 1}}
platforms: {{eos: {{}}, linux: {{}}}}
""",
}
"""A switch and a chip that the site alone has; without a port map for SONiC."""
NAMES = {
    RAILS: (("backend", "su1", "abel"), ("su2", "zeta", "aaron")),
    EVPN: (("frontend", "tenancy"), ("dmz", "second")),
    ROUTED: (("storage", "disks"),),
    ACCESS: (("oob", "mgmt"),),
}
"""Names of the first and second fabric of a kind; the alphabet may have them in another order."""
SERVERS = (("gpu", "h100"), ("cpu", "zz"), ("nvme", "box"), ("lb", "a100"))
"""Names of the kinds of servers, of which the last comes later."""
SETS = {RAILS: "rail", EVPN: "eth", ROUTED: "data", ACCESS: "bmc"}


@dataclass(kw_only=True)
class Whole:
    """A site, and what is to be known of it when something is added.

    orders: the number of each kind of servers, by which it has places and units. vlans: the highest
    id of a VLAN. leads: the tenant by which the default route of each kind goes.
    """

    words: Words
    orders: dict[str, int] = field(default_factory=dict)
    vlans: int = 100
    leads: dict[str, str] = field(default_factory=dict)


class Drawing:
    """Draws the parts of one site."""

    def __init__(self, draw: Draw, whole: Whole) -> None:
        """Take what draws, and the site as far as it is drawn; it is not changed."""
        self.draw, self.whole, self.pauses = draw, copy.deepcopy(whole), False
        self.words = self.whole.words
        self.tool = next((kind["network"] for kind in self.words["servers"].values()), "netplan")

    def one(self, *values: Any) -> Any:
        """Draw one of some values."""
        return self.draw(st.sampled_from(values))

    def some(self, values: list[Any]) -> list[Any]:
        """Draw some of these, in their order; one at least, where there is any."""
        chosen = [value for value in values if self.one(1, 1, 0)]
        return chosen or values[:1]

    def role(self, **more: Any) -> Words:
        """Draw a switch of 32 cages; one that pauses has ports of any speed on EOS alone."""
        platform, model = self.one(*PLATFORMS), self.one(SMALL, SMALL, OWN)
        if self.pauses:
            platform, model = "eos", SMALL
        return {"model": SMALL if platform == "sonic" else model, "platform": platform, **more}

    def roce(self) -> Words:
        """Decide whether switches that are drawn next pause, and return what says so."""
        self.pauses = self.one(0, 0, 1) > 0
        return {"roce": LOSSLESS} if self.pauses else {}

    def fabrics(self) -> dict[str, Words]:
        """Draw fabrics by name: some kinds twice; the first of a kind needs no number."""
        counts = {RAILS: self.one(0, 1, 1, 2), EVPN: self.one(1, 0, 1, 2)}
        counts |= {ROUTED: self.one(0, 1), ACCESS: self.one(0, 1)}
        if not counts[RAILS] + counts[EVPN] + counts[ROUTED]:
            counts[EVPN] = 1
        numbers = iter(self.draw(st.permutations(range(1, LAST))))
        made = {}
        for kind, count in counts.items():
            for index in range(count):
                bare = not index and self.draw(st.booleans())
                number = None if bare else next(numbers)
                made[self.one(*NAMES[kind][index])] = self.fabric(kind, number)
        return made

    def fabric(self, kind: str, number: int | None) -> Words:
        """Draw a fabric of a kind."""
        roce = self.roce() if kind in (RAILS, ROUTED) else {}
        words: Words = getattr(self, f"_{kind}")() | roce
        self.pauses = False
        links = self.one("numbered", "numbered", "numbered-v6", "unnumbered")
        words["underlay"] = {"links": links}
        if links == "numbered-v6":
            words["addressing"] = {"links": f"fd00:{number or 0}:{[*NAMES].index(kind)}::/64"}
        return {**words, "number": number} if number is not None else words

    def _rails(self) -> Words:
        """Draw rails, with two units for each kind and pods of two units."""
        design = self.one("rail-optimized", "rail-optimized", "three-tier", "rail-only")
        words: Words = {
            "kind": RAILS,
            "design": design,
            "leaf": self.role(),
            "planes": self.one(1, 1, 2),
            "roce": {"enabled": False},
            "nic_addressing": {"mode": self.one("p2p", "subnet")},
        }
        if design == "rail-only":
            return words
        words["spine"] = self.role(count=2)
        words["scalable_unit"] = {"servers": MOST}
        words["oversubscription"] = 8
        words["rails_per_leaf"] = self.one(1, 2)
        words["growth"] = {"servers": 2 * MOST * KINDS, "rails": 4, "planes": 2, "spines": 4}
        if design == "three-tier":
            words |= {"superspine": self.role(count=2), "pod": {"units": 2}}
            words["growth"]["pods"] = KINDS
        return words

    def _evpn(self) -> Words:
        """Draw a leaf-spine, a larger one, or a pair, whose leafs have places for every kind."""
        words: Words = {
            "kind": EVPN,
            "leaf": self.role(),
            "oversubscription": 64,
            "leaf_groups": {"racks": {"leafs": "1-4"}},
        }
        design = self.one("leaf-spine", "leaf-spine", "superspine", "collapsed")
        if design == "collapsed":
            words["leaf_groups"]["racks"]["leafs"] = "1-2"
            return {**words, "design": design, "pair": {"links": self.one(1, 2)}}
        words["spine"] = self.role(count=2)
        if design == "superspine":
            words |= {"design": design, "superspine": self.role(count=2), "leafs_per_pod": 2}
        return words

    def _routed(self) -> Words:
        """Draw a storage fabric, to which kinds bring the sides."""
        return {
            "kind": ROUTED,
            "leaf": self.role(),
            "spine": self.role(),
            "links": {"speed": "100G"},
            "sides": {},
            "growth": {"compute": MOST, "storage": MOST, "spines": 4},
            "nic_addressing": {"mode": self.one("p2p", "subnet")},
        }

    def _access(self) -> Words:
        """Draw an out-of-band network, to which racks bring the zones."""
        platform = self.one(*PLATFORMS)
        return {
            "kind": ACCESS,
            "leaf": {"model": ACCESS_LEAF[platform], "platform": platform},
            "spine": self.role(),
            "zones": {},
            "vlans": {
                "switches": {"id": 20},
                "bmc": {"id": 10, "subnet": "10.250.0.0/20", "isolated": platform != "linux"},
                "pdu": {"id": 30, "subnet": "10.250.32.0/20", "isolated": platform != "linux"},
            },
        }

    def kind(self, name: str, order: int) -> None:
        """Add servers of a kind that is the nth, without ports."""
        self.whole.orders[name] = order
        self.words["servers"][name] = {
            "count": self.draw(st.integers(1, MOST)),
            "gpus": self.one(0, 2, 8),
            "network": self.tool,
            "names": self.one("{kind}{number:04}", "{site}-{kind}-{number}"),
            "ports": {},
        }

    def plug(self, kind: str, fabric: str) -> bool:
        """Give a kind a set of ports on a fabric; tell whether there is room."""
        words, sets = self.words["fabrics"][fabric], self.words["servers"][kind]["ports"]
        known = {ports["fabric"] for ports in sets.values()}
        kinds = {self.words["fabrics"][name]["kind"] for name in known}
        if fabric in known or (words["kind"] == RAILS and RAILS in kinds):
            return False
        orders = [self.whole.orders[other] for other, *_ in self.plugged(fabric)]
        if words["kind"] in (RAILS, EVPN) and any(self.whole.orders[kind] < n for n in orders):
            return False  # what comes later has units and places behind the others
        drawn = getattr(self, f"_on_{words['kind']}")(kind, fabric, words)
        if drawn is None:
            return False
        name = SETS[words["kind"]]
        while name in sets:
            name += "b"
        sets[name] = {"fabric": fabric, **drawn}
        return True

    def plugged(self, fabric: str) -> list[tuple[str, str, Words]]:
        """Return the sets of ports on a fabric: kind, name, words."""
        return [
            (kind, name, ports)
            for kind, words in sorted(self.words["servers"].items())
            for name, ports in words["ports"].items()
            if ports["fabric"] == fabric
        ]

    def _on_rails(self, kind: str, fabric: str, words: Words) -> Words | None:
        """Draw NICs of two rails; leafs without spines are of one kind."""
        alone = words["design"] == "rail-only"
        if alone and self.plugged(fabric):
            return None
        unit = 1 if alone else 1 + 2 * self.whole.orders[kind]
        speed = self.one("50G", "100G")
        return {"nics": 2, "nic_ports": words["planes"], "speed": speed, "unit": unit}

    def _on_evpn(self, kind: str, _: str, words: Words) -> Words:
        """Draw ports on one leaf or two."""
        spread = self.one(1, 2)
        ports = spread * self.one(1, 2)
        bonds = ["active-backup"] if ports > 1 else []
        bonds += ["lacp"] if ports > spread == 1 else []
        return {
            "speed": self.one("10G", "25G"),
            "ports": ports,
            "leafs": spread,
            "bond": self.one("none", *bonds),
            "per_leaf": MOST if words.get("design") == "collapsed" else self.one(4, 6, MOST),
            "first": 1 + MOST * self.whole.orders[kind],
        }

    def _on_routed(self, _kind: str, _fabric: str, words: Words) -> Words | None:
        """Draw ports on a side that is free."""
        free = [side for side in ("compute", "storage") if side not in words["sides"]]
        if not free:
            return None
        side = self.one(*free)
        words["sides"][side] = {"ratio": self.one(1.0, 2.0)}
        return {"group": side, "ports": 2, "speed": self.one("25G", "100G")}

    def _on_access(self, kind: str, _: str, words: Words) -> Words:
        """Draw the racks that a kind stands in, enough for all that may come, and its BMC."""
        each, order = self.one(2, 4), self.whole.orders[kind]
        held = [{"servers": kind, "count": each}, {"pdus": self.one(1, 2)}]
        self.words["racks"][kind] = {
            "count": MOST // each,
            "row": 1 + 20 * order,
            "per_row": self.one(1, 2, 4),
            "contents": self.draw(st.permutations(held)),
        }
        words["zones"][kind] = {"switch": 1 + 5 * order, "ports": 12}
        return {"speed": "1G"}

    def tenant(self, name: str, number: int, fabric: str) -> None:
        """Add a tenant to a fabric; the first of a kind leads to its default route."""
        vlans = {f"v{n}": self.vlan() for n in range(self.one(1, 2, 3))}
        self.words["tenants"][name] = {
            "fabric": fabric,
            "vrfs": {name: {"id": number, "vlans": vlans}},
            "vlans": {"flat": {"id": self.vlan()["id"]}},
            "attachments": [
                {"servers": kind, "port": key, "trunk": [*vlans, "flat"]}
                | self._addresses(name, kind, ports)
                for kind, key, ports in self.some(self.plugged(fabric))
            ],
        }

    def _addresses(self, tenant: str, kind: str, ports: Words) -> Words:
        """Draw what servers make of the VLANs of an attachment."""
        if kind in self.whole.leads:
            return {"addresses": "none", **self.one({}, {"numbers": "1"})}
        self.whole.leads[kind] = tenant
        given = {"addresses": "static", "first_host": 10 + 10 * self.whole.orders[kind]}
        several = ports["ports"] > 1 and ports["bond"] == "none"
        return {"default_route": "v0", **self.one({}, {} if several else given)}

    def vlan(self) -> Words:
        """Return a VLAN and its subnet, which no other has."""
        self.whole.vlans += 1
        return {"id": self.whole.vlans, "subnet": f"10.20.{self.whole.vlans - 100}.0/24"}

    def services(self) -> Words:
        """Draw what the switches do beside forwarding."""
        return {
            "name": "whole",
            "accept_unsupported": ["gnmi", "gnmi-collectors", "management-access"],
            "management": {
                "subnet": "10.255.0.0/16",
                "ntp": ["10.255.120.250", "10.255.120.251"],
                **self.one({}, {"syslog": ["10.255.120.252"]}),
                **self.one({}, {"gnmi": {"collectors": ["10.255.120.249"]}}),
                **self.one({}, {"admitted": ["10.255.0.0/16"]}),
            },
        }


@st.composite
def sites(draw: st.DrawFn) -> Whole:
    """Draw a site."""
    empty: Words = {"servers": {}, "racks": {}, "tenants": {}}
    drawing = Drawing(draw, Whole(words=empty))
    words = drawing.words
    words |= {"site": drawing.services(), "fabrics": drawing.fabrics()}
    drawing.tool = drawing.one("netplan", "networkd", "networkmanager")
    for order in drawing.some(list(range(KINDS - 1))):
        drawing.kind(drawing.one(*SERVERS[order]), order)
    for fabric in [*words["fabrics"]]:
        for kind in drawing.some([*words["servers"]]):
            drawing.plug(kind, fabric)
    _without_the_empty(words)
    evpn = [name for name, each in words["fabrics"].items() if each["kind"] == EVPN]
    for number, fabric in enumerate(drawing.some(evpn + evpn), 1):
        drawing.tenant(f"t{number}", number, fabric)
    return drawing.whole


def _without_the_empty(words: Words) -> None:
    """Drop kinds without ports, and fabrics without servers."""
    words["servers"] = {name: kind for name, kind in words["servers"].items() if kind["ports"]}
    here = {
        ports["fabric"] for kind in words["servers"].values() for ports in kind["ports"].values()
    }
    words["fabrics"] = {name: each for name, each in words["fabrics"].items() if name in here}
