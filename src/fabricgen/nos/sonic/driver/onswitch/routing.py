"""Find differences in routing and whether FRR must restart.

The driver and the risk rules use the same functions. The container bgp selects its programs when it
starts (sonic-buildimage dockers/docker-fpm-frr/docker_init.sh and
frr/supervisord/supervisord.conf.j2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.nos.shared.onswitch.bound import DEFAULT, Home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

Place = tuple[str, ...]
"""A line of frr.conf below the lines it stands in."""

PROGRAMS = ("docker_routing_config_mode", "frr_mgmt_framework_config")
"""Fields of DEVICE_METADATA|localhost: what of the container's programs runs."""
_ADDRESSED = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE")
_ENDS = ("exit", "end")
_BGP = r"router bgp \d+(?: vrf \S+)?"
_NEIGHBOR = (
    r"neighbor \S+ (?:(?:interface )?peer-group|remote-as|description|bfd|ebgp-multihop|"
    r"update-source|capability extended-nexthop)\b.*"
)
_FAMILY = (
    r"address-family \S+ \S+",
    r"neighbor \S+ (?:activate|route-map \S+ (?:in|out))",
    r"redistribute (?:static|connected(?: route-map \S+)?)",
    r"maximum-paths \d+",
    r"advertise-all-vni",
    r"advertise \S+ unicast",
    r"vni \d+",
    r"(?:vni \d+ )?(?:rd|route-target (?:import|export)) \S+",
)
_POLICY = (
    r"(?:ip|ipv6) prefix-list \S+ seq \d+ .+",
    r"bgp community-list standard \S+ seq \d+ .+",
    *(
        rf"route-map \S+ (?:permit|deny) (?!1\b)\d+{clause}"  # 1: filters.py closes a map with it
        for clause in (
            "",
            r" match (?:community|ip address prefix-list) \S+",
            r" set (?:(?:ext)?community|as-path prepend) .+",
        )
    ),
)
_ENTRY = re.compile(r"((?:ip|ipv6) prefix-list \S+) seq (\d+) (.+)")
_LIVE = re.compile(
    "|".join(
        (
            r"zebra nexthop-group keep \d+",
            r"vrf \S+(?: vni \d+| ip(?:v6)? route \S+ \S+)?",
            r"router bgp \d+ vrf \S+",
            rf"{_BGP} bgp router-id \S+",
            rf"{_BGP} (?:no )?bgp (?:default ipv4-unicast|bestpath as-path multipath-relax)",
            rf"{_BGP} {_NEIGHBOR}",
            *(rf"{_BGP} (?:address-family \S+ \S+ )?{line}" for line in _FAMILY),
            *_POLICY,
            r"bfd profile \S+(?: (?:detect-multiplier|(?:transmit|receive)-interval) \d+)?",
        )
    )
)
"""What a running FRR takes and gives up by commands: the lines of templates/frr but the first ones.

Tried on FRR 8.4.4, by tests/deploy/sonic/test_routing.py. A line of a site's own template is none.
"""


def programs(tables: Tables) -> tuple[object, ...]:
    """Return what decides which programs of FRR run."""
    fields = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    return tuple(fields.get(name) for name in PROGRAMS)


def homes(tables: Tables) -> Iterator[Home]:
    """Yield the addresses of ports, VLANs and shares of ports."""
    for name in _ADDRESSED:
        rows = tables.get(name, {})
        for key in rows:
            port, bar, address = key.partition("|")
            if bar:
                yield Home(rows.get(port, {}).get("vrf_name", DEFAULT), port, address)


def same(before: str, after: str) -> bool:
    """Return whether two texts of frr.conf are equal apart from order and comments."""
    return set(places(before)) == set(places(after))


def restarts(before: str, after: str) -> str:
    """Return a line for which FRR must start again; empty where commands can do the change."""
    old, new = set(places(before)), set(places(after))
    lines = (" ".join(place) for place in old ^ new if not is_live(place))
    return min(lines, default="") or _renumbered(old - new, new - old)


def _renumbered(goes: set[Place], comes: set[Place]) -> str:
    """Return an entry of a prefix list that takes another's number, or has another number.

    After such a change and its way back FRR 8.4.4 had lost its connected routes for good, though
    the list permitted them; entries that only come or go were taken.
    """
    gone = [match.groups() for place in goes if (match := _ENTRY.fullmatch(place[0]))]
    lines = (
        place[0]
        for place in comes
        if (match := _ENTRY.fullmatch(place[0]))
        and any(
            match[1] == name and (match[2] == seq or match[3] == rule) for name, seq, rule in gone
        )
    )
    return min(lines, default="")


def is_live(place: Place) -> bool:
    """Return whether a line comes and goes by commands."""
    return _LIVE.fullmatch(" ".join(place)) is not None


def places(frr: str) -> Iterator[Place]:
    """Yield each line below the lines it stands in."""
    around: list[tuple[int, str]] = []
    for raw in frr.splitlines():
        line = raw.strip()
        if not line or line.startswith(("!", "#")) or line.split("-")[0] in _ENDS:
            continue
        depth = len(raw) - len(raw.lstrip())
        around = [(indent, text) for indent, text in around if indent < depth]
        around.append((depth, line))
        yield tuple(text for _, text in around)
