"""Write the BGP sessions of a VRF. A session without addresses has no place in the model."""

from collections.abc import Iterator, Sequence

from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import Session
from fabricgen.nos.shared.description import behind
from fabricgen.operate.export.openconfig.policies import Applied, inside, outside
from fabricgen.operate.export.openconfig.tree import DEFAULT, Piece, Tree, entry, listed, pruned
from fabricgen.prove.designed import HOPS, far_end

_TYPES = "openconfig-bgp-types:"


def bgp(piece: Piece, vrf: str, families: Sequence[str]) -> Tree:
    """Return the BGP process of a VRF with its sessions that have addresses.

    `families`: of redistributed routes. Without sessions and families there is no process.
    """
    own = piece.switch_slice
    if vrf == DEFAULT:
        neighbors = [_inside(piece, each) for each in own.bgp_sessions if each.remote is not None]
    else:
        neighbors = [_outside(piece, each) for each in own.peers if each.vrf == vrf]
    every = dict.fromkeys(f"{_TYPES}{each}_UNICAST" for each in families)
    every |= dict.fromkeys(
        each["afi-safi-name"] for one in neighbors for each in one["afi-safis"]["afi-safi"]
    )
    if not every:
        return {}
    config = {"as": own.asn, "router-id": own.router_id.host}
    many = {"allow-multiple-as": True, "maximum-paths": own.routing.ecmp}
    paths = {"config": {"enabled": True}, "ebgp": {"config": many}}
    process = {
        "config": config,
        "use-multiple-paths": paths,
        "afi-safis": listed("afi-safi", map(_family, every)),
    }
    return pruned({"global": process, "neighbors": listed("neighbor", neighbors)})


def _family(name: str, parts: Tree | None = None) -> Tree:
    return entry({"afi-safi-name": name, "enabled": True}, "afi-safi-name", parts=parts)


def _inside(piece: Piece, session: Session) -> Tree:
    own = piece.switch_slice
    assert session.remote is not None  # the caller asks for no other session
    config = {
        "neighbor-address": session.remote.host,
        "enabled": True,
        "peer-as": None if session.stranger else session.peer_asn,
        "description": far_end(session),
        "send-community-type": ["BOTH"],
    }
    name = f"{_TYPES}{'L2VPN_EVPN' if session.overlay else 'IPV4_UNICAST'}"
    told = {"config": {"extended-next-hop-encoding": True}}
    by_v6 = not session.overlay and own.routing.links != "numbered"
    parts: Tree = {
        "as-path-options": {"config": {"allow-own-as": session.own_as}} if session.own_as else {},
        "afi-safis": listed("afi-safi", [_family(name, {"ipv4-unicast": told if by_v6 else {}})]),
    }
    if session.overlay:
        parts["transport"] = {"config": {"local-address": own.loopback.host}}
        parts["ebgp-multihop"] = {"config": {"enabled": True, "multihop-ttl": int(HOPS)}}
    elif own.routing.bfd is not None:
        parts["enable-bfd"] = _bfd(piece)
    return _neighbor(config, inside(piece, session), parts)


def _outside(piece: Piece, peer: ExternalPeer) -> Tree:
    border = peer.border
    config = {
        "neighbor-address": peer.remote.host,
        "enabled": True,
        "peer-as": peer.peer_asn,
        "local-as": border.local_asn,
        "remove-private-as": f"{_TYPES}PRIVATE_AS_REMOVE_ALL" if border.hides_private else None,
        "description": behind(peer),
        "send-community-type": ["STANDARD"] if border.send else [],
    }
    most = border.max_prefixes
    limit = {"max-prefixes": most.count, "prevent-teardown": most.action == "warn"} if most else {}
    unicast = {
        "config": {"send-default-route": True} if peer.default else {},
        "prefix-limit-received": {"config": limit} if limit else {},
    }
    family = _family(
        f"{_TYPES}IPV{peer.version}_UNICAST", {f"ipv{peer.version}-unicast": pruned(unicast)}
    )
    parts: Tree = {"afi-safis": listed("afi-safi", [family])}
    if peer.bfd and piece.switch_slice.routing.bfd is not None:
        parts["enable-bfd"] = _bfd(piece)
    return _neighbor(config, outside(peer), parts)


def _neighbor(config: Tree, applied: Applied, parts: Tree) -> Tree:
    return entry(config, "neighbor-address", parts={"apply-policy": applied.tree, **parts})


def _bfd(piece: Piece) -> Tree:
    """Return BFD with its timers in microseconds (openconfig-bfd.yang)."""
    timers = piece.switch_slice.routing.bfd
    assert timers is not None  # the callers ask only with timers
    interval = int(timers.interval) * 1000
    return {
        "config": {
            "enabled": True,
            "desired-minimum-tx-interval": interval,
            "required-minimum-receive": interval,
            "detection-multiplier": timers.multiplier,
        }
    }


def sessions_without_addresses(piece: Piece) -> Iterator[Session]:
    """Yield the sessions that the model cannot name."""
    return (each for each in piece.switch_slice.bgp_sessions if each.remote is None)
