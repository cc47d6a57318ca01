"""Read the running state of Arista EOS: its commands, and the facts in their answers."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fabricgen.core.tree.facts import Facts, Key, merged
from fabricgen.nos.eos.show import counters, interfaces, overlay, routing, system, wire
from fabricgen.nos.eos.show.expects import expects
from fabricgen.nos.eos.show.questions import IMET, PREFIX, ROUTE, questions
from fabricgen.nos.eos.show.sources import (
    ABOUT,
    MEASURED,
    NO_EVENT,
    NO_QOS,
    NOT_SHOWN,
    SOURCES,
)
from fabricgen.nos.eos.spelling import NAMES
from fabricgen.nos.questions import PATH, Answer, Answers, UnreadableError
from fabricgen.nos.shared.documents import Look
from fabricgen.nos.show import UP, Observed, Part, Reader

_NO_BGP = '{"vrfs": {}, "evpnRoutes": {}}'
_EMPTY = (
    # A refusal that is an answer, the questions, and their answer.
    ("BGP inactive", ("bgp", "peers", PREFIX), _NO_BGP),
    ("BGP inactive", ("instances", IMET), ""),
    ("No IPv6 configured interfaces", ("ipv6",), '{"interfaces": {}}'),  # NAPALM
)
_NOT_HERE = "not supported on this hardware platform"
"""Words of a refusal on another chip (ANTA, anta/constants.py, UNSUPPORTED_PLATFORM_ERRORS)."""
_HARDWARE = frozenset(
    {
        *(Part.OPTICS, Part.CODEWORDS, Part.ENVIRONMENT, Part.QUEUE_COUNTERS, Part.WATCHDOG),
        *(Part.MARKS, Part.DROPS, Part.CAPACITY, Part.PRIORITIES, Part.HARDWARE, Part.TCAM),
    }
)
"""Parts that virtual switches lack."""
NO_HARDWARE = "a virtual switch has no hardware"
NO_SESSION = "the switch has no BGP session"
NO_MARKS = "no queue counts its marks"
NO_IPV6 = "no public JSON shows a virtual IPv6 address"
_FOLLOW = (
    (Part.INTERFACES, Part.ADDRESSES),  # one answer has both
    (Part.INTERFACES, Part.BUNDLES),  # the ports with a link
    (Part.BGP, Part.POLICIES),  # the sessions
    (Part.VNIS, Part.FLOOD),  # the VNIs
    (Part.VNIS, Part.EVPN),
    (Part.VNIS, Part.PREFIXES),
    (Part.FLOOD, Part.EVPN),  # the own endpoint, which is in no list of others
    (Part.FLOOD, Part.PREFIXES),
    (Part.EVPN, Part.SEGMENTS),
    (Part.ROUTES, Part.HARDWARE),
)
"""Parts that are unread without another one: one answer lists the objects of the other."""
SAMPLED = ("route", "hardware", "evpn", "evpn-prefix")


def parse(given: Answers) -> Observed:
    """Return the state in the answers."""
    return _Parse(given).observed()


class _Parse:
    """One parsing of all answers."""

    def __init__(self, given: Answers) -> None:
        self.given = {key: _sound(key, answer) for key, answer in given.items()}
        self.look: Look[Part] = Look(self.given)
        self.facts: Facts = {}
        self.measures: counters.Measures = {}
        self.unknown: dict[tuple[str, ...], str] = dict.fromkeys(NOT_SHOWN, NO_QOS)

    def observed(self) -> Observed:
        version = self._read(Part.IDENTITY, "version", dict, {})
        local = self._read(Part.FLOOD, "vxlan", overlay.source, "")
        clock = self.look.made(Part.IDENTITY, lambda: system.clock(version), None)
        self._interfaces()
        self._bridge()
        self._overlay(local)
        self._routing()
        self._sampled(local)
        self._system()
        self._count(clock)
        if clock is not None:
            self.measures["uptime",] = counters.number(version["uptime"])
        self.look.follow(_FOLLOW)
        runs = str(version.get("version", ""))
        self._absent(str(version.get("modelName", "")))
        return Observed(
            facts=self.facts,
            unread=self.look.unread,
            unknown=self.unknown,
            measures=self.measures,
            clock=clock,
            runs=f"EOS {runs}" if runs else "",
        )

    def _read(self, part: Part, key: str, read: Callable[[Any], Any], nothing: Any) -> Any:
        """Return what is read from an answer with JSON; `nothing` if it cannot be read."""
        return self.look.text(part, key, lambda shown: read(shown.document({})), nothing)

    def _add(self, part: Part, key: str, read: Callable[[Any], Facts]) -> None:
        """Add the facts of an answer with JSON."""
        self._merge(self._read(part, key, read, {}))

    def _add_text(self, part: Part, key: str, read: Callable[[str], Facts]) -> None:
        """Add the facts of a text answer."""
        self._merge(self.look.text(part, key, lambda shown: read(_text(shown)), {}))

    def _merge(self, found: Facts) -> None:
        for key, own in found.items():
            self.facts[key] = merged(self.facts.get(key, {}), own)

    def _interfaces(self) -> None:
        self._add(Part.INTERFACES, "interfaces", interfaces.interfaces)
        for name in interfaces.without_speed(self.facts):
            self.unknown["interface", "speed", name] = interfaces.NO_SPEED
        six = self._read(Part.ADDRESSES, "ipv6", interfaces.ipv6, {})
        interfaces.with_ipv6(self.facts, six)
        for name in six:
            if name.startswith("Vlan"):
                for word in ("address", "anycast"):
                    self.unknown["interface", word, name] = NO_IPV6
        self._add(Part.ADDRESSES, "virtual", _anycast)
        self._add(Part.ERRDISABLED, "errdisabled", interfaces.errdisabled)
        self._add(Part.BUNDLES, "bundles", interfaces.members)
        up = frozenset(k[1] for k, own in self.facts.items() if own.get("link") == UP)
        self._add(Part.BUNDLES, "lacp", lambda shown: interfaces.bundled(shown, up))
        self._add(Part.LLDP, "lldp", interfaces.neighbors)

    def _bridge(self) -> None:
        self._add(Part.BRIDGE, "switchports", interfaces.switchports)
        for key, own in self.facts.items():
            if key[0] == "interface" and "bundle" in own:
                for word in ("vlans", "untagged"):
                    self.unknown["interface", word, key[1]] = interfaces.OF_BUNDLE
        self._add(Part.VLANS, "vlans", interfaces.vlans)
        self._add(Part.VRFS, "vrfs", interfaces.placed)
        hidden = self._read(Part.VLANS, "vlans", interfaces.dynamic, frozenset())
        hidden |= self._read(Part.VNIS, "vnis", overlay.transit, frozenset())
        for name in hidden:
            self.facts.pop(("interface", name), None)

    def _overlay(self, local: str) -> None:
        self._add(Part.VNIS, "vnis", overlay.vnis)
        bound = any(key[0] == "vni" for key in self.facts)
        if not bound and self.given.get("vxlan", Answer("")).status:
            self.look.unread.pop(Part.FLOOD, None)  # refused without an interface Vxlan1
            return
        self._add(Part.FLOOD, "vxlan", overlay.tunnel)
        self._add(Part.VNIS, "vxlansanity", overlay.sane)
        self.unknown |= overlay.completed(self.facts, local)
        found, unknown = self.look.text(
            Part.EVPN,
            "instances",
            lambda shown: overlay.instances(_text(shown), self.facts),
            ({}, {}),
        )
        self._merge(found)
        self.unknown |= unknown

    def _routing(self) -> None:
        self._add(Part.BGP, "bgp", routing.sessions)
        if Part.BGP not in self.look.unread and not any(k[0] == "session" for k in self.facts):
            words = ("received", "refused")
            self.unknown |= {(f"prefixes-{word}",): NO_SESSION for word in words}
        known = {key for key in self.facts if key[0] == "session"}
        self._add(
            Part.POLICIES,
            "peers",
            lambda shown: {
                key: own for key, own in routing.policies(shown).items() if key in known
            },
        )
        self._add(Part.BFD, "bfd", routing.bfd)
        self._add(Part.ACLS, "acls", lambda shown: routing.rules(shown, "ip"))
        self._add(Part.ACLS, "acls6", lambda shown: routing.rules(shown, "ipv6"))

    def _sampled(self, local: str) -> None:
        """Read the sampled routes. The answer of a question without a route has none."""
        vrfs = {
            key[1]: str(own["vrf"])
            for key, own in self.facts.items()
            if key[0] == "vni" and own.get("layer") == "3"
        }
        for key in self.given:
            kind, _, rest = key.partition("-")
            vni = rest.partition("-")[0]
            if kind == ROUTE:
                self._add(Part.ROUTES, key, routing.routes)
            elif kind == PATH:
                vrf, _, address = rest.rpartition("-")
                asked = partial(routing.path, vrf=vrf, address=address)
                self._add(Part.PATHS, key, asked)
            elif kind == IMET:
                told = partial(overlay.multicast, vni=vni, local=local)
                self._add_text(Part.EVPN, key, told)
                if Part.EVPN not in self.look.unread:
                    found = self.facts.get(("evpn", vni), {}).get("imet", ())
                    self.measures["evpn-routes", vni, "3"] = len(found)
            elif kind == PREFIX and vni in vrfs:
                told = partial(overlay.prefixes, vrf=vrfs[vni], local=local)
                self._add(Part.PREFIXES, key, told)

    def _system(self) -> None:
        self._add(Part.IDENTITY, "version", system.identity)
        self._add(
            Part.IDENTITY, "hostname", lambda it: {("identity",): {"hostname": str(it["hostname"])}}
        )
        mlag = self._read(Part.PAIR, "mlag", dict, {"state": "disabled"})
        if mlag.get("state") != "disabled":
            self._add(Part.PAIR, "sanity", lambda shown: system.pair(mlag, shown))
        for part, key, read in (
            (Part.RELOAD, "models", system.waiting),
            (Part.TCAM, "tcam", system.tcam),
            (Part.OPTICS, "inventory", system.modules),
            (Part.ENVIRONMENT, "power", system.power),
            (Part.ENVIRONMENT, "cooling", system.cooling),
            (Part.ENVIRONMENT, "temperature", system.temperature),
            (Part.TIME, "ptp", system.ptp),
            (Part.TIME, "ntp", system.ntp),
            (Part.SERVICES, "dns", system.dns),
            (Part.SERVICES, "tacacs", system.tacacs),
            (Part.SERVICES, "api", system.api),
            (Part.DAEMONS, "cores", system.agents),
            (Part.PENDING, "sessions", system.pending),
        ):
            self._add(part, key, read)
        self._add_text(Part.SERVICES, "gnmi", system.gnmi)
        self._add_text(Part.SAVED, "unsaved", system.saved)

    def _count(self, clock: float | None) -> None:
        for part, key, read in _COUNTERS:
            self.measures |= self._read(part, key, read, {})
        if Part.MARKS not in self.look.unread and not self._has("ecn-marked"):
            self.unknown["ecn-marked",] = NO_MARKS
        if Part.WATCHDOG not in self.look.unread and not self._has("watchdog-storms"):
            self.unknown |= {(f"watchdog-{word}",): NO_EVENT for word in ("storms", "restored")}
        if self._has("queue-drops"):
            self.look.unread.pop(Part.DROPS, None)  # a chip answers one of the two questions
        self.measures |= self.look.text(Part.BGP, "bgp", _prefixes, {})
        if clock is not None:
            self.measures |= self._read(
                Part.CERTIFICATES,
                "certificates",
                lambda shown: counters.certificates(shown, clock),
                {},
            )

    def _has(self, metric: str) -> bool:
        return any(measure[0] == metric for measure in self.measures)

    def _absent(self, model: str) -> None:
        """Make parts unknown that this model does not have, and guessed commands it refuses."""
        virtual = system.VIRTUAL.match(model) is not None
        for part, why in list(self.look.unread.items()):
            refused = why.startswith(wire.REFUSED)
            if virtual and part in _HARDWARE:
                reason = NO_HARDWARE
            elif refused and (_NOT_HERE in why or part is Part.PRIORITIES):
                reason = why.removeprefix(wire.REFUSED)
            else:
                continue
            del self.look.unread[part]
            self.unknown |= {topic: reason for topic, read in ABOUT.items() if read is part}
            self.unknown |= {(name,): reason for name, read in MEASURED.items() if read is part}


_COUNTERS: tuple[tuple[Part, str, Callable[[Any], counters.Measures]], ...] = (
    (Part.COUNTERS, "errors", counters.errors),
    (Part.COUNTERS, "discards", counters.discards),
    (Part.COUNTERS, "rates", counters.rates),
    (Part.COUNTERS, "flow", counters.flow),
    (Part.INTERFACES, "interfaces", counters.traffic),
    (Part.QUEUE_COUNTERS, "pfc", counters.pauses),
    (Part.PRIORITIES, "priorities", counters.priorities),
    (Part.WATCHDOG, "storms", counters.storms),
    (Part.MARKS, "marks", counters.marks),
    (Part.DROPS, "queues", counters.queues),
    (Part.DROPS, "voqs", counters.voqs),
    (Part.OPTICS, "dom", counters.optics),
    (Part.CODEWORDS, "phy", counters.codewords),
    (Part.ENTRIES, "macs", counters.macs),
    (Part.ENTRIES, "arp", counters.neighbors),
    (Part.CAPACITY, "capacity", counters.capacity),
)


def _sound(key: str, answer: Answer) -> Answer:
    """Return an answer, also for a refusal that is one: a switch without BGP has no session."""
    if answer.status:
        for words, keys, text in _EMPTY:
            if words in answer.text and key.partition("-")[0] in keys:
                return Answer(text)
    return answer


def _text(shown: Answer) -> str:
    """Return a text answer. Raises UnreadableError for a refusal."""
    if shown.status:
        raise UnreadableError(shown.text)
    return shown.text


def _prefixes(shown: Answer) -> counters.Measures:
    return counters.prefixes(routing.named(shown.document({})), routing.FAMILIES)


def _anycast(answer: Mapping[str, Any]) -> Facts:
    """Return the MAC of the anycast gateways."""
    macs = sorted(str(own["macAddress"]) for own in answer["virtualMacs"])
    return {("switch",): {"anycast-mac": ", ".join(macs)}} if macs else {}


def omits(expected: Facts) -> frozenset[Key]:
    """Return the expected objects that no question asks for: RADIUS servers."""
    return frozenset(key for key in expected if key[:2] == ("login", "radius"))


EOS = Reader(
    names=NAMES,
    about=ABOUT,
    questions=questions,
    encode=wire.encode,
    decode=wire.decode,
    parse=parse,
    measured=MEASURED,
    sources=SOURCES,
    expects=expects,
    runs="EOS {}".format,
    omits=omits,
    samples=SAMPLED,
)
