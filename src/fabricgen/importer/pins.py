"""A tree and what is there in; what may be pinned of single switches out: guesses, to be tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.core.record import record
from fabricgen.importer.draft import SHORT
from fabricgen.importer.tree import Tree, at, merged
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.registry import nos
from fabricgen.prove.walk.values import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.core.tree.facts import Attributes
    from fabricgen.importer.distance import Drawn
    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.nos.spelling import Names
    from fabricgen.prove.foreign.switch import Judged


@record(kw_only=True)
class Guess:
    """One pin that may be true.

    Attributes:
        kind: What is pinned. Pins of a kind are tried together.
        near: The switches whose files the pin can change. Empty means that any file can change.
    """

    kind: str
    path: IntentPath
    value: Any
    near: tuple[str, ...] = ()

    @property
    def fragment(self) -> Tree:
        """Return it as a part of a tree."""
        value = self.value
        for key in reversed(self.path):
            value = {str(key): value}
        return value  # type: ignore[no-any-return]


def with_pins(tree: Tree, guesses: Iterable[Guess]) -> Tree:
    """Return a tree with some pins."""
    return merged(tree, *(guess.fragment for guess in guesses))


def of_cables(tree: Tree) -> Iterator[Guess]:
    """Yield what a tree says already of ports and links of single switches."""
    named = [("fabrics", name) for name in tree.get("fabrics", {})]
    for place in (*((name,) for name in SHORT), *named):
        for name, own in (at(tree, *place, "switches") or {}).items():
            for kind in ("port", "link"):
                for label, words in own.get(f"{kind}s", {}).items():
                    path = (*place, "switches", name, f"{kind}s", label)
                    yield Guess(kind=kind, path=path, value=words)


def guesses(drawn: Drawn, name: str, there: Judged) -> Iterator[Guess]:
    """Yield what a switch has otherwise than its design: numbers, missing links, texts on ports."""
    here = drawn.judged(name)
    piece = drawn.slice(name)
    names = nos(there.platform).names
    assert names is not None
    place = (*piece.place, "switches", piece.switch.key)
    for key, value in _numbers(piece, there, names):
        yield Guess(kind=key, path=(*place, key), value=value)
    spell = nos(there.platform).port_name
    absent, up = [], [item for item in piece.interfaces if item.use is Use.FABRIC]
    for item in piece.interfaces:
        port = ("interface", spell(piece.switch.model, item.port))
        said, own = text(there.own(port).get("description")), here.own(port)
        if item in up and _routed(own) and not _routed(there.own(port)):
            path = (*place, "links", item.port.label)
            peer = (item.peer.name,) if item.peer is not None else ()
            absent.append(Guess(kind="link", path=path, value="absent", near=(name, *peer)))
        elif said and said != text(own.get("description")):
            path = (*place, "ports", item.port.label, "description")
            yield Guess(kind="description", path=path, value=said, near=(name,))
    if len(absent) < len(up):  # a switch without any link is one whose cables go elsewhere
        yield from absent


def _routed(own: Attributes) -> bool:
    return bool(own.get("address") or own.get("link-local"))


def _numbers(piece: SwitchSlice, there: Judged, names: Names) -> Iterator[tuple[str, Any]]:
    if there.name != piece.switch.name:
        yield "hostname", there.name
    if there.asn is not None and there.asn != piece.asn:
        yield "asn", there.asn
    vtep = text(there.own(("vtep",)).get("address")).partition("/")[0]
    if piece.vtep is not None and vtep not in ("", piece.vtep.host):
        yield "vtep", vtep
    for key, port, known in (
        ("loopback", names.loopback, piece.loopback.host),
        ("management", names.management, piece.management.host),
    ):
        held = there.tables.ports.get(port)
        hosts = [str(each.ip) for each in held.addresses if each.version == 4] if held else []
        others = [each for each in hosts if each != vtep]
        if others and known not in hosts:
            yield key, others[0]
    router = text(there.own(("bgp", "default")).get("router-id"))
    loopbacks = there.tables.ports.get(names.loopback)
    own = {str(each.ip) for each in loopbacks.addresses} if loopbacks else set()
    if router and router != piece.router_id.host and router not in own:
        yield "router_id", router
