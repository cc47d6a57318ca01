"""Reads the traffic classes of a frontend's tenants from its configurations.

No file has their names, so each class is named after the number of its queue.
"""

from typing import Any

from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.keys import of
from fabricgen.importer.queues import dscps, has_roce, looked, lossless, numbers, share, strict
from fabricgen.importer.tree import Fragment, Tree, at, merged
from fabricgen.model.fabric.port_qos import PortQos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.walk.values import text

_LAST = 6
"""Highest queue of a class of tenants (intent/model/classes.py)."""


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with classes. Each class has the number of its queue as its name."""
    found: Tree = {}
    for each in fabrics(network, tree):
        known = at(tree, *map(str, each.fabric.place), "classes")
        if each.serves_tenants and each.fabric.managed is None and not known:
            words = _classes(each)
            found = merged(found, each.fragment(classes=words)) if words else found
    return found


def _classes(there: Beside) -> dict[str, Any]:
    port = next((each.port for each in looked(there) if each.port.trust != "none"), None)
    if port is None:
        return {}
    kept = {each for each in numbers(port) if strict(port, each)}
    kept |= {*lossless(port)} if has_roce(port) else set()
    first = _first(there)
    return {
        f"queue-{each}": {
            "queue": each,
            "dscps": sorted(dscps(port, each), key=lambda dscp: (dscp not in first, dscp)),
            "share": share(port, each),
            **_marked(port, each),
        }
        for each in numbers(port)
        if each not in kept and each <= _LAST and share(port, each)
    }


def _marked(port: PortQos, number: int) -> dict[str, Any]:
    """Return the ECN marking of a class that is not paused."""
    marks = port.marks.get(port.queue(number) or 0)
    if marks is None:
        return {}
    points = {"minimum": marks.minimum, "maximum": marks.maximum}
    return {"ecn": {**points, "probability": round(marks.percent)}}


def _first(there: Beside) -> frozenset[int]:
    """Return the DSCPs that ports write, the first one of each class."""
    return frozenset(
        int(text(own["dscp"]))
        for _, switch in there.switches
        for _, own in of(switch, "mark")
        if text(own.get("dscp")).isdigit()
    )
