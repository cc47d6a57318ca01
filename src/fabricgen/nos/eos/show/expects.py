"""List the expected state of a running EOS switch that no platform-independent list has."""

from collections.abc import Iterator

from fabricgen.core.provenance import Provenance
from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes, Key
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.nos.eos.facts import watched_in_evpn
from fabricgen.nos.eos.names import PEER_LINK, port_name
from fabricgen.nos.eos.show.interfaces import EVERY

NATIVE = "1"
BOTH = ("in", "out")
Wanted = tuple[Key, Attributes, Provenance | None]


def expects(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield the state that the design of a switch implies."""
    why = switch_slice.switch.because
    yield ("daemon", "agents"), {"state": "running"}, why
    yield ("reload",), {"routing": "active", "tcam": "active"}, why
    if switch_slice.vtep is not None:
        yield ("vtep",), {"sane": TRUE}, why
    if switch_slice.pair is not None:
        trunk: Attributes = {"vlans": (EVERY,), "untagged": NATIVE}
        yield ("interface", PEER_LINK), trunk, switch_slice.pair.because
    yield from _policies(switch_slice)
    yield from _watched(switch_slice)


def _policies(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield that each session of the underlay and the outside filters both directions."""
    for each in switch_slice.bgp_sessions:
        if not each.overlay:
            yield _key(switch_slice, each), {"policies": BOTH}, each.because
    for peer in switch_slice.peers:
        yield ("session", peer.vrf, peer.remote.host), {"policies": BOTH}, peer.because


def _key(switch_slice: SwitchSlice, session: Session) -> Key:
    """Return the key of a session: its peer, or the port of an unnumbered one."""
    if session.remote is not None:
        return ("session", GLOBAL, session.remote.host)
    assert session.interface is not None
    return ("session", GLOBAL, port_name(switch_slice.switch.model, session.interface.port))


def _watched(switch_slice: SwitchSlice) -> Iterator[Wanted]:
    """Yield BFD of EVPN sessions, and of sessions with gateways of another site."""
    bfd = switch_slice.routing.bfd
    if bfd is None:
        return
    for each in watched_in_evpn(switch_slice):
        assert each.remote is not None
        yield ("bfd", GLOBAL, each.remote.host), _timers(bfd), each.because
    if switch_slice.gateway is not None:
        for link in switch_slice.gateway.links:
            yield ("bfd", GLOBAL, link.remote.host), _timers(bfd), link.because
            yield ("bfd", GLOBAL, link.loopback.host), _timers(bfd), link.because


def _timers(bfd: Bfd) -> Attributes:
    return {"timers": f"{int(bfd.interval)} ms times {bfd.multiplier}"}
