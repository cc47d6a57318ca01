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
"""Maximum seconds to wait for a server that does not use LACP."""
TOLD = 2.0
"""Seconds that other leafs get to exchange paths before servers leave."""
_PACE = 0.1
_IN_STEP, _COLLECTS, _SENDS = 0x08, 0x10, 0x20  # IEEE 802.1AX, Actor_State
_BOTH = _COLLECTS | _SENDS
_UP = 0x1  # linux/if.h, IFF_UP
_TOLD = re.compile(r"^  neighbor \S+ route-map (\S+) out$", re.MULTILINE)
_EVPN = " address-family l2vpn evpn\n"
_SEGMENTS = ("ead", "es")
"""Route types 1 and 4 (docs.frrouting.org, Route Maps: match evpn route-type)."""


class Bundle(NamedTuple):
    """A bond with an Ethernet segment. `system`: the LACP system of its leafs."""

    name: str
    system: str
    members: tuple[str, ...]

    def write(self, option: str, value: str) -> None:
        """Set an option of the kernel's bond, if the bond exists."""
        where = NET / self.name / "bonding" / option
        if where.exists():
            where.write_text(value)

    def apart(self) -> None:
        """Use another LACP system than the other leaf; frames in transit are still accepted."""
        self.write("all_slaves_active", "1")
        address = NET / self.name / "address"
        self.write("ad_actor_system", address.read_text().strip() if address.exists() else "")

    def joined(self) -> None:
        """Use the same LACP system as the other leaf."""
        self.write("ad_actor_system", self.system)

    def states(self, whose: str) -> Iterator[int]:
        for member in self.members:
            where = NET / member / "bonding_slave" / f"ad_{whose}_oper_port_state"
            if where.exists():
                yield int(where.read_text())


def moving(text: str) -> tuple[list[Bundle], list[Bundle]]:
    """Return the LAGs of a new file that close all ports, and the LAGs that open one."""
    closing, opening = [], []
    for bundle, wanted in _wanted(text):
        now = {it: _is_up(it) for it in wanted}
        if any(now.values()) and not any(wanted.values()):
            closing.append(bundle)
        elif any(wanted[it] and not now[it] for it in wanted):
            opening.append(bundle._replace(members=tuple(it for it in wanted if wanted[it])))
    return closing, opening


def coming(text: str) -> list[str]:
    """Return the ports of a new file that open in unused LAGs."""
    return [
        port
        for bundle, wanted in _wanted(text)
        if not (NET / bundle.name).exists() or not any(_is_up(it) for it in wanted)
        for port in wanted
        if wanted[port]
    ]


def _wanted(text: str) -> Iterator[tuple[Bundle, dict[str, bool]]]:
    """Yield the LAGs of a file with their ports, and whether each port is open."""
    stanzas = {name: dict(lines) for name, lines in interfaces.stanzas(text)}
    for name, words in stanzas.items():
        if "bond-ad-actor-system" in words:
            members = tuple(words["bond-slaves"].split())
            wanted = {it: "link-down" not in stanzas.get(it, {}) for it in members if _there(it)}
            yield Bundle(name, words["bond-ad-actor-system"], members), wanted


@contextmanager
def moved(closing: Sequence[Bundle], opening: Sequence[Bundle]) -> Iterator[None]:
    """Let servers leave before ports close in the block, and join opened ports after it.

    A reload of FRR afterwards advertises opened LAGs in EVPN. In the block, ifupdown2 restores the
    LACP system of the file, so servers may join from then on, and the detour is already active.
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
    """Wait until no server sends over closing LAGs; open ports that servers do not use yet."""
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
    """Withdraw the segments from BGP. No file has this, so a reload of FRR undoes it."""
    words = [line for name in _maps(FRR.running()) for line in _withheld(name)]
    # FRR applies a changed route map after five seconds, this command at once
    if words:
        FRR.say(["configure terminal", *words, "end", "clear bgp l2vpn evpn * soft out"])


def withheld(text: str) -> str:
    """Return an FRR file that does not advertise the segments."""
    for name in _maps(text):
        lines = "".join(f"{line}\n" for line in _withheld(name))
        first = re.compile(rf"^(?=route-map {re.escape(name)} )", re.MULTILINE)
        text = first.sub(lines, text, count=1)
    return text


def _maps(text: str) -> dict[str, None]:
    """Return the export route maps of EVPN."""
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
