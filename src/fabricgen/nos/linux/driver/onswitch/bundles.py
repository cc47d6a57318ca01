"""Drain and open the ports of multihomed server bonds without losing frames.

EVPN advertises a leaf for a segment as soon as the bond has carrier. The kernel gives it carrier
seconds before LACP permits traffic to a server (IEEE 802.1AX: two seconds of waiting). So BGP
withholds the segments first and advertises them when LACP distributes. Meanwhile LACP presents this
leaf as another system, because a server uses one system at a time (kernel, bonding.rst,
ad_select=stable). Servers leave and join one by one, so their traffic uses another leaf in that
time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fabricgen.nos.linux.driver.onswitch import interfaces
from fabricgen.nos.linux.driver.onswitch.detour import detour, straight
from fabricgen.nos.linux.driver.onswitch.files import FRR
from fabricgen.nos.shared.onswitch.commands import run

NET = Path("/sys/class/net")
LONGEST = 10.0
"""Seconds after which a server that speaks no LACP is not waited for."""
TOLD = 2.0
"""Seconds that other leafs have to use each other's ways, before servers leave."""
_PACE = 0.1
_IN_STEP, _COLLECTS, _SENDS = 0x08, 0x10, 0x20  # IEEE 802.1AX, Actor_State
_BOTH = _COLLECTS | _SENDS
_UP = 0x1  # linux/if.h, IFF_UP
_TOLD = re.compile(r"^  neighbor \S+ route-map (\S+) out$", re.MULTILINE)
_EVPN = " address-family l2vpn evpn\n"
_SEGMENTS = ("ead", "es")
"""Route types 1 and 4 (docs.frrouting.org, Route Maps: match evpn route-type)."""


class Bundle(NamedTuple):
    """A bond with an Ethernet segment. system: what its leafs are to LACP."""

    name: str
    system: str
    members: tuple[str, ...]

    def write(self, option: str, value: str) -> None:
        """Set an option of the kernel's bond, where it has the bond."""
        where = NET / self.name / "bonding" / option
        if where.exists():
            where.write_text(value)

    def apart(self) -> None:
        """Be another system than the other leaf; frames that are under way are still taken."""
        self.write("all_slaves_active", "1")
        address = NET / self.name / "address"
        self.write("ad_actor_system", address.read_text().strip() if address.exists() else "")

    def joined(self) -> None:
        """Be the same system as the other leaf."""
        self.write("ad_actor_system", self.system)

    def states(self, whose: str) -> Iterator[int]:
        """Yield the LACP state of each member. whose: actor or partner."""
        for member in self.members:
            where = NET / member / "bonding_slave" / f"ad_{whose}_oper_port_state"
            if where.exists():
                yield int(where.read_text())


def moving(text: str) -> tuple[list[Bundle], list[Bundle]]:
    """Return of a new file the bundles of which all ports close, and those of which one opens."""
    closing, opening = [], []
    for bundle, wanted in _wanted(text):
        now = {it: _is_up(it) for it in wanted}
        if any(now.values()) and not any(wanted.values()):
            closing.append(bundle)
        elif any(wanted[it] and not now[it] for it in wanted):
            opening.append(bundle._replace(members=tuple(it for it in wanted if wanted[it])))
    return closing, opening


def coming(text: str) -> list[str]:
    """Return the ports of a new file that open in bundles which nobody used yet."""
    return [
        port
        for bundle, wanted in _wanted(text)
        if not (NET / bundle.name).exists() or not any(_is_up(it) for it in wanted)
        for port in wanted
        if wanted[port]
    ]


def _wanted(text: str) -> Iterator[tuple[Bundle, dict[str, bool]]]:
    """Yield the bundles of a file with its ports, and which of them it opens."""
    stanzas = {name: dict(lines) for name, lines in interfaces.stanzas(text)}
    for name, words in stanzas.items():
        if "bond-ad-actor-system" in words:
            members = tuple(words["bond-slaves"].split())
            wanted = {it: "link-down" not in stanzas.get(it, {}) for it in members if _there(it)}
            yield Bundle(name, words["bond-ad-actor-system"], members), wanted


@contextmanager
def moved(closing: Sequence[Bundle], opening: Sequence[Bundle]) -> Iterator[None]:
    """Let servers leave before ports close within, and join what opens after that.

    A reload of FRR behind it tells EVPN of what opened. Within, ifupdown2 gives LACP the system of
    the file again, so servers may join from then on, and the detour is there already.
    """
    straight()
    if closing or opening:
        _withhold()
        _left(closing, opening)
    with detour([it.name for it in (*closing, *opening)]):
        yield
        for bundle in (*closing, *opening):
            bundle.joined()
        _until(lambda: all(it & _BOTH == _BOTH for own in opening for it in own.states("actor")))
    for bundle in (*closing, *opening):
        bundle.write("all_slaves_active", "0")


def _left(closing: Sequence[Bundle], opening: Sequence[Bundle]) -> None:
    """Wait until no server sends by what closes; open ports without being used by servers."""
    if closing:
        time.sleep(TOLD)
    with detour([it.name for it in closing]):
        for bundle in (*closing, *opening):
            bundle.apart()
        for member in (it for bundle in opening for it in bundle.members):
            run(("ip", "link", "set", "dev", member, "up"))
        _until(lambda: not any(it & _SENDS for own in closing for it in own.states("partner")))
    _until(lambda: all(it & _IN_STEP for own in opening for it in own.states("actor")))


def _withhold() -> None:
    """Take the segments out of what BGP tells; no file has it, so a reload of FRR takes it back."""
    words = [line for name in _maps(FRR.running()) for line in _withheld(name)]
    # FRR heeds a changed route map after five seconds, and this at once
    if words:
        FRR.say(["configure terminal", *words, "end", "clear bgp l2vpn evpn * soft out"])


def withheld(text: str) -> str:
    """Return a file of FRR by which BGP tells nobody of the segments."""
    for name in _maps(text):
        lines = "".join(f"{line}\n" for line in _withheld(name))
        first = re.compile(rf"^(?=route-map {re.escape(name)} )", re.MULTILINE)
        text = first.sub(lines, text, count=1)
    return text


def _maps(text: str) -> dict[str, None]:
    """Return by which route maps others are told of EVPN."""
    evpn = text.partition(_EVPN)[2].partition(" exit-address-family")[0]
    return dict.fromkeys(_TOLD.findall(evpn))


def _withheld(name: str) -> Iterator[str]:
    for number, kind in enumerate(_SEGMENTS, 1):
        yield from (f"route-map {name} deny {number}", f"match evpn route-type {kind}", "exit")


def _until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST
    while not reached() and time.monotonic() < end:
        time.sleep(_PACE)


def _there(port: str) -> bool:
    return (NET / port / "flags").exists()


def _is_up(port: str) -> bool:
    return bool(int((NET / port / "flags").read_text(), 16) & _UP)
