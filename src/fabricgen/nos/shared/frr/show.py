"""Read sessions, BFD, VNIs and routes from the output of FRR and the kernel."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts, Key
from fabricgen.nos.show import ESTABLISHED, UP, BgpActivity

_FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6", "l2VpnEvpn": "evpn"}
_LAYERS = {"L2": "2", "L3": "3"}
_LINK_LOCAL = "fe80:"
_PROTOCOLS = ("bgp", "ospf")


def family(word: str) -> str:
    """Return the name of an address family in facts."""
    return _FAMILIES.get(word, word)


def _peers(vrfs: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Key, Mapping[str, Any]]]:
    """Yield every session. A VRF also has the keys vrfId and vrfName, which are no neighbors."""
    for vrf, peers in vrfs.items():
        for peer, shown in peers.items():
            if isinstance(shown, dict):
                yield ("session", vrf, peer), shown


def sessions(vrfs: Mapping[str, Mapping[str, Any]]) -> Facts:
    """Return every BGP session; the state of a session that is down names the last notification."""
    return {key: _session(shown) for key, shown in _peers(vrfs)}


def _session(shown: Mapping[str, Any]) -> Attributes:
    state = str(shown.get("bgpState", "unknown"))
    why = shown.get("lastNotificationReason") or shown.get("lastResetDueTo")
    return {
        "asn": str(shown.get("remoteAs", 0)),
        "families": tuple(sorted(map(family, shown.get("addressFamilyInfo", ())))),
        "state": f"{state} ({why})" if why and state != ESTABLISHED else state,
    }


def pulses(vrfs: Mapping[str, Mapping[str, Any]]) -> dict[Key, BgpActivity]:
    """Return the activity of every BGP session."""
    return {key: _pulse(shown) for key, shown in _peers(vrfs)}


def _pulse(shown: Mapping[str, Any]) -> BgpActivity:
    counted = shown.get("messageStats", {})
    ended = shown.get("gracefulRestartInfo", {}).get("endOfRibRecv", {})
    return BgpActivity(
        up=_count(shown, "bgpTimerUpMsec"),
        resets=(_count(shown, "connectionsEstablished"), _count(shown, "connectionsDropped")),
        updates=(_count(counted, "updatesSent"), _count(counted, "updatesRecv")),
        prefixes=tuple(
            sorted(
                (
                    family(name),
                    _count(own, "acceptedPrefixCounter"),
                    _count(own, "sentPrefixCounter"),
                )
                for name, own in shown.get("addressFamilyInfo", {}).items()
            )
        ),
        waiting=_count(counted, "depthInq") + _count(counted, "depthOutq"),
        ended=tuple(sorted(family(name) for name, came in ended.items() if came)),
    )


def _count(shown: Mapping[str, Any], key: str) -> int:
    return int(shown.get(key, 0))


def bfd(peers: Sequence[Mapping[str, Any]]) -> Facts:
    """Return every BFD session. A link-local session is named by its port, as in BGP."""
    return {("bfd", shown.get("vrf", ""), _watched(shown)): _bfd(shown) for shown in peers}


def _watched(shown: Mapping[str, Any]) -> str:
    peer: str = shown.get("peer", "")
    return shown.get("interface", peer) if peer.startswith(_LINK_LOCAL) else peer


def _bfd(shown: Mapping[str, Any]) -> Attributes:
    interval, multiplier = shown.get("receive-interval", 0), shown.get("detect-multiplier", 0)
    return {
        "timers": f"{interval} ms times {multiplier}",
        "state": UP if shown.get("status") == UP else "down",
    }


def routed(vnis: Sequence[Mapping[str, Any]]) -> Facts:
    """Return the VNIs of zebra; one whose VLAN has no interface is in the VRF `default`."""
    return {
        ("vni", str(shown["vni"])): {
            "layer": _LAYERS.get(shown.get("type", ""), "unknown"),
            "vrf": vrf_of(shown),
        }
        for shown in vnis
    }


def vrf_of(shown: Mapping[str, Any]) -> str:
    """Return the VRF of a VNI: `vrf` of FRR 8.4.4, `tenantVrf` of FRR 10.3 (both in the lab)."""
    return str(shown.get("tenantVrf") or shown.get("vrf") or "")


def announced(vnis: Mapping[str, Any]) -> Facts:
    """Return the VNIs of bgpd. A VNI that the kernel lost stays, because its RD is configured."""
    return {
        ("vni", str(shown["vni"])): {
            "rd": str(shown.get("rd", "")),
            "import": tuple(sorted(map(str, shown.get("importRTs", ())))),
            "export": tuple(sorted(map(str, shown.get("exportRTs", ())))),
        }
        for shown in vnis.values()
        if isinstance(shown, dict) and shown.get("inKernel") == "True"
    }


def routes(kernel: Sequence[Mapping[str, Any]]) -> Facts:
    """Return the exits of packets to each prefix of a routing protocol, without dead next hops.

    A list that was asked for by its protocol does not name the protocol.
    """
    return {
        ("route", GLOBAL, _prefix(shown["dst"])): {"ports": tuple(sorted(map(str, _ways(shown))))}
        for shown in kernel
        if shown.get("protocol", "bgp") in _PROTOCOLS
    }


def _prefix(text: str) -> str:
    if text == "default":
        return "0.0.0.0/0"
    return text if "/" in text else f"{text}/32"


def _ways(shown: Mapping[str, Any]) -> list[str]:
    hops = shown.get("nexthops") or [shown]
    return [hop["dev"] for hop in hops if "dev" in hop and "dead" not in hop.get("flags", ())]
