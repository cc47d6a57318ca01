"""Read the running state of SONiC: its questions, and the facts and measures of the answers.

One shell script asks everything, and it writes nothing. The account needs the groups `redis` and
`docker`, not root (sonic-buildimage build_debian.sh). `route_check.py`, `sonic-clear` and
`generate_dump` change state and are not used.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, Facts, Key, merged
from fabricgen.model.catalog.targets import branch_of
from fabricgen.nos.questions import Answer, Answers, Question
from fabricgen.nos.sample import sampled
from fabricgen.nos.shared import paths
from fabricgen.nos.shared.documents import VTYSH, Look, answers, shell_request
from fabricgen.nos.shared.frr import evpn_routes
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.shared.health import neighbors
from fabricgen.nos.shared.plain import plain, printable
from fabricgen.nos.show import BgpActivity, Observed, Part, Reader
from fabricgen.nos.sonic.expected import NAMES
from fabricgen.nos.sonic.names import vrf_name
from fabricgen.nos.sonic.releases import DEFAULT, RELEASES, train
from fabricgen.nos.sonic.show import counters, overlay, ports, programmed, system, tables
from fabricgen.nos.sonic.show.sources import ABOUT, MEASURED, SOURCES
from fabricgen.nos.sonic.show.tables import Rows, Table
from fabricgen.nos.sonic.show.wanted import wanted

_ASKED = " ".join(f"-c '{line}'" for line in VTYSH)
_VNIS, _, _BGP, _EVPN, _BFD = VTYSH
_DOCKER_VTYSH = "docker exec bgp vtysh"
_FRR = (Part.BGP, Part.BFD, Part.VNIS, Part.EVPN)
COMMANDS = (
    Question("frr", f"{_DOCKER_VTYSH} -E {_ASKED}", parts=_FRR),
    Question("evpn_routes", evpn_routes.command(_DOCKER_VTYSH), slow=True, parts=(Part.PREFIXES,)),
    # scripts/lldpshow of sonic-utilities asks lldpctl, too; json0 is lldpd's own form (lldpcli.8).
    Question("lldp", "docker exec lldp lldpctl -f json0", parts=(Part.LLDP,)),
    Question("vlan_devices", "ip -j link show type vlan", parts=(Part.INTERFACES,)),
    Question("management", "ip -j address show dev eth0", parts=(Part.INTERFACES,)),
    # Routes of the kernel, which fpmsyncd receives from the same zebra.
    Question("routes", "ip -j -4 route show table main proto bgp", parts=(Part.ROUTES,)),
    Question("daemons", system.DAEMONS, slow=True, parts=(Part.DAEMONS,)),
    Question("containers", system.CONTAINERS, slow=True, parts=(Part.DAEMONS,)),
    Question("build", system.BUILD),
    Question("uptime", system.UPTIME),
    Question("synchronized", system.CLOCK, slow=True, parts=(Part.TIME,)),
    Question("saved", system.SAVING, slow=True, parts=(Part.SAVED,)),
    Question("checkpoints", system.CHECKPOINTS, slow=True, parts=(Part.PENDING,)),
)
Made = tuple[Part, Callable[..., Any], tuple[Table, ...]]
"""A part, the function that makes its facts or measures, and the tables that it reads."""
_PORTS: tuple[Made, ...] = (
    (Part.INTERFACES, ports.ports, (tables.PORTS, tables.AGREED)),
    (Part.BUNDLES, ports.bundles, (tables.LAGS, tables.MEMBERS, tables.LACP)),
    (Part.VLANS, ports.vlans, (tables.VLANS, tables.CARRIED, tables.MAPPED)),
    (Part.ADDRESSES, ports.addresses, (tables.ADDRESSES,)),
    (Part.VRFS, ports.vrfs, (tables.VRFS, tables.VRF_OBJECTS)),
    (Part.PAIR, ports.pairs, (tables.PAIRS, tables.DOMAINS)),
    (Part.ACLS, ports.acls, (tables.ACLS,)),
    (Part.VNIS, overlay.vtep, (tables.TUNNELS,)),
    (Part.VNIS, overlay.vnis, (tables.TUNNELS, tables.MAPPED)),
    (Part.FLOOD, overlay.floods, (tables.FLOODS,)),
)
_PROGRAMMED: tuple[Made, ...] = (
    (Part.QOS, programmed.ports, (tables.ASIC_PORTS, tables.ASIC_MAPS, tables.QUEUE_COUNTERS)),
    (Part.WATCHDOG, programmed.watchdogs, (tables.QUEUE_COUNTERS,)),
    (Part.MARKING, programmed.marking, (tables.ASIC_QUEUES, tables.ASIC_WRED)),
    (Part.BUFFERS, programmed.headroom, (tables.ASIC_GROUPS, tables.ASIC_PROFILES)),
    (Part.BUFFERS, programmed.pools, (tables.ASIC_POOLS,)),
    (
        Part.QUEUES,
        programmed.schedulers,
        (tables.QUEUES, tables.SCHEDULERS, tables.ASIC_SCHEDULERS),
    ),
)
_SYSTEM: tuple[Made, ...] = (
    (
        Part.ENVIRONMENT,
        system.components,
        (tables.FANS, tables.SUPPLIES, tables.TEMPERATURES),
    ),
    (Part.OPTICS, system.modules, (tables.MODULES,)),
    (
        Part.SERVICES,
        system.services,
        (tables.CLOCKS, tables.CLOCK_SERVERS, tables.LOGS, tables.RESOLVERS),
    ),
)
_COUNTED: tuple[Made, ...] = (
    (Part.COUNTERS, counters.of_ports, (tables.PORT_COUNTERS,)),
    (Part.COUNTERS, counters.rates, (tables.RATES,)),
    (Part.INTERFACES, counters.flaps, (tables.PORTS,)),
    (Part.QUEUE_COUNTERS, counters.of_queues, (tables.QUEUE_COUNTERS,)),
    (Part.QUEUE_COUNTERS, counters.of_groups, (tables.GROUP_COUNTERS,)),
    (Part.WATERMARKS, counters.of_pools, (tables.POOL_COUNTERS,)),
    (Part.CAPACITY, counters.capacity, (tables.CAPACITY,)),
    (Part.OPTICS, counters.optics, (tables.LIGHT, tables.LIMITS, tables.WARMTH)),
)
_COUNTED_PARTS = (Part.QUEUE_COUNTERS, Part.WATERMARKS, Part.WATCHDOG)
"""Parts whose counters the switch may have stopped to count."""
_IDENTITY = (tables.METADATA, tables.EEPROM)


def _asked() -> Iterator[Question]:
    """Yield the question of each table, with the parts that it serves."""
    parts: dict[Table, list[str]] = {each: [Part.IDENTITY] for each in _IDENTITY}
    for part, _, asked in (*_PORTS, *_PROGRAMMED, *_SYSTEM, *_COUNTED):
        for each in asked:
            parts.setdefault(each, []).append(part)
    for each, served in parts.items():
        yield each.question(tuple(dict.fromkeys(served)))
    yield tables.POLLS.question(())


_FOLLOW = (
    (Part.ADDRESSES, Part.INTERFACES),  # it lists loopbacks and VLAN interfaces
    (Part.BUNDLES, Part.INTERFACES),  # and port-channels
    (Part.INTERFACES, Part.ADDRESSES),  # the management port and VLAN devices
    (Part.VNIS, Part.EVPN),
    (Part.VNIS, Part.PREFIXES),
)
"""Parts that are unread without another one: one answer lists the objects of the other."""

QUESTIONS = (tables.CLOCK, *_asked(), *COMMANDS)
SAMPLED = ("hardware",)


def questions(expected: Facts) -> tuple[Question, ...]:
    """Return the questions. Of routes in the ASIC, a sample of the global VRF is asked for."""
    keys = [key for kind in SAMPLED for key in sampled(expected, kind) if key[1] == GLOBAL]
    prefixes = tuple(key[2] for key in keys)
    sampled_routes = (tables.programmed(prefixes, Part.HARDWARE),) if keys else ()
    return (*QUESTIONS, *sampled_routes, *paths.question(expected, vrf_name))


def decoded(output: str) -> dict[str, Answer]:
    """Split the output by command, without control characters as bytes or escapes of JSON."""
    return {
        key: replace(each, text=plain(printable(each.text)))
        for key, each in answers(output).items()
    }


def parse(given: Answers) -> Observed:
    """Return the state in the answers."""
    return _Parser(given).observed()


class _Parser:
    """Reads the answers of one look, part by part."""

    def __init__(self, given: Answers) -> None:
        """Set the answers."""
        self._given = given
        self.look: Look[Part] = Look(given)
        self.facts: Facts = {}
        self.measures: counters.Measures = {}
        self.unknown: dict[tuple[str, ...], str] = {}
        self._unasked: dict[tuple[str, ...], str] = {}

    def observed(self) -> Observed:
        build: dict[str, str] = self.look.text(Part.IDENTITY, "build", system.build, {})
        release = release_of(build.get("build_version", ""))
        self._ports(build)
        self._overlay()
        self._programmed()
        self._system()
        polled = self._measures(release)
        self.look.follow(_FOLLOW)
        self.unknown |= {**dict(ports.unagreed(self.facts)), **self._unasked}
        pulses = self.look.json(Part.BGP, _BGP, {}, routing.pulses)
        asked, why = self.look.text(Part.PATHS, paths.KEY, paths.paths, ({}, {}), optional=True)
        self.facts |= asked
        self.unknown |= why
        return Observed(
            facts=self.facts,
            pulses=_renamed(pulses),
            unread=self.look.unread,
            unknown=self.unknown,
            measures=self.measures,
            sampled=counters.sampled(polled),
            clock=self.look.text(Part.TIME, tables.CLOCK.key, _clock, None),
            runs=_runs(release),
        )

    def _rows(self, part: Part, table: Table) -> Rows:
        """Return the objects of a table. An unread table makes its part unread."""
        rows: Rows = self.look.text(part, table.key, table.rows, {})
        return rows

    def _add(self, part: Part, make: Callable[..., Facts], *asked: Table) -> None:
        """Add the facts that a function makes of tables, unless a table is unread."""
        rows = [self._rows(part, each) for each in asked]
        if part not in self.look.unread:
            self._merge(self.look.made(part, lambda: make(*rows), {}))

    def _shown(self, part: Part, key: str, empty: Any, read: Callable[[Any], Facts]) -> None:
        """Add the facts of a JSON document."""
        self._merge(self.look.json(part, key, empty, read))

    def _told(self, part: Part, key: str, read: Callable[[Answer], Facts]) -> None:
        """Add the facts of a text."""
        self._merge(self.look.text(part, key, read, {}))

    def _merge(self, facts: Facts) -> None:
        for key, own in facts.items():
            self.facts[key] = merged(self.facts.get(key, {}), own)

    def _ports(self, build: Mapping[str, str]) -> None:
        def identity(metadata: Rows, eeprom: Rows) -> Facts:
            return ports.identity(metadata, eeprom, build)

        self._add(Part.IDENTITY, identity, *_IDENTITY)
        for part, make, asked in _PORTS:
            self._add(part, make, *asked)
        self._shown(Part.INTERFACES, "vlan_devices", [], ports.devices)
        self._shown(Part.INTERFACES, "management", [], ports.devices)
        self._shown(Part.LLDP, "lldp", {}, neighbors)

    def _overlay(self) -> None:
        self._shown(Part.VNIS, _VNIS, [], overlay.routed)
        self._shown(Part.EVPN, _EVPN, {}, routing.announced)
        self._shown(Part.BGP, _BGP, {}, lambda shown: _renamed(routing.sessions(shown)))
        self._shown(Part.BFD, _BFD, [], lambda shown: _renamed(routing.bfd(shown)))
        self._shown(Part.ROUTES, "routes", [], routing.routes)
        vnis = self.look.json(Part.VNIS, _VNIS, [])
        targets = self.look.json(Part.EVPN, _EVPN, {})
        routes = self.look.text(Part.PREFIXES, "evpn_routes", evpn_routes.Routes, None)
        if routes is not None:
            self._merge(
                self.look.made(
                    Part.PREFIXES, lambda: routes.facts(vnis, targets, ports.neutral), {}
                )
            )
            self.measures |= routes.measures()
        if "asic_routes" in self._given:
            self._shown(Part.HARDWARE, "asic_routes", {}, programmed.routes)
        else:
            self._unasked["hardware", "programmed"] = "this look asks for no route in the ASIC"

    def _programmed(self) -> None:
        for part, make, asked in _PROGRAMMED:
            self._add(part, make, *asked)

    def _system(self) -> None:
        for part, make, asked in _SYSTEM:
            self._add(part, make, *asked)
        self._told(Part.DAEMONS, "daemons", system.daemons)
        self._told(Part.DAEMONS, "containers", system.containers)
        self._told(Part.TIME, "synchronized", system.clock)
        self._told(Part.SAVED, "saved", system.saved)
        self._told(Part.PENDING, "checkpoints", system.pending)

    def _measures(self, release: str) -> dict[str, float | None]:
        """Add the measures that the switch still counts; return the seconds between polls."""
        for part, make, asked in _COUNTED:
            self._count(part, make, *asked)
        self.measures |= self.look.made(Part.VNIS, self._macs, {})
        self.measures |= self.look.made(Part.BGP, self._prefixes, {})
        uptime = self.look.text(Part.TIME, "uptime", system.uptime, None)
        rows = self._rows(Part.COUNTERS, tables.POLLS)
        polled: dict[str, float | None] = self.look.made(
            Part.COUNTERS, lambda: counters.polls(rows), {}
        )
        known = RELEASES.get(release)
        marks = known.marks if known is not None else None
        if Part.COUNTERS in self.look.unread and not rows:
            polled = {}
            self.look.follow((Part.COUNTERS, part) for part in _COUNTED_PARTS)
        self.measures, self.unknown = counters.trusted(
            self.measures, polled, marks=marks, uptime=uptime
        )
        if uptime is not None:
            self.measures[("uptime",)] = uptime
        return polled

    def _count(self, part: Part, make: Callable[..., counters.Measures], *asked: Table) -> None:
        """Add the measures that a function makes of tables."""
        rows = [self._rows(part, each) for each in asked]
        self.measures |= self.look.made(part, lambda: make(*rows), {})

    def _macs(self) -> counters.Measures:
        shown = self.look.json(Part.VNIS, _VNIS, [])
        return overlay.macs(shown, self._rows(Part.VNIS, tables.MAPPED))

    def _prefixes(self) -> counters.Measures:
        pulses = self.look.json(Part.BGP, _BGP, {}, routing.pulses)
        return dict(_prefixes(_renamed(pulses)))


def _prefixes(pulses: Mapping[Key, BgpActivity]) -> Iterator[tuple[tuple[str, ...], float]]:
    for (_, *names), pulse in pulses.items():
        for family, received, sent in pulse.prefixes:
            yield ("prefixes-received", *names, family), float(received)
            yield ("prefixes-sent", *names, family), float(sent)


def _renamed(found: Mapping[Key, Any]) -> dict[Key, Any]:
    """Return objects of FRR with the design's names of VRFs."""
    return {(kind, ports.neutral(vrf), *rest): own for (kind, vrf, *rest), own in found.items()}


def _clock(answer: Answer) -> float:
    seconds, micros = answer.document([])
    return int(seconds) + int(micros) / 1e6


def release_of(version: str) -> str:
    """Return the release of a build version, which `show version` prints after `SONiC.`."""
    return train(f"SONiC.{version}")


def _runs(release: str) -> str:
    return f"SONiC {release}" if release else ""


SONIC = Reader(
    names=NAMES,
    about=ABOUT,
    questions=questions,
    encode=shell_request,
    decode=decoded,
    parse=parse,
    measured=MEASURED,
    sources=SOURCES,
    expects=wanted,
    runs=lambda release: _runs(branch_of(release) or DEFAULT),
    samples=SAMPLED,
)
