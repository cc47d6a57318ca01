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
"""A line of frr.conf below the lines of its sections."""

PROGRAMS = ("docker_routing_config_mode", "frr_mgmt_framework_config")
"""Fields of DEVICE_METADATA|localhost that select the container's programs."""
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
"""Lines that commands can change in a running FRR: those of templates/frr after the first ones.

Tried on FRR 8.4.4, by tests/deploy/sonic/test_routing.py. Lines of a site's template are excluded.
"""


def programs(tables: Tables) -> tuple[object, ...]:
    """Return the values that select the programs of FRR."""
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
    """Return a line that needs a restart of FRR; empty if commands can do the change."""
    old, new = set(places(before)), set(places(after))
    lines = (" ".join(place) for place in old ^ new if not is_live(place))
    return min(lines, default="") or _renumbered(old - new, new - old)


def _renumbered(goes: set[Place], comes: set[Place]) -> str:
    """Return a prefix-list entry that takes another's number, or changes its number.

    After such a change and its undo FRR 8.4.4 lost its connected routes permanently, although the
    list permitted them. It accepted entries that are only added or removed.
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
    """Return whether commands can add and remove a line."""
    return _LIVE.fullmatch(" ".join(place)) is not None


def places(frr: str) -> Iterator[Place]:
    """Yield each line below the lines of its sections."""
    around: list[tuple[int, str]] = []
    for raw in frr.splitlines():
        line = raw.strip()
        if not line or line.startswith(("!", "#")) or line.split("-")[0] in _ENDS:
            continue
        depth = len(raw) - len(raw.lstrip())
        around = [(indent, text) for indent, text in around if indent < depth]
        around.append((depth, line))
        yield tuple(text for _, text in around)
