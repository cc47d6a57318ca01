"""Links that a batch drains in; what is still sent over them out.

A switch offers every way over a drained link as longer, so the one at the far end sends others
another way. Which ways there are is said once, by the design's routes, as `verify` has them.
"""

from collections.abc import Iterable, Iterator

from fabricgen.core.tree.facts import GLOBAL, Facts, Key
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.choreography.terms import longer
from fabricgen.operate.deploy.push.routes import Routes
from fabricgen.prove.designed import peer_of

_KIND = "drained link"


def drained_links(piece: SwitchSlice, running: Facts) -> Iterator[Key]:
    """Yield the far end, switch and port, of each link that a switch is told now to drain."""
    for each in piece.sessions:
        if each.drained is None or each.interface is None or each.interface.peer_port is None:
            continue
        before = running.get(("session", GLOBAL, peer_of(piece, each)), {})
        if not longer(before.get("out")):
            yield _KIND, each.peer.name, spell(each.peer, each.interface.peer_port)


def ports_of(name: str, told: Iterable[Key]) -> set[str]:
    """Return the ports of a switch that are the far ends of what others were told to drain."""
    return {key[2] for key in told if key[:2] == (_KIND, name)}


def still_sent(
    name: str, ports: set[str], looks: tuple[Health, Health], routes: Routes
) -> Iterator[str]:
    """Say of each of some ports of a switch an address to which it goes another way by design.

    looks: before the batch, and now. What never had another way may get it in a later batch. Ways
    are read on Linux alone; a switch of another platform shows none.
    """
    if not ports:
        return
    then, now = map(_ways, looks)
    for port in sorted(ports):
        for prefix, used in now.items():
            other = used.union(then.get(prefix, ())) - ports
            if port in used and other and not routes.by(name, prefix, port):
                yield f"still sends to {prefix} over {port}, whose link is drained"
                break


def _ways(health: Health) -> dict[str, set[str]]:
    """Return the ports by which a switch sends to each prefix of the underlay."""
    seen = health.observed.of("route") if health.observed is not None else {}
    return {key[2]: {*own["ports"]} for key, own in seen.items() if key[1] == GLOBAL}
