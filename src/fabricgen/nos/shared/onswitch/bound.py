"""Reset BGP neighbors whose BFD session is bound to a port that their address leaves.

bgpd gives BFD an interface when a session is first established, and never changes it
(FRRouting/frr bgpd/bgp_bfd.c, bgp_peer_bfd_update_source: `bfd_sess_interface(session) == NULL`, in
8.4 and on master). After its address moves to another port, BGP is up again and BFD stays down. No
line of frr.conf differs. A neighbor that is removed and added again gets the new interface.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch.refusal import StepError

if TYPE_CHECKING:
    from fabricgen.nos.shared.onswitch.frr import Frr

DEFAULT = "default"
"""FRR's name of the default VRF."""
_INSTANCE = re.compile(
    r"^(?P<opens>router bgp \d+(?: vrf (?P<vrf>\S+))?)\n(?P<lines>(?: .*\n)*)", re.MULTILINE
)


class Home(NamedTuple):
    """An address of an interface, with the length of its prefix."""

    vrf: str
    interface: str
    address: str

    def holds(self, remote: str) -> bool:
        """Return whether an address is in the prefix. Invalid addresses are in none."""
        try:
            return ipaddress.ip_address(remote) in ipaddress.ip_interface(self.address).network
        except ValueError:
            return False


def release(frr: Frr, homes: Iterable[Home]) -> str:
    """Remove the neighbors that move, before the ports change. Return FRR's error or an empty text.

    A reload of frr.conf must follow, which adds the missing neighbors again.
    """
    try:
        commands = leaving(frr, homes)
    except StepError as error:
        return str(error)
    return frr.say(commands) if commands else ""


def leaving(frr: Frr, homes: Iterable[Home]) -> list[str]:
    """Return the FRR commands for that, usually none."""
    watched = frr.watched()
    lines = moving(watched, [*homes], frr.running()) if watched else []
    return ["configure terminal", *lines, "end"] if lines else []


def moving(watched: Iterable[Mapping[str, Any]], homes: list[Home], running: str) -> list[str]:
    """Return the commands that remove neighbors whose BFD session has the wrong port.

    `watched`: `show bfd peers json`. An unnumbered neighbor is named by its port and stays.
    """
    away = [(it.get("vrf", DEFAULT), it["peer"]) for it in watched if _is_away(it, homes)]
    lines: list[str] = []
    for instance in _INSTANCE.finditer(running):
        if gone := [*_removed(instance, away)]:
            lines += [instance["opens"], *gone, "exit"]
    return lines


def _is_away(session: Mapping[str, Any], homes: list[Home]) -> bool:
    """Return whether a session is bound to a port, and its subnet is on others only."""
    vrf, remote = session.get("vrf", DEFAULT), session.get("peer", "")
    ports = {home.interface for home in homes if home.vrf == vrf and home.holds(remote)}
    return bool(ports) and session.get("interface", "") not in {"", *ports}


def _removed(instance: re.Match[str], away: Iterable[tuple[str, str]]) -> Iterator[str]:
    for vrf, peer in away:
        if vrf == (instance["vrf"] or DEFAULT) and f" neighbor {peer} " in instance["lines"]:
            yield f"no neighbor {peer}"
