"""Report names in zones and flows that do not exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fabricgen.compile.design.managing import managing
from fabricgen.compile.design.zones.management import names_of, zones_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.paths import at
from fabricgen.model.fabric.switch import Fabric

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.zones import AccessZone

PROTOCOLS = ("tcp", "udp", "icmp")
"""Predefined services."""


def judge_zones(intent: Intent, fabrics: Iterable[Fabric], findings: Findings) -> None:
    """Report which names in zones and flows are of nothing, and which zones no leaf has."""
    zones: dict[str, AccessZone] = intent.unless_refused("zones") or {}
    if not zones and not intent.unless_refused("flows"):
        return
    known, routed = _Known(intent), _routed(fabrics)
    there = {**known.zones, **zones}
    for name, zone in zones.items():
        before, here = len(findings.items), at("zones", name)
        for key in ("vrfs", "vlans", "outside", "servers", "hosts"):
            for place, word in enumerate(zone.unless_refused(key) or ()):
                _unknown(word, getattr(known, key), (*here, key, place), findings)
        if zone.unless_refused("through") is not None:
            _unknown(str(zone.through), zones, (*here, "through"), findings)
        said = bool(zone.vlans or zone.outside or zone.hosts) or len(findings.items) > before
        if name not in routed and not said:
            sentence = f"zone {name} has no network that a leaf routes, so no list filters it"
            findings.error(Code.ZONE_NOT_ENFORCED, sentence, here, "name a routed VLAN or a router")
    _judge_flows(intent, there, findings)


def _judge_flows(intent: Intent, zones: Iterable[str], findings: Findings) -> None:
    services = intent.unless_refused("services") or {}
    for number, flow in enumerate(intent.unless_refused("flows") or ()):
        here = at("flows", number)
        for key in ("clients", "servers"):
            for place, word in enumerate(flow.unless_refused(key) or ()):
                _unknown(word, zones, (*here, key, place), findings)
        for place, word in enumerate(flow.unless_refused("services") or ()):
            if "/" not in word:
                _unknown(
                    word,
                    {**services, **dict.fromkeys(PROTOCOLS)},
                    (*here, "services", place),
                    findings,
                )


def _routed(fabrics: Iterable[Fabric]) -> set[str]:
    every = (fabric.overlay.zones for fabric in fabrics if fabric.overlay is not None)
    return {each.zone for zones in every for seen in zones.members.values() for each in seen}


class _Known:
    """Names that zones may use."""

    def __init__(self, intent: Intent) -> None:
        """Collect the names that were not refused."""
        self.vrfs: set[str] = set()
        self.vlans: set[str] = set()
        self.outside: set[str] = set()
        self.hosts: set[str] = set()
        self.servers = set(intent.unless_refused("servers") or {})
        for name, tenant in (intent.unless_refused("tenants") or {}).items():
            self.vlans |= {f"{name}/{vlan}" for vlan in tenant.unless_refused("vlans") or {}}
            for vrf, words in (tenant.unless_refused("vrfs") or {}).items():
                self.vrfs.add(f"{name}/{vrf}")
                self.vlans |= {f"{name}/{vlan}" for vlan in words.unless_refused("vlans") or {}}
                hosts = words.unless_refused("hosts") or {}
                self.hosts |= {f"{name}/{vrf}/{entry}" for entry in hosts}
                for key in ("external", "firewalls"):
                    peers = words.unless_refused(key) or {}
                    self.outside |= {f"{name}/{vrf}/{peer}" for peer in peers}
        self.zones: dict[str, IntentPath] = {}
        for mine in filter(None, map(managing, intent.each_fabric())):
            vlans, external = names_of(mine)
            self.vlans |= vlans.keys()
            self.outside |= external.keys()
            self.zones |= zones_of(mine)


def _unknown(word: str, known: Iterable[str], path: IntentPath, findings: Findings) -> None:
    names = list(known)
    if word not in names:
        findings.unknown(f"no network or router is named {word!r}", path, word, names)
