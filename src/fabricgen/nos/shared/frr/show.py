"""What FRR and the kernel say of routing in; BGP and BFD sessions, VNIs and routes out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import Announced, Routed, Session, Timers
from fabricgen.fabric.observed import ESTABLISHED, Bfd, Pulse, Running

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KINDS = {"L2": 2, "L3": 3}


def family(word: str) -> str:
    """Spell an address family as FRR's configuration does: ipv4Unicast is ipv4 unicast."""
    return _WORDS.sub(" ", word).lower().replace("l2 vpn", "l2vpn")


def sessions(vrfs: Mapping[str, Mapping[str, Any]]) -> dict[tuple[str, str], Running]:
    """Return every session. Beside its neighbours a VRF has vrfId and vrfName, which are none."""
    return {
        (vrf, peer): _running(vrf, peer, said)
        for vrf, peers in vrfs.items()
        for peer, said in peers.items()
        if isinstance(said, dict)
    }


def _running(vrf: str, peer: str, said: Mapping[str, Any]) -> Running:
    families = tuple(sorted(map(family, said.get("addressFamilyInfo", ()))))
    session = Session(vrf=vrf, peer=peer, asn=said.get("remoteAs", 0), families=families, bfd=None)
    state = str(said.get("bgpState", "unknown"))
    reason = said.get("lastNotificationReason") or said.get("lastResetDueTo") or ""
    return Running(
        session=session, state=state, why="" if state == ESTABLISHED else reason, pulse=_pulse(said)
    )


def _pulse(said: Mapping[str, Any]) -> Pulse:
    counted = said.get("messageStats", {})
    restart = said.get("gracefulRestartInfo", {})
    prefixes = (
        (family(name), info.get("acceptedPrefixCounter", 0), info.get("sentPrefixCounter", 0))
        for name, info in said.get("addressFamilyInfo", {}).items()
    )
    ended = (family(name) for name, came in restart.get("endOfRibRecv", {}).items() if came)
    return Pulse(
        up=said.get("bgpTimerUpMsec", 0),
        resets=(said.get("connectionsEstablished", 0), said.get("connectionsDropped", 0)),
        updates=(counted.get("updatesSent", 0), counted.get("updatesRecv", 0)),
        prefixes=tuple(sorted(prefixes)),
        waiting=counted.get("depthInq", 0) + counted.get("depthOutq", 0),
        ended=tuple(sorted(ended)),
    )


def bfd(peers: Sequence[Mapping[str, Any]]) -> tuple[Bfd, ...]:
    """Return every BFD session."""
    return tuple(
        Bfd(
            vrf=said.get("vrf", ""),
            peer=said.get("peer", ""),
            interface=said.get("interface"),
            up=said.get("status") == "up",
            timers=Timers(said.get("receive-interval", 0), said.get("detect-multiplier", 0)),
        )
        for said in peers
    )


def routed(vnis: Sequence[Mapping[str, Any]]) -> dict[int, Routed]:
    """Return the VNIs of zebra; one whose VLAN has no interface is in the VRF `default`."""
    return {
        said["vni"]: Routed(_KINDS.get(said.get("type", ""), 0), said.get("vrf")) for said in vnis
    }


def announced(vnis: Mapping[str, Any]) -> dict[int, Announced]:
    """Return the VNIs of bgpd. One that the kernel lost stays, because its RD is configured."""
    return {
        said["vni"]: Announced(
            said.get("rd", ""),
            tuple(sorted(said.get("importRTs", ()))),
            tuple(sorted(said.get("exportRTs", ()))),
        )
        for said in vnis.values()
        if isinstance(said, dict) and said.get("inKernel") == "True"
    }


def routes(kernel: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return where packets to each prefix leave. A next hop that is dead is none."""
    return {_prefix(said["dst"]): tuple(sorted(_ways(said))) for said in kernel}


def _prefix(text: str) -> str:
    if text == "default":
        return "0.0.0.0/0"
    return text if "/" in text else f"{text}/32"


def _ways(said: Mapping[str, Any]) -> list[str]:
    hops = said.get("nexthops") or [said]
    return [hop["dev"] for hop in hops if "dev" in hop and "dead" not in hop.get("flags", ())]
