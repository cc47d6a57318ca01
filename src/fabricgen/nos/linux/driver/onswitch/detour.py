"""Redirect the traffic for the servers of some bonds over another leaf for a while.

Servers leave or join a leaf one at a time. Frames from servers that still use the leaf would
otherwise go to servers that do not. The bridge stays unchanged, because FRR follows every change in
it. A filter at the egress of a bond (tc-flower(8), tc-mirred(8)) sends the frames of its servers
into the VXLAN. FRR leaves the forwarding entry alone, because zebra ignores permanent ones
(zebra/rt_netlink.c).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.nos.shared.onswitch.commands import run

ENDS = Path("/run/fabricgen-detour")
"""Commands that end a detour, for the successor of a process that was killed during one."""
_UNTAGGED = "Egress Untagged"


class Way(NamedTuple):
    """MAC of a server behind a LAG, the VXLAN of its VLAN, and another leaf of the server."""

    bundle: str
    mac: str
    vlan: int
    tagged: bool
    tunnel: str
    leaf: str

    def entry(self, word: str) -> tuple[str, ...]:
        """Return the command that creates or removes the forwarding entry of the tunnel."""
        where = ("dev", self.tunnel, "dst", self.leaf, "self")
        return ("bridge", "fdb", word, self.mac, *where, *(("permanent",) * (word != "del")))

    @property
    def filter(self) -> tuple[str, ...]:
        """Return the filter that redirects frames into the tunnel without their tag."""
        match = ("protocol", "802.1Q", "pref", "2") if self.tagged else ("pref", "1")
        vlan = ("vlan_id", str(self.vlan)) if self.tagged else ()
        pop = ("action", "vlan", "pop") if self.tagged else ()
        redirect = ("action", "mirred", "egress", "redirect", "dev", self.tunnel)
        words = ("tc", "filter", "add", "dev", self.bundle, "egress", *match, "flower", *vlan)
        return (*words, "dst_mac", self.mac, *pop, *redirect)


@contextmanager
def detour(bundles: Sequence[str]) -> Iterator[None]:
    """Redirect frames for servers of these LAGs to another leaf."""
    ways = [way for bundle in bundles for way in _ways(bundle)]
    through = dict.fromkeys(way.bundle for way in ways)
    ends: list[tuple[str, ...]] = [
        ("tc", "qdisc", "del", "dev", bundle, "clsact") for bundle in through
    ]
    ends += [way.entry("del") for way in ways]
    if ends:
        ENDS.write_text("".join(f"{' '.join(words)}\n" for words in ends))
    try:
        for bundle in through:
            run(("tc", "qdisc", "replace", "dev", bundle, "clsact"))
        for way in ways:
            run(way.entry("replace"))
            run(way.filter)
        yield
    finally:
        straight()


def straight() -> None:
    """End a detour, also one of a killed process."""
    if ENDS.exists():
        for words in ENDS.read_text().splitlines():
            run(words.split())
        ENDS.unlink()


def _ways(bundle: str) -> Iterator[Way]:
    """Yield each MAC behind a LAG that another leaf has, too."""
    leafs = _leafs()
    ports = {each["ifname"]: each["vlans"] for each in _asked("bridge", "-j", "vlan", "show")}
    tunnels = {
        vlan["vlan"]: each["ifname"]
        for each in _asked("ip", "-j", "link", "show", "type", "vxlan")
        for vlan in ports.get(each["ifname"], ())
    }
    bare = {it["vlan"] for it in ports.get(bundle, ()) if _UNTAGGED in it.get("flags", ())}
    for known in _asked("bridge", "-j", "fdb", "show", "brport", bundle):
        vlan = known.get("vlan")
        if known.get("state") != "permanent" and vlan in tunnels and bundle in leafs:
            yield Way(bundle, known["mac"], vlan, vlan not in bare, tunnels[vlan], leafs[bundle])


def _leafs() -> dict[str, str]:
    """Return the tunnel address of another leaf for each shared LAG, from FRR."""
    segments: Sequence[Mapping[str, Any]] = _asked("vtysh", "-c", "show evpn es detail json")
    return {
        each["accessPort"]: each["vteps"][0]["vtep"]
        for each in segments
        if each.get("vteps") and "accessPort" in each
    }


def _asked(*words: str) -> list[Any]:
    """Return the JSON output of a program; empty without output."""
    try:
        answer = json.loads(run(words).out)
    except ValueError:
        return []
    return answer if isinstance(answer, list) else []
